import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { collectScene } from "./scene.ts";

const RUNS = new URL("../../../shared/data/recorded/runs.jsonl", import.meta.url);
const recorded = existsSync(RUNS);
if (!recorded) process.stdout.write("skipped: recorded runs are not at ../shared/data/recorded\n");

interface Run {
  run_id: string;
  prompt: string;
  topic: string | null;
  collected_at: string;
  citations: {
    position: number;
    url: string;
    title: string | null;
    item_position: number | null;
    item_text: string | null;
  }[];
  search_results: { rank: number; title: string; url: string; snippet: string }[];
}

const BRANDS = {
  Maestra: "maestra.ai",
  Speechify: "speechify.com",
  Notta: "notta.ai",
  JotMe: "jotme.io",
  ElevenLabs: "elevenlabs.io",
  Kapwing: "kapwing.com",
  HeyGen: "heygen.com",
};

/** Runs of one round, each prompt once; a run without prompt cannot be imported. */
function roundOf(runs: Run[], round: number): Run[] {
  const seen = new Set<string>();
  return runs.filter(
    ({ run_id, prompt }) => run_id.endsWith(`_r${round}`) && prompt && !seen.has(prompt) && seen.add(prompt),
  );
}

/** A run as two lines: result page, and the assistant's list with citations. */
function linesOf(run: Run): object[] {
  const common = { keyword: run.prompt, thematic: run.topic ?? "other", collected_at: run.collected_at };
  const items = new Map<number, string>();
  for (const { item_position: at, item_text: text } of run.citations)
    if (at !== null && text !== null) items.set(at, text);
  const list = [...items].toSorted(([a], [b]) => a - b).map(([, text], index) => `${index + 1}. ${text}`);
  const cited = [
    ...new Map(run.citations.map(({ url, title }) => [url, { url, ...(title ? { title } : {}) }])).values(),
  ];
  const results = run.search_results.map(({ rank, title, url, snippet }) => ({ rank, title, url, snippet }));
  return [
    { ...common, source: "SEARCH_A", results },
    { ...common, source: "ASSISTANT_A", text: list.join("\n"), citations: cited },
  ];
}

/** The rank of the own domain on a result page, counted here without the extractor. */
function ownRank(run: Run): number | undefined {
  const ranks = run.search_results
    .filter(({ url }) => /(^|\.)maestra\.ai$/.test(new URL(url).hostname))
    .map(({ rank }) => rank);
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

test.skipIf(!recorded)(
  "recorded runs show search ranks and assistant citations side by side, with the ranks of the round before",
  async () => {
    await using s = await collectScene();
    const brandIds = new Map<string, string>();
    for (const [name, domain] of Object.entries(BRANDS)) {
      const { body } = await s.owner.post(`${s.workspace.path}/brands`, {
        name,
        domains: [domain],
        relationship: "competitor",
      });
      brandIds.set(name, body.id as string);
    }
    const analysis = await s.create(["placeholder"], { sources: [], brand_id: brandIds.get("Maestra") });
    const runs = readFileSync(RUNS, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Run);
    for (const round of [1, 2]) {
      const lines = roundOf(runs, round).flatMap(linesOf);
      const sent = await s.owner.request("POST", `${analysis}/answers/import`, {
        body: lines.map((line) => JSON.stringify(line)).join("\n"),
        headers: { "content-type": "application/x-ndjson" },
      });
      expect(sent).toMatchObject({ status: 201, body: { number: round, accepted: lines.length, rejected: [] } });
    }

    const project = `client_id=${s.organization.id}&project_id=${analysis.split("/").at(-1)}`;
    // Unknown thematics are rejected.
    const imported = [1, 2].flatMap((round) => roundOf(runs, round));
    const topics = [...new Set(imported.map(({ topic }) => topic ?? "other"))].map(
      (topic) => `thematics=${encodeURIComponent(topic)}`,
    );
    const path = `/api/v1/keywords-metrics?${project}&sources=SEARCH_A&sources=ASSISTANT_A&keyword_type=Generic&${topics.join("&")}`;
    const { status, body } = await s.owner.get(path);
    expect(status).toBe(200);
    type Row = Record<string, unknown> & { keyword_text: string };
    const rows = new Map((body.data as Row[]).map((row) => [row.keyword_text, row]));
    const before = new Map(roundOf(runs, 1).map((run) => [run.prompt, ownRank(run)]));
    const now = roundOf(runs, 2);
    const shown = now
      .map(({ prompt }) => rows.get(prompt))
      .map((row) => [row?.["search_a_seo_rank"], row?.["search_a_seo_previous_rank"]]);
    expect(shown).toEqual(now.map((run) => [ownRank(run), before.get(run.prompt)]));
    expect(shown.filter(([rank, previous]) => rank !== undefined && previous !== undefined).length).toBeGreaterThan(10);
    const both = [...rows.values()].filter(
      (row) => row["search_a_seo_rank"] !== undefined && row["assistant_a_rank"] !== undefined,
    );
    expect(both.length).toBeGreaterThan(0);
    const cited = [...rows.values()].flatMap((row) =>
      typeof row["assistant_a_url"] === "string" ? [row["assistant_a_url"]] : [],
    );
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((url) => !/^https?:\/\/([\w-]+\.)*maestra\.ai\//.test(url))).toEqual([]);
  },
);
