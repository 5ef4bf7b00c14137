import { afterAll, beforeAll, expect, test } from "vitest";
import { shownText } from "../audits/console-scene.ts";
import { demoConsole, readMetricValues, readBodyRows, findSection } from "./demo-console.ts";

let s: Awaited<ReturnType<typeof demoConsole>>;
beforeAll(async () => {
  s = await demoConsole();
}, 90_000);
afterAll(() => s[Symbol.asyncDispose]());

interface Cited {
  domain: string;
  url: string | null;
  share: number;
  ci_low: number | null;
  ci_high: number | null;
  answers: number;
  citations: number;
}

test("each metric of sites and pages equals REST for the same filters", async () => {
  const own = s.analysis.brandId ?? "";
  const views = {
    "": {},
    "?by=page&source=ASSISTANT_B": { group_by: "page", sources: "ASSISTANT_B" },
    "?pages=retrieved": { pages: "retrieved" },
    "?sort=citations&direction=asc": { sort: "citations", sort_direction: "asc" },
    "?sort=domain": { sort: "domain" },
    [`?kind=NEWS_MEDIA&without=${own}`]: { competitor_types: "NEWS_MEDIA", absent_brand: own },
  };
  for (const [view, query] of Object.entries(views)) {
    const { status, text } = await s.page(`/sources/${s.place}${view}`);
    const { data, total_count: all } = await s.rest("/metrics/citations", {
      ...query,
      statistics: "true",
      limit: "25",
    });
    const section = findSection(text, "sites");
    expect([view, status, readBodyRows(section).map(readMetricValues)]).toEqual([
      view,
      200,
      data.map(({ share, ci_low, ci_high, answers, citations }: Cited) =>
        [share, ci_low, ci_high, answers, citations].filter((value) => value !== null),
      ),
    ]);
    expect(readBodyRows(section).map((row) => shownText(/<th[\s\S]*?<\/th>/.exec(row)?.[0] ?? ""))).toEqual(
      data.map(({ url, domain }: Cited) => url ?? domain),
    );
    expect(shownText(section)).toMatch(new RegExp(`^${all} (?:site|page)s? `));
  }
});

test("the list pages; next to it are pages behind answers without the own brand, and searches", async () => {
  const { text } = await s.page(`/sources/${s.place}?by=page`);
  const [, next = ""] = /href="([^"]*)">Next</.exec(findSection(text, "sites")) ?? [];
  const second = await s.page(next.replaceAll("&#38;", "&"));
  const of = { group_by: "page", statistics: "true" };
  const { data: pages } = await s.rest("/metrics/citations", { ...of, limit: "50" });
  expect(readBodyRows(findSection(second.text, "sites")).length).toBe(Math.min(25, pages.length - 25));

  const gaps = await s.rest("/metrics/citations", { ...of, absent_brand: s.analysis.brandId ?? "", limit: "10" });
  expect(readMetricValues(findSection(text, "gaps"))).toEqual(gaps.data.map(({ share }: Cited) => share));
  const searches = await s.rest("/metrics/queries", { statistics: "true", limit: "10" });
  expect(readBodyRows(findSection(text, "searches")).map(readMetricValues)).toEqual(
    searches.data.map(({ answers, prompts }: { answers: number; prompts: number }) => [answers, prompts]),
  );
});

const fewest = (key: "answers" | "citations") => (a: Cited, b: Cited) => a[key] - b[key];
const byName = (a: Cited, b: Cited) => (a.domain < b.domain ? -1 : 1);

test("sites sort as the address says, ties by frequency, and download in that order", async () => {
  const lists = [
    { sort: "answers", compare: fewest("answers") },
    { sort: "citations", compare: fewest("citations") },
    { sort: "domain", compare: byName },
  ];
  for (const { sort, compare } of lists) {
    const all: Cited[] = (await s.rest("/metrics/citations", { limit: "100" })).data;
    for (const direction of ["asc", "desc"] as const) {
      const way = direction === "asc" ? 1 : -1;
      const expected = all.toSorted((a, b) => way * compare(a, b)).map(({ domain }) => domain);
      const { text } = await s.page(`/sources/${s.place}/sites.csv?sort=${sort}&direction=${direction}`);
      const lines = text.trim().split("\r\n").slice(1);
      expect([sort, direction, lines.map((line) => /^"([^"]*)"/.exec(line)?.[1])]).toEqual([sort, direction, expected]);
    }
    expect(all.length).toBeGreaterThan(1);
  }
});

test("an address for a missing thing is answered on its page, with a link without filters", async () => {
  // Fault: a link with a filter that was cut off led to a bare page that named the field of an
  // endpoint.
  const none = crypto.randomUUID();
  const wrong = {
    [`/visibility/${s.place}?collect=nowhere`]: [400, "This link has filters that do not exist: run."],
    [`/visibility/${s.place}?collect=${none}`]: [400, "This link has filters that do not exist: run."],
    [`/prompts/${s.place}?source=NOBODY&topic=x`]: [400, "This link has filters that do not exist: source."],
    [`/answers/${s.place}?source=NOBODY`]: [400, "This link has filters that do not exist: source."],
    [`/sources/${s.place}?source=NOBODY`]: [400, "This link has filters that do not exist: source."],
    [`/perception/${s.place}?persona=${none}`]: [400, "This link has filters that do not exist: persona."],
  };
  const came: Record<string, unknown[]> = {};
  for (const address of Object.keys(wrong)) {
    const { status, text } = await s.page(address);
    const [, said = "", link = ""] = /role="alert">\s*<p>([\s\S]*?)<\/p>[\s\S]*?href="([^"]*)"/.exec(text) ?? [];
    came[address] = [status, shownText(said).replace(/ The link may be cut off, or the items were deleted\.$/, "")];
    expect((await s.page(link)).status).toBe(200);
  }
  expect(came).toEqual(wrong);
});
