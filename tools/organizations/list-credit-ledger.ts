import { z } from "zod";
import { listLedger } from "../../db/credits/credits.ts";
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
    analysis_id: Id.nullable(),
    collect_id: Id.nullable(),
    evaluation_id: Id.nullable(),
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
    "Explain the credit balance: each grant, reservation, charge and release with its cause, oldest first: the latest are on the last page. get_credits has the balance.",
  access: { organization: "viewer" },
  whenEmpty: "No credits were granted or spent. get_credits has the balance.",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(LedgerEntrySchema),
  async handle(input, { tenant }) {
    const rows = await listLedger(tenant, parsePagination("credit-ledger", input));
    return toPage("credit-ledger", input, rows, { key: (row) => [row.id], row: toSnakeCase });
  },
});
