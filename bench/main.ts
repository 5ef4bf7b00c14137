import { benchUnderCrowd } from "./crowd-load.ts";
import { benchColdStart } from "./cold-start.ts";
import { benchExtraction } from "./extraction.bench.ts";
import { benchTagWrites } from "./tags.ts";
import { benchReading } from "./reading.ts";
import { benchSimulation } from "./simulation.ts";
import { compareRestReads } from "./rest-reads.ts";
import { compareToolCalls } from "./tool-call.ts";
import { benchTopBrands } from "./top-brands.ts";

// Checks the product's performance ratios. Ratios within one run depend little on the machine,
// unlike absolute values.

const figure = (value: number) => value.toFixed(value < 100 ? 2 : 0).padStart(8);
/** Max cost of reading an answer relative to a catalog of 20 brands. */
const MAX_READING_RATIO = 1.2;
let missedGoals = 0;

console.info("Requests a second, medians of interleaved rounds");
for (const { what, against, ours, theirs, ratio, goal } of [
  ...(await compareToolCalls()),
  ...(await compareRestReads()),
]) {
  const isMissed = goal !== undefined && ratio < goal;
  if (isMissed) missedGoals++;
  const verdict = goal === undefined ? "" : `  goal ${goal} ${isMissed ? "MISSED" : "reached"}`;
  console.info(`  ${what.padEnd(40)} ${figure(ours)}  ratio ${figure(ratio)}${verdict}`);
  console.info(`    against ${against.padEnd(36)} ${figure(theirs)}`);
}

const GOAL_TAGS = 1000;
console.info(
  `Tags added a second, each on disk before it is acknowledged; goal ${GOAL_TAGS} by most callers; ratio to one caller`,
);
const writes = await benchTagWrites();
for (const { callers, aSecond, ratio } of writes) {
  console.info(`  ${`${callers} callers`.padEnd(34)} ${figure(aSecond)}  ratio ${figure(ratio)}`);
}
if ((writes.at(-1)?.aSecond ?? 0) < GOAL_TAGS) missedGoals++;

console.info("What one caller waits beside a collect and 16 callers of another organization; ratio to idle in turns");
for (const { what, idle, beside, ratio } of await benchUnderCrowd()) {
  console.info(`  ${what.padEnd(34)} ${figure(beside)} ms  idle ${figure(idle)} ms  ratio ${figure(ratio)}`);
}

console.info(
  "From the start of a process on an empty folder to the first 200 of /readyz; ratio to Express with one route",
);
const { ours, express, ratio: startRatio } = await benchColdStart();
console.info(
  `  ${"our service".padEnd(34)} ${figure(ours.ms)} ms  CPU ${figure(ours.cpuMs)} ms  ratio ${figure(startRatio)}`,
);
console.info(`    ${"against Express".padEnd(32)} ${figure(express.ms)} ms  CPU ${figure(express.cpuMs)} ms`);

console.info("Requests over HTTP that rank 2,000 brands; ratio to grouping the raw rows in the database alone");
for (const { what, ms, ratio } of await benchTopBrands()) {
  console.info(`  ${what.padEnd(60)} ${figure(ms)} ms  ratio ${figure(ratio)}`);
}

console.info("Aliases found in texts; ratio to one RegExp alternation");
for (const { what, megabytesPerSecond, ratio } of benchExtraction()) {
  console.info(`  ${what.padEnd(60)} ${figure(megabytesPerSecond)} MB/s  ratio ${figure(ratio)}`);
}
console.info(
  `Reading an answer with more brands, which none of the answers names; goal ${MAX_READING_RATIO} times that with 20`,
);
for (const { what, brands, microsecondsPerAnswer, ratio } of benchReading()) {
  if (ratio > MAX_READING_RATIO) missedGoals++;
  const verdict = ratio > MAX_READING_RATIO ? "MISSED" : "reached";
  console.info(
    `  ${`${brands} brands, ${what}`.padEnd(60)} ${figure(microsecondsPerAnswer)} µs  ratio ${figure(ratio)} ${verdict}`,
  );
}
console.info("Making up a simulated answer; ratio to that with 20 brands");
for (const { brands, microsecondsPerAnswer, ratio } of await benchSimulation()) {
  console.info(`  ${`${brands} brands`.padEnd(60)} ${figure(microsecondsPerAnswer)} µs  ratio ${figure(ratio)}`);
}
process.exitCode = missedGoals === 0 ? 0 : 1;
