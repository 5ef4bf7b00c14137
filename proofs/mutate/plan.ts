import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { faultsOf } from "./faults.ts";
import { testFiles, testsOf } from "./tests-of.ts";
import { filesOf } from "./tree.ts";

/**
 * Faults to plant, one per file. Lines are identified by text, so that other versions can get the
 * same fault.
 */
export const Plan = z.strictObject({
  seed: z.number(),
  plants: z.array(
    z.strictObject({
      file: z.string(),
      what: z.string(),
      line: z.number(),
      original: z.string(),
      mutated: z.string(),
      tests: z.array(z.string()),
    }),
  ),
});
export type Plan = z.output<typeof Plan>;
export type Plant = Plan["plants"][number];

/** Draws `count` files with tests, and one fault in each. Seed and tree determine the plan. */
export function drawPlan(root: string, seed: number, count: number): Plan {
  const files = filesOf(root);
  const tests = testFiles(root, files);
  const random = randomOf(seed);
  const subjects = files.filter((file) => /^(core|db|auth|tools|src)\/.*\.ts$/.test(file));
  const plants: Plant[] = [];
  for (const file of shuffled(subjects, random)) {
    if (plants.length === count) break;
    const own = testsOf(file, tests);
    const faults = own.length === 0 ? [] : faultsOf(file, readFileSync(join(root, file), "utf8"));
    const fault = faults[Math.floor(random() * faults.length)];
    if (fault) plants.push({ file, ...fault, tests: own });
  }
  return { seed, plants };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
