import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { chooseExtent, report } from "../../test/support/proof.ts";
import { brandAnalysisScene } from "./brand-analysis.ts";
import { drawCases } from "./cases.ts";
import { measuredScene, recordedAnswers } from "./scene.ts";

// Recomputes figures of tools/search-metrics and tools/metrics from raw rows in another language.

const SEED = Number(process.env["RECOMPUTE_SEED"] ?? 20_261_123);
const SCRIPT = new URL("recompute.py", import.meta.url).pathname;
const hasPython = spawnSync("python3", ["-c", "import math"]).status === 0;
if (!hasPython) process.stdout.write("skipped: there is no python3 to recompute figures with\n");
const answers = recordedAnswers();
if (!answers) process.stdout.write("skipped: recorded answers are not at ../shared/data/recorded\n");

const SELECTIONS = chooseExtent(200, 4);
const EXTENT = chooseExtent(
  { recorded: 3, products: 4, collects: 3, demo: true },
  { recorded: 1, products: 2, collects: 2, demo: false },
);

test.skipIf(!hasPython || !answers)(
  "every number of a random selection equals another program's result from the raw rows",
  async () => {
    // Fault: a figure that only the code behind it can produce.
    await using s = await measuredScene(answers, EXTENT);
    await using brand = await brandAnalysisScene(answers ?? [], EXTENT);
    const all = [...s.analyses, brand.measured];
    const cases = await drawCases(all, { seed: SEED, selections: SELECTIONS });
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
