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
  .describe("Null of nothing.");

const CalibrationFigure = z
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
  summary: "How well answers are read",
  description:
    "How well this build reads answers: precision and recall against labels, by class, provider or language.",
  access: "signed-in",
  input: z.strictObject({
    part: z.enum(CALIBRATION_PARTS).default("held_out").describe("held_out: rules never saw these labels."),
    group_by: z.enum(CALIBRATION_DIMENSIONS).default("all").describe("What each figure is of."),
  }),
  output: z.object({
    labels_version: z.int(),
    labels_hash: z.string(),
    reading_version: z.string(),
    answers: z.int(),
    pairs: z.int(),
    data: z.array(CalibrationFigure),
  }),
  handle({ part, group_by }) {
    const { figures, ...of } = CALIBRATION;
    const rows = figures.filter((row) => row.part === part && row.dimension === group_by);
    return Promise.resolve({ ...of, data: rows.map(toCalibrationMetric) });
  },
});
