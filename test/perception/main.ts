import { parseArgs } from "node:util";
import {
  labelledCatalog,
  measureAgreement,
  RECORDED_ANSWERS,
  recordedAnswers,
  type RecordedAnswer,
} from "../measurement/truth.ts";
import { printEvaluation } from "../reading-labels/print.ts";
import { agreements, countDecided } from "./agreement.ts";
import { BASELINES } from "./baselines.ts";
import { drawUnits } from "./draw.ts";
import { declaredFacts } from "./facts.ts";
import { findDrifted, labelledUnits, unitsOf } from "./labels.ts";
import type { PerceptionReading } from "./perception-reading.ts";
import { PRODUCT_READING } from "./product-reading.ts";
import { identifiedAnswers } from "./recorded.ts";
import { wilsonInterval, type Range } from "./scores.ts";
import { evaluate, TASKS, toneOf, type Material, type Result } from "./tasks.ts";
import type { LabelledUnit } from "./units.ts";

// Compares perception of recorded answers with human labels: presence, ranks and claims about
// brands. `--units` prints the units without labels, for a further annotator. `--write` updates the
// published figures.

/** Product readings that are compared with the baselines. */
const READINGS: readonly PerceptionReading[] = [PRODUCT_READING];

const { values } = parseArgs({
  options: { units: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const recorded = recordedAnswers();
const answers = identifiedAnswers();
if (!recorded || !answers) {
  console.info(`skipped: the recorded answers are not at ${RECORDED_ANSWERS}`);
} else if (values.units) {
  for (const unit of drawUnits(answers, declaredFacts(), labelledCatalog())) console.info(JSON.stringify(unit));
} else {
  const material: Material = {
    answers: new Map(answers.map((answer) => [answer.id, answer])),
    facts: new Map(declaredFacts().map((fact) => [fact.id, fact])),
  };
  printPresence(recorded);
  const held = labelledUnits("held-out");
  const open = labelledUnits("open");
  const changed = findDrifted([...held, ...open], answers);
  if (changed.length > 0) throw new Error(`${changed.length} units have another text than when they were labelled.`);
  printAgreement([...held, ...open]);
  printPart("Held out: only these figures count", held, material);
  printPart("Open: what rules may be written from", open, material);
  printEvaluation(values.write);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function between({ low, high }: Range): string {
  return `${percent(low)} to ${percent(high)}`;
}

/** A share of counts, in per cent, with Wilson's interval. */
function shareOf(right: number, of: number): string {
  return of === 0 ? "none" : `${percent(right / of)} (${between(wilsonInterval(right, of))}, ${right} of ${of})`;
}

function printPresence(rows: RecordedAnswer[]): void {
  console.info("Presence and ranks, in %");
  for (const heldOut of [true, false]) {
    const { right, found, labelled, rightRanks } = measureAgreement(rows, heldOut);
    const figures = [
      `precision ${shareOf(right, found)}`,
      `recall ${shareOf(right, labelled)}`,
      `right ranks ${shareOf(rightRanks, labelled)}`,
    ];
    console.info(`  ${heldOut ? "held out" : "open"}: ${figures.join("; ")}`);
  }
}

function printAgreement(units: readonly LabelledUnit[]): void {
  console.info("\nTwo annotators");
  for (const { what, units: count, equal, figure, value } of agreements(units)) {
    const same = equal === undefined ? "" : `, equal ${percent(equal)} %`;
    console.info(`  ${what.padEnd(30)} ${figure} ${value.toFixed(2)}${same}, ${count} units`);
  }
  const reasons = [...countDecided(units)].map(([why, count]) => `${why} ${count}`);
  console.info(`  decided: ${reasons.join(", ")}`);
}

function printPart(title: string, units: readonly LabelledUnit[], material: Material): void {
  console.info(`\n${title} (F1, precision and recall in %)`);
  console.info(`  labels: ${labelCounts(units)}`);
  const results = [...READINGS, ...BASELINES].flatMap((reading) => evaluate(reading, units, material));
  for (const task of TASKS) {
    console.info(`\n  ${task}`);
    for (const result of results.filter((one) => one.task === task)) printResult(result);
  }
}

function labelCounts(units: readonly LabelledUnit[]): string {
  const names = [
    ...unitsOf(units, "stance").map(({ label }) => toneOf(label)),
    ...unitsOf(units, "pros_and_cons").flatMap(({ label }) => label.map(({ polarity }) => polarity)),
    ...unitsOf(units, "comparison").flatMap(({ label }) => label.map(() => "pair")),
    ...unitsOf(units, "claim").map(({ label }) => label.verdict),
  ];
  return [...new Set(names)].map((name) => `${name} ${names.filter((one) => one === name).length}`).join(", ");
}

function printResult({ reading, units, score, confusion }: Result): void {
  console.info(`    ${reading.padEnd(20)} F1 ${percent(score.f1)} (${between(score.interval)}), ${units} units`);
  for (const [name, { right, found, there, f1 }] of score.classes) {
    const figures = `precision ${shareOf(right, found)}, recall ${shareOf(right, there)}`;
    console.info(`      ${name.padEnd(14)} F1 ${Number.isNaN(f1) ? "none" : percent(f1)}, ${figures}`);
  }
  const pairs = [...confusion].toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (pairs.length > 0)
    console.info(`      label, read: ${pairs.map(([pair, count]) => `${pair} ${count}`).join("; ")}`);
}
