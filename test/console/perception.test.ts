import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { demoConsole, readMetricValues, readBodyRows, findSection } from "./demo-console.ts";
import { sortAttributes, sortTable } from "./perception-expectations.ts";
import { readTableRows, parseCsv, readLinks, rowName } from "./read-metrics.ts";

let s: Awaited<ReturnType<typeof demoConsole>>;
let brandAnalysis: string;
beforeAll(async () => {
  s = await demoConsole();
  const { body } = await s.reader.get(`${workspaceAt()}/analyses?type=brand_analysis`);
  brandAnalysis = body.data[0].id;
}, 90_000);
afterAll(() => s[Symbol.asyncDispose]());

function workspaceAt(): string {
  const [organization, workspace] = s.place.split("/");
  return `/v1/organizations/${organization}/workspaces/${workspace}`;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row as REST gives it
type Row = Record<string, any>;

async function rest(metric: string, query: Record<string, string> = {}): Promise<{ data: Row[]; basis: Row }> {
  const search = new URLSearchParams({ statistics: "true", limit: "100", ...query }).toString();
  const { status, body } = await s.reader.get(`${workspaceAt()}/analyses/${brandAnalysis}/metrics/${metric}?${search}`);
  if (status !== 200) throw new Error(`${metric}?${search}: ${status}`);
  return body;
}

/** Views of the page with the matching REST parameters. */
async function views(): Promise<Record<string, Record<string, string>>> {
  const { body: collects } = await s.reader.get(`${workspaceAt()}/analyses/${brandAnalysis}/collects`);
  const { organizationId } = s.analysis;
  const { body: filters } = await s.reader.get(`/api/v1/projects/${brandAnalysis}/filters?client_id=${organizationId}`);
  const [, earlier] = collects.data;
  const [persona] = filters.personas;
  return {
    "": {},
    "?source=ASSISTANT_B": { sources: "ASSISTANT_B" },
    [`?persona=${persona.id}`]: { personas: persona.id },
    [`?collect=${earlier.id}`]: { collect_ids: earlier.id },
  };
}

const known = (values: readonly unknown[]) => values.filter((value) => value !== null && value !== undefined);
const own = (row: Row) => Number(row["brand_id"] === s.analysis.brandId);
const ownFirst = (rows: readonly Row[]) => rows.toSorted((a, b) => own(b) - own(a));
const page = async (view: string) => (await s.page(`/perception/${s.place}${view}`)).text;
const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"];

describe("each metric of the page equals REST for the same filters", () => {
  test("stances and sentiment per brand, the own one first", async () => {
    for (const [view, query] of Object.entries(await views())) {
      const text = await page(view);
      const rows = ownFirst((await rest("brand-perception", query)).data);
      expect([view, readBodyRows(findSection(text, "stances")).map(readMetricValues)]).toEqual([
        view,
        rows.map((row) => known([...STANCES.map((stance) => row[`${stance}_share`]), row["answers"]])),
      ]);
      const sentiment = (row: Row) => {
        const { sentiment: value, sentiment_ci_low: low, sentiment_ci_high: high } = row;
        const change = value === null ? null : row["sentiment_change"]?.delta;
        const interval = low === null ? [] : [low, high];
        const [pros, cons] = ["pro", "con"].map((one) => [
          row[`${one}_rate`],
          ...(row[`${one}_ci_low`] === null ? [] : [row[`${one}_ci_low`], row[`${one}_ci_high`]]),
        ]) as [unknown[], unknown[]];
        const last = [row["con_rate_change"]?.delta, row["judged"], row["answers"]];
        return known([value, ...interval, change, ...pros, ...cons, ...last]);
      };
      expect([view, readBodyRows(findSection(text, "sentiment")).map(readMetricValues)]).toEqual([
        view,
        rows.map(sentiment),
      ]);
    }
    expect(shownText(findSection(await page(""), "stances"))).toContain("Based on 84 answers");
  });

  test("pros and cons by answers, with sentences that link to their answer", async () => {
    const { data } = await rest("brand-perception");
    const section = findSection(await page(""), "points");
    const points = ownFirst(data).flatMap(({ pros, cons }) => [...pros, ...cons]);
    expect(readTableRows(section).map(readMetricValues)).toEqual(points.map(({ answers, asked }) => [answers, asked]));
    const [first] = ownFirst(data) as [Row];
    const [quotation] = first["quotations"];
    expect(section).toContain(`/answers/${s.place}/${brandAnalysis}/${quotation.answer_id}`);
    const [, href = ""] = /<cite[\s\S]*?href="([^"]*)"/.exec(section) ?? [];
    const answer = await s.page(href);
    expect([answer.status, shownText(answer.text).includes(quotation.text)]).toEqual([200, true]);
  });

  test("wins and losses of every two brands, as each sees them, and the pairs behind them", async () => {
    for (const [view, query] of Object.entries(await views())) {
      const section = findSection(await page(view), "comparisons");
      const { data } = await rest("comparisons", { ...query, group_by: "brand" });
      const [matrix = "", pairs = ""] = section.match(/<table>[\s\S]*?<\/table>/g) ?? [];
      const names = readBodyRows(matrix).map((row) => shownText(/<th[\s\S]*?<\/th>/.exec(row)?.[0] ?? ""));
      const cell = (brand: string, other: string) => {
        const row = data.find((one) => {
          return [brand, other].includes(one["brand"]) && [brand, other].includes(one["rival"]) && brand !== other;
        });
        if (!row || row["win_rate"] === null) return [];
        const [wins, losses] = [row["wins"], row["losses"]];
        return row["brand"] === brand ? [wins, losses] : [losses, wins];
      };
      expect([view, names[0], readBodyRows(matrix).map(readMetricValues)]).toEqual([
        view,
        "Kestrova",
        names.map((brand) => names.flatMap((other) => cell(brand, other))),
      ]);
      const shown = data.filter((row) => row["answers"] + row["stance_answers"] > 0);
      expect([view, readBodyRows(pairs).map(readMetricValues)]).toEqual([
        view,
        shown.map((row) =>
          known([
            row["wins"],
            row["losses"],
            row["both"],
            row["no_preference"],
            row["win_rate"],
            ...(row["ci_low"] === null ? [] : [row["ci_low"], row["ci_high"]]),
            row["answers"] > 0 ? row["change"]?.delta : null,
            row["stance_rate"],
            row["first_rate"],
            row["second_rate"],
          ]),
        ),
      ]);
    }
    const whole = findSection(await page(""), "comparisons");
    const cells = [...whole.matchAll(/<td class="number heat-[\s\S]*?href="#([^"]*)"/g)].map(([, id]) => id);
    expect(cells.length).toBe(6);
    for (const id of cells) expect(whole).toContain(`<li id="${id}">`);
  });

  test("scores by attribute, and awareness next to look-alikes", async () => {
    for (const [view, query] of Object.entries(await views())) {
      const text = await page(view);
      const { data } = await rest("attributes", query);
      const names = [...new Set(data.map((row) => row["attribute"]))];
      const scored = (row: Row) => {
        const interval = row["ci_low"] === null ? [] : [row["ci_low"], row["ci_high"]];
        return known([row["score"], ...interval, row["change"]?.delta, row["others"], row["spans"]]);
      };
      expect([view, readBodyRows(findSection(text, "attributes")).map(readMetricValues)]).toEqual([
        view,
        names.flatMap((name) => {
          const all = ownFirst(data.filter((row) => row["attribute"] === name));
          const without = all.filter((row) => row["score"] === null).map((row) => row["spans"]);
          const rows = all.filter((row) => row["score"] !== null).map(scored);
          return without.length === 0 ? rows : [...rows, without];
        }),
      ]);
      const aware = ownFirst((await rest("brand-awareness", query)).data);
      const figures = (row: Row) => {
        const { unaided, unaided_ci_low: low, unaided_ci_high: high, unaided_change: change, difference } = row;
        const first = [unaided, ...(low === null ? [] : [low, high]), change?.delta];
        if (row["asked"] === 0) return known(first);
        const { aided_ci_low: from, aided_ci_high: to } = row;
        const aided = [row["aided"], ...(from === null ? [] : [from, to]), row["aided_change"]?.delta];
        const between = difference.ci_low === null ? [] : [difference.ci_low, difference.ci_high];
        return known([...first, ...aided, row["look_alikes"], difference.delta, ...between]);
      };
      expect([view, readBodyRows(findSection(text, "awareness")).map(readMetricValues)]).toEqual([
        view,
        aware.map(figures),
      ]);
    }
  });

  test("each table has a file with the values of REST", async () => {
    const [perception, comparisons] = [
      await rest("brand-perception"),
      await rest("comparisons", { group_by: "brand" }),
    ];
    const [attributes, awareness] = [await rest("attributes"), await rest("brand-awareness")];
    const points = ownFirst(perception.data).flatMap(({ brand, pros, cons, quotations }) =>
      [
        ...pros.map((one: Row) => ({ polarity: "pro", ...one })),
        ...cons.map((one: Row) => ({ polarity: "con", ...one })),
      ].map((one: Row) => {
        const quoted = quotations.find((it: Row) => it["polarity"] === one["polarity"] && it["head"] === one["head"]);
        return { brand, answer_id: null, text: null, ...quoted, ...one };
      }),
    );
    const files: Record<string, readonly Row[]> = {
      stances: ownFirst(perception.data),
      sentiment: ownFirst(perception.data),
      "pros-and-cons": points,
      comparisons: comparisons.data,
      attributes: sortAttributes(attributes.data, new URLSearchParams(), s.analysis.brandId ?? ""),
      awareness: ownFirst(awareness.data),
    };
    for (const [name, rows] of Object.entries(files)) {
      const { text, headers } = await s.page(`/perception/${s.place}/${name}.csv`);
      const [head = "", ...lines] = text.trim().split("\r\n");
      const columns = head.slice(1, -1).split('","');
      const value = (row: Row, column: string) => {
        const nested = [
          "recommended_share_change",
          "caveated_share_change",
          "con_rate_change",
          "sentiment_change",
          "unaided_change",
          "aided_change",
          "change",
          "difference",
        ];
        const outer = nested.find((one) => column.startsWith(`${one}_`));
        return String((outer ? row[outer]?.[column.slice(outer.length + 1)] : row[column]) ?? "");
      };
      expect([name, lines.map((line) => line.slice(1, -1).split('","'))]).toEqual([
        name,
        rows.map((row) => columns.map((column) => value(row, column))),
      ]);
      expect(headers.get("content-disposition")).toContain(`${name}.csv`);
    }
  });
});

test("each table sorts by each head in both directions, with its file, independently of the others", async () => {
  const first = await page("?attributes_sort=brand");
  const measures = { stances: "brand-perception", sentiment: "brand-perception", awareness: "brand-awareness" };
  for (const [table, measure] of Object.entries(measures)) {
    const rows = ownFirst((await rest(measure)).data);
    const heads = headsIn(findSection(first, table));
    expect([table, heads.length]).toEqual([table, 7]);
    for (const head of heads) {
      const once = await s.page(head);
      const again = headsIn(findSection(once.text, table)).find((one) => sortOf(one) === sortOf(head)) ?? "";
      for (const [address, text] of [
        [head, once.text],
        [again, (await s.page(again)).text],
      ] as const) {
        const query = new URL(address, "http://x").searchParams;
        const names = sortTable(table, rows, query).map(({ brand }) => brand);
        const section = findSection(text, table);
        expect([address, readBodyRows(section).map(rowName)]).toEqual([address, names]);
        expect([address, sortedHeads(section)]).toEqual([
          address,
          [query.get(`${table}_direction`) === "asc" ? "ascending" : "descending"],
        ]);
        const file = readLinks(section).find((link) => link.includes(".csv")) ?? "";
        expect([
          file,
          parseCsv((await s.page(file)).text)
            .slice(1)
            .map(([brand]) => brand),
        ]).toEqual([file, names]);
        expect([address, sortedHeads(findSection(text, "attributes"))]).toEqual([address, ["ascending"]]);
      }
    }
  }
});

/** The addresses that the heads of a table lead to. */
function headsIn(section: string): string[] {
  return readLinks(/<thead>[\s\S]*?<\/thead>/.exec(section)?.[0] ?? "");
}

/** Sort parameter in an address. */
function sortOf(address: string): string | undefined {
  return /(?:stances|sentiment|awareness)_sort=[a-z_]*/.exec(address)?.[0];
}

function sortedHeads(section: string): string[] {
  return [...section.matchAll(/aria-sort="([a-z]*)"/g)].map(([, way = ""]) => way);
}

test("the page opens on the brand analysis; for one without opinions it says so, with the next step", async () => {
  expect(await page("")).toMatch(new RegExp(`<option\\s+value="${brandAnalysis}"\\s+selected`));
  const text = await page(`?analysis=${s.analysis.id}`);
  expect(shownText(text)).toContain(
    "sends what people search for, and measures visibility and ranks . A brand analysis measures",
  );
  expect(text).toContain(`href="/perception/${s.place}?analysis=${brandAnalysis}"`);
  expect(text).not.toContain("<table>");
});

test("the figures of another organization are not found by their address", async () => {
  const mallory = await s.w.signIn("mallory@rival.test");
  const theirs = await signedInBrowser(s.w, mallory.email);
  for (const path of ["", "/stances.csv", "/awareness.csv"])
    expect((await theirs.get(`${s.w.config.baseUrl}/perception/${s.place}${path}`)).status).toBe(404);
  expect((await s.page(`/perception/${s.place}?source=NOWHERE`)).status).toBe(400);
});
