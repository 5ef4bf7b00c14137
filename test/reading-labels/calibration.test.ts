import { expect, test } from "vitest";
import { countsOf, f1Of } from "../../core/calibration/calibration.ts";
import type { Measure } from "../../core/calibration/calibration.ts";
import { CALIBRATION } from "../../core/calibration/figures.ts";
import { calibrate, hashOfLabels } from "./calibrate.ts";
import { whyNoTexts } from "./texts.ts";

const absent = whyNoTexts();
if (absent) console.warn(absent);

test.skipIf(absent)("the published figures are those of this build, to the last digit (if not: npm run evaluate -- --write)", () => {
  expect(CALIBRATION).toEqual(calibrate());
});

test("the published figures are of these labels (if not: npm run evaluate -- --write)", () => {
  expect(CALIBRATION.labels_hash).toBe(hashOfLabels());
});

// What was reached on the open half. Raise a figure when rules get better; where one falls, a rule got worse.
test.each<[measure: Measure, f1: number]>([
  ["presence", 0.913],
  ["rank", 0.782],
  ["named_in_prompt", 0.962],
  ["stance", 0.723],
  ["pros", 0.67],
  ["cons", 0.764],
])("on the open half %s does not fall below F1 %d", (measure, f1) => {
  const rows = CALIBRATION.figures.map(countsOf).filter((row) => row.part === "open" && row.dimension === "all");
  const row = rows.find((one) => one.measure === measure);
  expect(row && f1Of(row)).toBeGreaterThanOrEqual(f1);
});
