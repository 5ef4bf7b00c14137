import { z } from "zod";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { listSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { requireAskingProject } from "../metric-reads/selection/asking-project.ts";
import { Basis } from "../metric-reads/selection/basis.ts";
import { paginateRows } from "../metric-reads/selection/paginate-rows.ts";
import { addExamples, readSpotCheck } from "../metric-reads/visibility/read-spot-check.ts";
import { SpotCheckInput, SpotCheckRow, SpotCheckSource } from "./spot-check-row.ts";

export const explainSpotCheck = endpoint({
  name: "explainSpotCheck",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/spot-check",
  group: "Metrics",
  summary: "Explain what a single ask shows",
  description:
    "Explain a spot check: a person asked an assistant once and saw, or missed, a brand. Is that normal? Share of people who see it after one, three or five asks per source (by_source), and the prompts whose answers name it never, sometimes or always. For ranks by prompt use list_keywords_metrics.",
  access: { workspace: "viewer" },
  analysisTypes: PROMPTING_TYPES,
  input: SpotCheckInput,
  toolColumns: Object.keys(SpotCheckRow.shape).filter((column) => column !== "keyword_id"),
  output: listSchema(SpotCheckRow).extend({
    total_count: z.int(),
    brand: z.string(),
    by_source: z.array(SpotCheckSource),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const analysis = await requireAskingProject(tenant, input.analysis_id);
    const { prompts, ...read } = await readSpotCheck(tenant, analysis, input);
    const page = paginateRows("spot-check", input, prompts);
    return { ...page, data: await addExamples(tenant, page.data, read), ...read.shown };
  },
});
