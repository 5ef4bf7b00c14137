import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readExport } from "../../test/exports/read-export.ts";
import { chooseExtent, report } from "../../test/support/proof.ts";
import { brandAnalysisScene } from "./brand-analysis.ts";
import { drawCases } from "./cases.ts";
import { measuredScene, recordedAnswers, type MeasuredAnalysis } from "./scene.ts";

// Recomputes figures of tools/search-metrics and tools/metrics from exports (tools/exports) in
// another language.

const SEED = Number(process.env["RECOMPUTE_SEED"] ?? 20_261_124);
const SCRIPT = new URL("export_rows.py", import.meta.url).pathname;
const FILES = ["answers", "mentions", "citations", "jobs", "catalog", "visibility", "stances"];
const hasPython = spawnSync("python3", ["-c", "import math"]).status === 0;
if (!hasPython) process.stdout.write("skipped: there is no python3 to recompute figures with\n");
const answers = recordedAnswers();
if (!answers) process.stdout.write("skipped: recorded answers are not at ../shared/data/recorded\n");

const SELECTIONS = chooseExtent(100, 2);
const EXTENT = chooseExtent(
  { recorded: 3, products: 4, collects: 3, demo: true },
  { recorded: 1, products: 1, collects: 2, demo: false },
);

test.skipIf(!hasPython || !answers)(
  "every number of REST equals another program's result from exported files alone",
  async () => {
    // Fault: an export that lacks data behind a figure.
    await using s = await measuredScene(answers, EXTENT);
    await using brand = await brandAnalysisScene(answers ?? [], EXTENT);
    const all = [...s.analyses, brand.measured];
    const cases = await drawCases(all, { seed: SEED, selections: SELECTIONS });
    const folder = await mkdtemp(join(tmpdir(), "exports-"));
    try {
      const analyses = [];
      for (const measured of all) analyses.push({ folder: await exportedInto(folder, measured), id: measured.project });
      const opinions = { ...analyses.at(-1), rows: await opinionRows(brand.measured) };
      const input = JSON.stringify({ analyses, cases, perceptions: [opinions] });
      const run = spawnSync("python3", ["-B", SCRIPT], { input, encoding: "utf8", maxBuffer: 1e9 });
      expect(run.stderr).toBe("");
      const { numbers, differences, opinions: ofOpinions } = JSON.parse(run.stdout);
      const counts = `${numbers} numbers (${ofOpinions} of opinions), ${differences.length} differ`;
      report(`seed ${SEED}: ${cases.length} selections from exports, ${counts}`);
      expect(differences.slice(0, 10)).toEqual([]);
      expect(numbers).toBeGreaterThan(SELECTIONS * 100);
      expect(ofOpinions).toBeGreaterThan(50);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  600_000,
);

/** Writes the files of a workspace once and returns their folder. */
async function exportedInto(folder: string, { person, workspace }: MeasuredAnalysis): Promise<string> {
  const own = join(folder, workspace.split("/").at(-1) ?? "");
  if ((await mkdir(own, { recursive: true })) === undefined) return own;
  for (const what of FILES) {
    await writeFile(join(own, `${what}.jsonl`), await readExport(person, workspace, { what, format: "jsonl" }));
  }
  return own;
}

/** Brand perception over REST, by brand. */
async function opinionRows({ path, get }: MeasuredAnalysis): Promise<Record<string, unknown>> {
  const { status, body } = await get(`${path}/metrics/brand-perception?statistics=true&limit=100`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return Object.fromEntries(body.data.map((row: { brand: string }) => [row.brand, row]));
}
