import { z } from "zod";
import { METRIC_DEFINITIONS } from "../../core/metrics/definitions.ts";
import { endpoint } from "../endpoint.ts";

const MetricDefinitionSchema = z
  .object({
    name: z.string(),
    meaning: z.string(),
    formula: z.string().nullable(),
    range: z.string().nullable(),
  })
  .meta({ id: "MetricDefinition" });

export const explainMetrics = endpoint({
  name: "explainMetrics",
  method: "GET",
  path: "/v1/metrics/definitions",
  group: "Metrics",
  summary: "Explain metrics",
  description:
    "Look up what a metric means: formulas of presence, rank, visibility, share of voice, intervals and verdicts. It has no values.",
  access: "signed-in",
  input: z.strictObject({}),
  output: z.object({ data: z.array(MetricDefinitionSchema) }),
  handle: () => Promise.resolve({ data: [...METRIC_DEFINITIONS] }),
});
