import { afterAll, beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { COLLECTS, FACETS, KEYWORDS, PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";
import { readMetricValues, readBodyRows, findSection } from "./demo-console.ts";

let s: Awaited<ReturnType<typeof searchWorld>>;
let page: (path: string) => Promise<{ status: number; text: string }>;
beforeAll(async () => {
  s = await searchWorld();
  const browser = await signedInBrowser(s, s.owner.email);
  page = (path) => browser.get(`${s.config.baseUrl}/prompts/${s.organization.id}/${s.workspace.id}${path}`);
}, 60_000);
afterAll(() => s[Symbol.asyncDispose]());

type Row = Record<string, string | number | undefined>;

async function rest(query: Record<string, string>): Promise<Row[]> {
  const all = { project_id: PROJECT, sources: "", thematics: "", keyword_type: "", statistics: "true" };
  const { status, body } = await s.get("/api/v1/keywords-metrics", { ...all, ...query });
  expect(status).toBe(200);
  return body.data;
}

const ZERO = "0";

/** The figures of a row in the order of the table's columns. */
function figuresOfRow(row: Row, prefixes: readonly string[]): number[] {
  const before = Number(row["previous_answers"]) > 0 ? ["previous_occurrences", "previous_answers"] : [];
  const ranks = prefixes.flatMap((prefix) => {
    const [runs, earlier] = [`${prefix}_answers`, `${prefix}_previous_answers`];
    // Without a run now, only earlier ones count.
    const now = row[runs] === undefined && row[earlier] !== undefined ? [ZERO] : [runs];
    return [`${prefix}_rank`, `${prefix}_previous_rank`, ...now, earlier];
  });
  return ["occurrences", "answers", ...before, "score", ...ranks].flatMap((name) => {
    const value = name === ZERO ? 0 : row[name];
    return typeof value === "number" ? [value] : [];
  });
}

test("each rank, count and score of the table equals REST for the same filters", async () => {
  const views = [
    { view: "", query: {}, prefixes: ["search_a_seo", "search_a_aio", "assistant_a"] },
    { view: "?source=ASSISTANT_A", query: { sources: "ASSISTANT_A" }, prefixes: ["assistant_a"] },
    {
      view: `?collect=${COLLECTS.second}&topic=${FACETS.first}`,
      query: { collect_id: COLLECTS.second, topic_ids: FACETS.first },
      prefixes: ["search_a_seo", "search_a_aio", "assistant_a"],
    },
  ];
  for (const { view, query, prefixes } of views) {
    const { status, text } = await page(view);
    const rows = await rest(query);
    const listed = findSection(text, "listed");
    expect([view, status, readBodyRows(listed).map(readMetricValues)]).toEqual([
      view,
      200,
      rows.map((row) => figuresOfRow(row, prefixes)),
    ]);
    expect(readBodyRows(listed).map(shownText)).toEqual(
      rows.map((row) => expect.stringMatching(new RegExp(`^${String(row["keyword_text"])} `))),
    );
    expect(rows.length).toBeGreaterThan(1);
  }
});

test("prompts sort by each column in both directions, link to their answers, and download in that order", async () => {
  const rows = await rest({});
  const columns: Record<string, (row: Row) => string | number | undefined> = {
    prompt: (row) => row["keyword_text"],
    type: (row) => row["type"],
    topic: (row) => row["topic"],
    persona: (row) => row["persona"],
    presence: (row) => (row["answers"] ? Number(row["occurrences"]) / Number(row["answers"]) : undefined),
    score: (row) => row["score"],
    ASSISTANT_A: (row) => row["assistant_a_rank"],
  };
  for (const [sort, value] of Object.entries(columns)) {
    for (const [direction, way] of [["asc", 1] as const, ["desc", -1] as const]) {
      const { text } = await page(`?sort=${sort}&direction=${direction}`);
      const without = rows.filter((row) => value(row) === undefined);
      const having = rows.flatMap((row) => [value(row)].flatMap((by) => (by === undefined ? [] : [{ row, by }])));
      const ordered = having.toSorted((a, b) => way * (a.by < b.by ? -1 : Number(a.by > b.by))).map(({ row }) => row);
      const expected = [...ordered, ...without].map((row) => row["keyword_id"]);
      const links = [...findSection(text, "listed").matchAll(/href="\/answers\/[^"]*keyword=([0-9a-f-]{36})"/g)];
      expect([sort, direction, links.map(([, id]) => id)]).toEqual([sort, direction, expected]);
      expect(text.match(/aria-sort="([a-z]+)"/)?.[1]).toBe(`${direction}ending`);
      const csv = (await page(`/prompts.csv?sort=${sort}&direction=${direction}`)).text.trim().split("\r\n");
      const [heads = [], ...cells] = csv.map((line) => line.slice(1, -1).split('","'));
      const byId = new Map(rows.map((row) => [row["keyword_id"], row]));
      expect(cells).toEqual(expected.map((id) => heads.map((head) => String(byId.get(id)?.[head] ?? ""))));
    }
  }
  const ids = rows.map((row) => String(row["keyword_id"]));
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([...KEYWORDS]);
});
