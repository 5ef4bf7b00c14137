import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { demoConsole, readMetricValues, readBodyRows, findSection } from "./demo-console.ts";

let s: Awaited<ReturnType<typeof demoConsole>>;
beforeAll(async () => {
  s = await demoConsole();
}, 90_000);
afterAll(() => s[Symbol.asyncDispose]());

interface Row {
  brand: string;
  brand_id: string;
  source?: string;
  collect_id?: string;
  answers: number;
  occurrences: number;
  presence_rate: number | null;
  ci_low: number | null;
  ci_high: number | null;
  average_rank: number | null;
  rank_ci_low: number | null;
  rank_ci_high: number | null;
  top_3_rate: number | null;
  visibility_score: number | null;
  share_of_voice: number | null;
  citations: number;
  citation_rate: number | null;
  previous: number | null;
  change: { delta: number | null; verdict: string } | null;
}

const known = (values: readonly (number | null | undefined)[]) => values.filter((value) => value != null);

function tableFigures(row: Row): number[] {
  const { presence_rate: presence, ci_low, ci_high, change, average_rank, top_3_rate, visibility_score } = row;
  const { share_of_voice, citations, occurrences, answers } = row;
  const rates = [average_rank, top_3_rate, visibility_score, share_of_voice];
  return known([presence, ci_low, ci_high, change?.delta, ...rates, citations, occurrences, answers]);
}

/** Views of the page with the matching REST parameters. */
async function views(): Promise<Record<string, Record<string, string>>> {
  const { data: collects } = await s.rest("/collects");
  const { data: topics } = await s.rest("/metrics/visibility", { group_by: "topic" });
  const [, earlier] = collects as { id: string }[];
  const [{ topic }] = topics as { topic: string }[] as [{ topic: string }];
  return {
    "": {},
    "?source=ASSISTANT_A": { sources: "ASSISTANT_A" },
    [`?topic=${encodeURIComponent(topic)}`]: { topics: topic },
    "?stage=BoFu&sort=rank&direction=desc": { funnel_stages: "BoFu", sort: "rank", sort_direction: "desc" },
    [`?collect=${earlier?.id}`]: { collect_ids: earlier?.id ?? "" },
  };
}

