import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { drawPlan, Plan, type Plant } from "./plan.ts";
import { failingTest } from "./run-tests.ts";
import { copyTree, mapMovedFiles } from "./tree.ts";

// Plants one fault in each of some files drawn by a seed, in a copy of the tree, and reports which
// tests catch it. `--plan FILE` stores the plan, or plants a stored one; `--root DIR` plants in
// another checkout of this repository.

const HERE = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { root: { type: "string" }, plan: { type: "string" } } });
const root = resolve(values.root ?? HERE);
const plan = readPlan(values.plan);
const there = mapMovedFiles(root, HERE);
const { tree, remove } = copyTree(root);
process.once("exit", remove);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

console.info(`seed ${plan.seed}, ${plan.plants.length} faults in ${root}`);
/** True for a test that passes without a fault; a test that fails anyway catches nothing. */
const passesUnplanted = new Map<string, boolean>();
const counts = { caught: 0, survived: 0, absent: 0, unclear: 0 };
for (const plant of plan.plants) {
  const began = Date.now();
  const { count, told } = await tryPlant(plant);
  counts[count]++;
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4);
  console.info(`${seconds} s  ${there(plant.file)}:${plant.line}  ${plant.what}  ${told}`);
  console.info(`        ${plant.original.trim()}`);
}
console.info(
  `${counts.caught} caught, ${counts.survived} survived, ${counts.absent} lines absent, ${counts.unclear} unclear`,
);

async function tryPlant(plant: Plant): Promise<{ count: keyof typeof counts; told: string }> {
  const path = join(tree, there(plant.file));
  const tests = plant.tests.map(there).filter((test) => existsSync(join(tree, test)));
  const code = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = code.split("\n");
  const at = nearestLine(lines, plant);
  if (at === undefined || tests.length === 0) return { count: "absent", told: "not in this version" };
  writeFileSync(path, lines.with(at, plant.mutated).join("\n"));
  const failed = await failingTest(tree, tests);
  writeFileSync(path, code);
  if (failed === undefined) return { count: "survived", told: `SURVIVED ${tests.join(", ")}` };
  if (tests.includes(failed) && !(await passes(failed))) return { count: "unclear", told: `fails anyway: ${failed}` };
  return { count: "caught", told: `caught by ${failed}` };
}

async function passes(test: string): Promise<boolean> {
  const known = passesUnplanted.get(test) ?? (await failingTest(tree, [test])) === undefined;
  passesUnplanted.set(test, known);
  return known;
}

/** The line with the same text that is nearest to the original position. */
function nearestLine(lines: readonly string[], plant: Plant): number | undefined {
  const same = lines.flatMap((line, index) => (line === plant.original ? [index] : []));
  return same.toSorted((a, b) => Math.abs(a + 1 - plant.line) - Math.abs(b + 1 - plant.line))[0];
}

function readPlan(file: string | undefined): Plan {
  if (file !== undefined && existsSync(file)) return Plan.parse(JSON.parse(readFileSync(file, "utf8")));
  const seed = Number(process.env["MUTATE_SEED"] ?? 20261122);
  const drawn = drawPlan(HERE, seed, Number(process.env["MUTATE_FILES"] ?? 20));
  if (file !== undefined) writeFileSync(file, JSON.stringify(drawn, null, 2));
  return drawn;
}
