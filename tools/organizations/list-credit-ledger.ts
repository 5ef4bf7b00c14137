import { z } from "zod";
import { listLedger } from "../../db/credits/credits.ts";
import { findLedgerNames } from "../../db/credits/ledger-names.ts";
import { LEDGER_KINDS } from "../../core/credits/credits.ts";
import { Id, InstantField, listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";

const LedgerEntrySchema = z
  .object({
    id: Id,
    kind: z.enum(LEDGER_KINDS),
    available_delta: z.int().describe("Change of the available credits."),
    reserved_delta: z.int().describe("Change of the reserved credits."),
    note: z.string().describe("Cause, in words."),
    workspace_id: Id.nullable(),
    workspace: z.string().nullable().describe("Name of the workspace."),
    analysis_id: Id.nullable(),
    analysis: z.string().nullable().describe("Name of the analysis."),
    collect_id: Id.nullable(),
    collect_number: z.int().nullable().describe("Number of the run."),
    evaluation_id: Id.nullable(),
    evaluation: z.string().nullable().describe("Name of the asset evaluation."),
    quote_id: Id.nullable(),
    user_id: Id.nullable(),
    created_at: InstantField,
  })
  .meta({ id: "LedgerEntry" });

export const listCreditLedger = endpoint({
  name: "listCreditLedger",
  method: "GET",
  path: "/v1/organizations/:organization_id/credits/ledger",
  group: "Organizations",
  summary: "List credit movements",
  description:
    "Explain the credit balance: each grant, reservation, charge and release with its cause, oldest first: the latest come last. get_credits has the balance.",
  access: { organization: "viewer" },
  whenEmpty: "No credits were granted or spent. get_credits has the balance.",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(LedgerEntrySchema),
  async handle(input, { tenant }) {
    const rows = await listLedger(tenant, parsePagination("credit-ledger", input));
    const { names, numbers } = await findLedgerNames(tenant.db, rows);
    const nameOf = (id: string | null) => names.get(id ?? "") ?? null;
    return toPage("credit-ledger", input, rows, {
      key: (row) => [row.id],
      row: (row) => ({
        ...toSnakeCase(row),
        workspace: nameOf(row.workspaceId),
        analysis: nameOf(row.analysisId),
        collect_number: numbers.get(row.collectId ?? "") ?? null,
        evaluation: nameOf(row.evaluationId),
      }),
    });
  },
});
