import { z } from "zod";
import { SAID_VERDICTS } from "../../core/claims/said.ts";
import { listOf } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Basis } from "../search-metrics/basis.ts";
import { askingProject } from "./asking-project.ts";
import { readClaimQuotations } from "./claim-quotations.ts";
import { ClaimRow } from "./claim-row.ts";
import { brandMetricsQuery } from "./get-brand-awareness.ts";
import { pageOfRows } from "./page-of-rows.ts";
import { PROMPT_DIMENSIONS } from "./prompt-groups.ts";
import { readClaimRows } from "./read-claim-rows.ts";

const ClaimsInput = z.strictObject({
  ...brandMetricsQuery,
  group_by: z.array(z.enum(PROMPT_DIMENSIONS)).max(2).default([]).describe("Besides the fact."),
  brands: brandMetricsQuery.brands.describe("Names or ids; your own and its products by default."),
  verdict: z
    .enum([...SAID_VERDICTS, "not_mentioned"])
    .optional()
    .describe("Facts with such answers; not_mentioned: with no others."),
});
export type ClaimsInput = z.output<typeof ClaimsInput>;

export const listClaims = endpoint({
  name: "listClaims",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/metrics/claims",
  group: "Metrics",
  summary: "Facts and what answers say of them",
  description:
    "Which declared facts of a brand are told wrong (contradicted), told right (agreed) or left out, most wrong first, and where from. Brand analyses.",
  access: { workspace: "viewer" },
  input: ClaimsInput,
  toolDefaults: { statistics: true },
  output: listOf(ClaimRow).extend({
    total_count: z.int(),
    unread: z.int().describe("Declared facts that answers are still to be held against: no rows yet."),
    basis: Basis,
  }),
  isHeavy: () => true,
  errors: ["VALIDATION_FAILED", "UNPROCESSABLE"],
  async handle(input, { tenant }) {
    const project = await askingProject(tenant, input.analysis_id);
    const { rows, unread, basis } = await readClaimRows(tenant, project, input);
    const { data, ...rest } = pageOfRows("claims", input, rows);
    const quotations = await readClaimQuotations(
      tenant,
      data.map(({ quotes }) => quotes),
    );
    const quoted = data.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] }));
    return { data: quoted, ...rest, unread, basis };
  },
});
