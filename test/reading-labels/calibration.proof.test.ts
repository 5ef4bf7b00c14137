import { expect, test } from "vitest";
import { CALIBRATION, computeF1, type CalibrationMeasure } from "../../core/calibration/calibration.ts";
import { chooseExtent } from "../support/proof.ts";
import type { Part } from "../perception/units.ts";
import { calibrate, hashLabels } from "./calibrate.ts";
import { missingTextsReason } from "./texts.ts";

const absent = missingTextsReason();
if (absent) console.warn(absent);

// `npm run proof -- calibration` reads both halves of the labels; `npm run test:all` reads the open
// half.
test.skipIf(absent)(
  "publishes the figures of this build to the last digit (to update: npm run proof -- evaluate --write)",
  () => {
    const parts = chooseExtent<readonly Part[]>(["held-out", "open"], ["open"]);
    const names = new Set<string>(parts.map((part) => part.replace("-", "_")));
    const figures = CALIBRATION.figures.filter(({ part }) => names.has(part));
    expect({ ...CALIBRATION, figures }).toEqual(calibrate(parts));
  },
);

test("the published figures are of these labels (if not: npm run proof -- evaluate --write)", () => {
  expect(CALIBRATION.labels_hash).toBe(hashLabels());
});

// Scores reached on the open half. Raise a figure when rules improve; a lower score is a
// regression.
test.each<[measure: CalibrationMeasure, f1: number]>([
  ["presence", 0.966],
  ["rank", 0.95],
  ["named_in_prompt", 0.962],
  ["stance", 0.769],
  ["pros", 0.67],
  ["cons", 0.764],
])("on the open half %s does not fall below F1 %d", (measure, f1) => {
  const rows = CALIBRATION.figures.filter((row) => row.part === "open" && row.dimension === "all");
  const row = rows.find((one) => one.measure === measure);
  expect(row && computeF1(row)).toBeGreaterThanOrEqual(f1);
});