describe("each metric of the page equals REST", () => {
  test("the table of brands, whole, in its order", async () => {
    for (const [view, query] of Object.entries(await views())) {
      const { text, status } = await s.page(`/visibility/${s.place}${view}`);
      const rest = await s.rest("/metrics/visibility", { ...query, statistics: "true", limit: "100" });
      expect([view, status, readBodyRows(findSection(text, "brands")).map(readMetricValues)]).toEqual([
        view,
        200,
        rest.data.map(tableFigures),
      ]);
      expect(rest.data.length).toBeGreaterThan(6);
    }
  });

  test("the four figures of the own brand, with their intervals and changes", async () => {
    const own = s.analysis.brandId ?? "";
    for (const [view, { sort: _, sort_direction: __, ...query }] of Object.entries(await views())) {
      const { text } = await s.page(`/visibility/${s.place}${view}`);
      const of = async (figure: string): Promise<Row> =>
        (await s.rest("/metrics/visibility", { ...query, figure, statistics: "true", brands: own })).data[0];
      const [presence, top] = [await of("presence"), await of("top_3")];
      const [voice, cited] = [await of("share_of_voice"), await of("citations")];
      expect([view, readMetricValues(findSection(text, "own"))]).toEqual([
        view,
        known(
          [
            [presence.presence_rate, presence.ci_low, presence.ci_high, presence.change?.delta],
            [presence.average_rank, presence.rank_ci_low, presence.rank_ci_high],
            [top.top_3_rate, top.ci_low, top.ci_high, top.change?.delta],
            [voice.share_of_voice, voice.ci_low, voice.ci_high, voice.change?.delta],
            [cited.citation_rate, cited.ci_low, cited.ci_high, cited.change?.delta],
          ].flat(),
        ),
      ]);
    }
  });

  test("the chart over collects: the own brand, its four most visible rivals, and changes", async () => {
    const { text } = await s.page(`/visibility/${s.place}`);
    const chart = findSection(text, "presence");
    const { data: leaders } = await s.rest("/metrics/visibility", { limit: "8" });
    const own = s.analysis.brandId ?? "";
    const rivals = (leaders as Row[]).filter(({ brand_id: id }) => id !== own).slice(0, 4);
    const query = { group_by: ["brand", "collect"], statistics: "true", limit: "100" };
    const { data, events } = await s.rest("/metrics/visibility", query);
    const collects = [...new Set((data as Row[]).map((row) => row.collect_id))];
    const find = (brand: string, collect: string | undefined) =>
      (data as Row[]).find((row) => row.brand_id === brand && row.collect_id === collect);
    const expected = collects.map((collect) =>
      [own, ...rivals.map((row) => row.brand_id)].flatMap((brand) => {
        const row = find(brand, collect);
        return row ? known([row.presence_rate, row.ci_low, row.ci_high]) : [];
      }),
    );
    expect(readBodyRows(chart).map(readMetricValues)).toEqual(expected);
    expect(expected.length).toBe(6);
    expect(events.map(({ brand }: { brand: string }) => brand)).toContain("Orbarista");
    expect(shownText(chart)).toContain("Before run 4: Orbarista added to the catalog.");
  });

  test("brands by source, sites, and the own brand by source now and before", async () => {
    const { text } = await s.page(`/visibility/${s.place}`);
    const { data: brands } = await s.rest("/metrics/visibility", { limit: "8" });
    const heat = await s.rest("/metrics/visibility", {
      group_by: ["brand", "source"],
      brands: brands.map((row: Row) => row.brand_id),
      sources: await everySource(),
      limit: "100",
    });
    const [, head = ""] = /<thead>([\s\S]*?)<\/thead>/.exec(findSection(text, "by-source")) ?? [];
    const sources = (head.match(/<th[\s\S]*?<\/th>/g) ?? []).slice(1).map(shownText);
    const shown = readBodyRows(findSection(text, "by-source")).map((row) => {
      const [brand = ""] = /<th[\s\S]*?<\/th>/.exec(row) ?? [];
      return [shownText(brand), readMetricValues(row)];
    });
    const rates = (brand: unknown) =>
      sources.map(
        (source) => (heat.data as Row[]).find((row) => row.brand === brand && row.source === source)?.presence_rate,
      );
    expect(shown).toEqual(shown.map(([brand]) => [brand, rates(brand)]));
    expect([shown.length, sources.length]).toEqual([8, 10]);

    const sites = await s.rest("/metrics/citations", { sources: await everySource(), limit: "8" });
    const bars = findSection(text, "sites");
    expect(readMetricValues(bars)).toEqual(sites.data.map(({ share }: { share: number }) => share));
    const ofOwn = (heat.data as Row[]).filter((row) => row.brand_id === s.analysis.brandId);
    expect(readMetricValues(findSection(text, "slopes"))).toEqual(
      ofOwn.flatMap((row) => [row.previous, row.presence_rate]),
    );
  });

  test("the download has every brand of the view, with all columns", async () => {
    const { text } = await s.page(`/visibility/${s.place}/brands.csv?stage=BoFu`);
    const { data } = await s.rest("/metrics/visibility", { funnel_stages: "BoFu", statistics: "true", limit: "100" });
    const [head = "", ...lines] = text.trim().split("\r\n");
    const columns = head.slice(1, -1).split('","');
    const expected = data.map((row: CsvRow) => columns.map((column) => csvCell(row, column)));
    expect(lines.map((line) => line.slice(1, -1).split('","'))).toEqual(expected);
    expect(columns).toContain("change_verdict");
  });
});

type CsvRow = Record<string, string | number | null> & { change: Record<string, string | number | null> | null };

function csvCell(row: CsvRow, column: string): string {
  const ofChange = column.startsWith("change_");
  const value = ofChange ? row.change?.[column.slice("change_".length)] : row[column];
  return String(value ?? "");
}

async function everySource(): Promise<string[]> {
  const { organizationId, id } = s.analysis;
  const { body } = await s.reader.get(`/api/v1/projects/${id}/filters?client_id=${organizationId}`);
  return body.sources;
}

test("the page reports a change in the demo's last week, and none in the week before", async () => {
  const { data: collects } = await s.rest("/collects");
  const said = async (view: string) => {
    const { text } = await s.page(`/visibility/${s.place}${view}`);
    return shownText(/<p class="moved">[\s\S]*?<\/p>/.exec(text)?.[0] ?? "");
  };
  expect(await said("")).toMatch(/^Kestrova up since run 5 on \d+ \w+ \d{4}\.$/);
  expect(await said(`?collect=${collects[1].id}`)).toMatch(
    /^No significant change of presence since run 4 on \d+ \w+ \d{4}\.$/,
  );
  expect(await said(`?collect=${collects[5].id}`)).toBe("There is no earlier run to compare with.");
});

test("the start page links to the metrics, marks a simulated analysis, and is small", async () => {
  const { text, url } = await s.page("/");
  expect(url.pathname).toBe(`/visibility/${s.place}`);
  expect(text).toContain('<span class="badge badge-warn">simulated</span>');
  const [, stages = ""] = /<select name="stage">([\s\S]*?)<\/select>/.exec(text) ?? [];
  expect([...stages.matchAll(/value="([^"]*)"\s*>([^<]*)</g)].map(([, value, shown]) => [value, shown])).toEqual([
    ["", "All"],
    ["ToFu", "Top of funnel"],
    ["MoFu", "Middle of funnel"],
    ["BoFu", "Bottom of funnel"],
  ]);
  expect(text.length).toBeLessThan(150_000);
  const drawings = text.match(/<svg\s+class="chart-[\s\S]*?<\/svg>/g) ?? [];
  expect(drawings.length).toBe(3);
  for (const drawing of drawings) expect(drawing.length).toBeLessThan(20_000);
});

