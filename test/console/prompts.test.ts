import { afterAll, beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "../assistant.ts";
import { shownText } from "../audit/console-scene.ts";
import { COLLECTS, FACETS, KEYWORDS, PROJECT, searchWorld } from "../search-metrics-scene.ts";
import { figuresIn, rowsIn, sectionOf } from "./demo-console.ts";

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

/** The figures of a row in the order of the table's columns. */
function figuresOfRow(row: Row, prefixes: readonly string[]): number[] {
  const before = Number(row["previous_answers"]) > 0 ? ["previous_occurrences", "previous_answers"] : [];
  const ranks = prefixes.flatMap((prefix) => [`${prefix}_rank`, `${prefix}_previous_rank`]);
  return ["occurrences", "answers", ...before, "score", ...ranks].flatMap((name) => {
    const value = row[name];
    return typeof value === "number" ? [value] : [];
  });
}

test("every rank, count and score of the table is the one that REST gives for the same filters", async () => {
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
    const listed = sectionOf(text, "listed");
    expect([view, status, rowsIn(listed).map(figuresIn)]).toEqual([
      view,
      200,
      rows.map((row) => figuresOfRow(row, prefixes)),
    ]);
    expect(rowsIn(listed).map(shownText)).toEqual(
      rows.map((row) => expect.stringMatching(new RegExp(`^${String(row["keyword_text"])} `))),
    );
    expect(rows.length).toBeGreaterThan(1);
  }
});

test("prompts are ordered by their score, lead to their answers, and are downloaded whole", async () => {
  const { text } = await page("?sort=best");
  const rows = await rest({});
  const best = rows.toSorted((a, b) => Number(b["score"] ?? 0) - Number(a["score"] ?? 0));
  const links = [...sectionOf(text, "listed").matchAll(/href="\/answers\/[^"]*keyword=([0-9a-f-]{36})"/g)];
  expect(links.map(([, id]) => id)).toEqual(best.map(({ keyword_id: id }) => id));
  expect(links.map(([, id]) => id).toSorted((a = "", b = "") => (a < b ? -1 : 1))).toEqual([...KEYWORDS]);
  const csv = (await page("/prompts.csv")).text.trim().split("\r\n");
  const [columns = [], ...cells] = csv.map((line) => line.slice(1, -1).split('","'));
  expect(cells).toEqual(rows.map((row) => columns.map((column) => String(row[column] ?? ""))));
});
