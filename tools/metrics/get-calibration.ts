import { z } from "zod";
import {
  CALIBRATION,
  CALIBRATION_DIMENSIONS,
  toCalibrationMetric,
  MEASURES,
  CALIBRATION_PARTS,
} from "../../core/calibration/calibration.ts";
import { endpoint } from "../endpoint.ts";

const Share = z
  .object({ value: z.number(), ci_low: z.number(), ci_high: z.number() })
  .nullable()
  .describe("Null without any cases.");

const CalibrationFigureSchema = z
  .object({
    measure: z.enum(MEASURES),
    value: z.string(),
    right: z.int(),
    found: z.int(),
    labelled: z.int(),
    precision: Share,
    recall: Share,
    f1: z.number().nullable(),
  })
  .meta({ id: "CalibrationFigure" });

export const getCalibration = endpoint({
  name: "getCalibration",
  method: "GET",
  path: "/v1/calibration",
  group: "Metrics",
  summary: "Accuracy of extraction",
  description:
    "Read how accurately answers are parsed: precision and recall of brands, ranks and citations against labelled answers. It is about the product; for the uncertainty of your metrics use get_visibility.",
  access: "signed-in",
  input: z.strictObject({
    part: z.enum(CALIBRATION_PARTS).default("held_out").describe("Labels; held_out: never used for writing rules."),
    group_by: z.enum(CALIBRATION_DIMENSIONS).default("all").describe("One row per this value."),
  }),
  output: z.object({
    labels_version: z.int(),
    labels_hash: z.string(),
    reading_version: z.string(),
    answers: z.int(),
    pairs: z.int(),
    data: z.array(CalibrationFigureSchema),
  }),
  handle({ part, group_by }) {
    const { figures, ...of } = CALIBRATION;
    const rows = figures.filter((row) => row.part === part && row.dimension === group_by);
    return Promise.resolve({ ...of, data: rows.map(toCalibrationMetric) });
  },
});
