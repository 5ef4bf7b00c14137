import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { extent, report } from "../proof.ts";
import { brandAnalysisScene } from "./brand-analysis.ts";
import { measuredScene, recordedAnswers, type Measured } from "./scene.ts";
import { drawn, ENDPOINTS, randomFrom, type Endpoint, type Params } from "./selections.ts";

// Figures of tools/search-metrics and tools/metrics, computed once more from raw rows by a program in another language.

const SEED = Number(process.env["RECOMPUTE_SEED"] ?? 20_261_123);
const SCRIPT = new URL("recompute.py", import.meta.url).pathname;
const hasPython = spawnSync("python3", ["-c", "import math"]).status === 0;
if (!hasPython) process.stdout.write("skipped: there is no python3 to recompute figures with\n");
const answers = recordedAnswers();
if (!answers) process.stdout.write("skipped: recorded answers are not at ../shared/data/recorded\n");

const SELECTIONS = extent(200, 4);
const EXTENT = extent(
  { recorded: 3, products: 4, collects: 3, demo: true },
  { recorded: 1, products: 2, collects: 2, demo: false },
);

interface Case {
  analysis: number;
  endpoint: Endpoint;
  params: Params;
  body: Record<string, unknown>;
  rows: Record<string, unknown>;
}

test.skipIf(!hasPython || !answers)(
  "every number of a selection drawn by chance is what another program makes of the raw rows",
  async () => {
    // Fault: a figure that only the code which shows it can reach.
    await using s = await measuredScene(answers, EXTENT);
    await using brand = await brandAnalysisScene(answers ?? [], EXTENT);
    const all = [...s.analyses, brand.measured];
    const cases: Case[] = [];
    for (const [analysis, measured] of all.entries()) {
      for (const endpoint of ENDPOINTS) {
        const random = randomFrom(SEED + 100 * analysis + ENDPOINTS.indexOf(endpoint));
        for (let nth = 0; nth < SELECTIONS; nth += 1) {
          const params = drawn(endpoint, measured, random);
          cases.push({ analysis, endpoint, params, ...(await asked(measured, endpoint, params)) });
        }
      }
    }
    const analyses = all.map(({ rows }) => rows);
    const input = JSON.stringify({ analyses, cases });
    const run = spawnSync("python3", [SCRIPT], { input, encoding: "utf8", maxBuffer: 1e9 });
    expect(run.stderr).toBe("");
    const { numbers, differences, verdicts } = JSON.parse(run.stdout);
    report(`seed ${SEED}: ${cases.length} selections, ${numbers} numbers, ${differences.length} differ`);
    report(`verdicts: ${JSON.stringify(verdicts)}`);
    const shown = differences.slice(0, 10).map((one: { where: [number] }) => {
      const { analysis, params } = cases[one.where[0]] ?? {};
      return { ...one, analysis, params };
    });
    expect(shown).toEqual([]);
    expect(numbers).toBeGreaterThan(SELECTIONS * 100);
  },
  600_000,
);

/** What the product answers, with the rows of all pages by their name. */
async function asked({ client, project, path, get }: Measured, endpoint: Endpoint, params: Params) {
  const isOld = endpoint === "top-brands" || endpoint === "keywords-metrics";
  const query = new URLSearchParams(isOld ? { client_id: client, project_id: project } : { limit: "100" });
  if (endpoint === "top-brands") query.set("rows_per_page", "100");
  for (const name of endpoint === "keywords-metrics" ? ["sources", "thematics", "keyword_type"] : []) {
    if (!(name in params)) query.set(name, "");
  }
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const at = isOld ? `/api/v1/${endpoint}` : `${path}/metrics/${endpoint}`;
  const rows: Record<string, unknown> = {};
  for (;;) {
    const { status, body } = await get(`${at}?${query.toString()}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)} ${query.toString()}`);
    for (const row of body.data) rows[nameOf(endpoint, row)] = row;
    if (body.next_cursor == null) {
      const { basis, citing_answers } = body;
      const total_count = body.total_count ?? body.data.length;
      const { answers: counted, left_out } = basis;
      return { rows, body: { total_count, answers: counted, left_out, citing_answers } };
    }
    query.set("cursor", body.next_cursor);
  }
}

const GROUPED = ["source", "channel", "collect", "topic", "thematic", "keyword", "persona", "country", "funnel_stage"];

/** As the other program names a row. */
function nameOf(endpoint: Endpoint, row: Record<string, unknown>): string {
  if (endpoint === "top-brands") return String(row["brand"]);
  if (endpoint === "keywords-metrics") return String(row["keyword_id"]);
  if (endpoint === "citations") return String(row["url"] ?? row["domain"]);
  const names = GROUPED.filter((name) => name in row).toSorted();
  const group = names.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(row[name])}`).join(", ");
  return `[${JSON.stringify(row["brand"])}, {${group}}]`;
}