test("rejects an analysis of another workspace, and a collect of another analysis", async () => {
  const nowhere = "01a20960-fa4d-714e-9312-5e22153a1b1a";
  expect((await s.page(`/visibility/${s.place}?analysis=${nowhere}`)).status).toBe(404);
  expect((await s.page(`/visibility/${s.place}?collect=${nowhere}`)).status).toBe(400);
  // Attack: the figures of another organization by their address.
  const mallory = await s.w.signIn("mallory@rival.test");
  const theirs = await signedInBrowser(s.w, mallory.email);
  for (const path of ["", "/brands.csv"])
    expect((await theirs.get(`${s.w.config.baseUrl}/visibility/${s.place}${path}`)).status).toBe(404);
});

test("an answer is shown completely: marked text, ranks, pages, cost and raw body", async () => {
  const own = s.analysis.brandId ?? "";
  const { data } = await s.rest("/answers", { brand_id: own, sources: "ASSISTANT_A" });
  const [first] = data as { id: string }[] as [{ id: string }];
  // Attack: an answer and its body as markup.
  const said = "Kestrova <script>alert(1)</script> beats Brindlecup.";
  const raw = '{"said":"</pre><img src=x>"}';
  await s.w.store.write(async ({ q, t }) => {
    const isFirst = eq(t.answers.id, first.id);
    const [row] = await q.update(t.answers).set({ text: said, rawBody: raw }).where(isFirst).returning();
    const of = { answerKey: row?.key ?? 0 };
    const brands = await q.select({ name: t.brands.name, brandNumber: t.brands.number }).from(t.brands);
    const numbered = (name: string) => ({
      ...of,
      brandNumber: brands.find((one) => one.name === name)?.brandNumber ?? 0,
    });
    await q.delete(t.mentions).where(eq(t.mentions.answerKey, of.answerKey));
    await q.insert(t.mentions).values([
      { ...numbered("Kestrova"), alias: "Kestrova", start: 0, end: 8 },
      { ...numbered("Brindlecup"), alias: "Brindlecup", start: 41, end: 51 },
    ]);
  });
  const answer = await s.rest(`/answers/${first.id}`);
  expect([answer.text, answer.raw]).toEqual([said, raw]);
  const at = `/answers/${s.place}/${s.analysis.id}/${first.id}`;
  const { status, text } = await s.page(at);
  expect(status).toBe(200);
  const marks = text.matchAll(/<mark class="([^"]*)"><span class="unseen">([^<]*)<\/span>([^<]*)</g);
  expect([...marks].map(([, ...of]) => of)).toEqual([
    ["mark-own", "[own brand Kestrova]", "Kestrova"],
    ["mark-rival", "[brand Brindlecup]", "Brindlecup"],
  ]);
  expect(text).not.toMatch(/<script(?! src="\/assets)|<img/);
  for (const part of [raw, s.w.config.baseUrl + at, "Cost 1 credit", "Source ChatGPT"])
    expect(shownText(text)).toContain(part);
  interface Place {
    brand: string;
    rank: number;
    brand_rank: number;
    mentions: number;
    url: string | null;
  }
  expect(readBodyRows(findSection(text, "places")).map(shownText)).toEqual(
    answer.places.map(({ brand, rank, brand_rank, mentions, url }: Place) =>
      [brand, rank, brand_rank, mentions, url].filter((value) => value !== null).join(" "),
    ),
  );
  expect(readBodyRows(findSection(text, "cited")).length).toBe(answer.citations.length);
});

test("a cell of the table by source leads to the answers that it counts", async () => {
  const { text } = await s.page(`/visibility/${s.place}`);
  const links = findSection(text, "by-source").matchAll(/href="([^"]*)"/g);
  const [[, href = ""] = []] = [...links];
  const { text: list } = await s.page(href.replaceAll("&#38;", "&"));
  const query = new URL(href.replaceAll("&#38;", "&"), s.w.config.baseUrl).searchParams;
  expect(query.get("names")).toBe(s.analysis.brandId);
  const rest = await s.rest("/answers", {
    collect_id: query.get("collect") ?? "",
    sources: query.get("source") ?? "",
    brand_id: query.get("names") ?? "",
  });
  expect(shownText(findSection(list, "listed"))).toMatch(new RegExp(`^${rest.total_count} answers `));
});
