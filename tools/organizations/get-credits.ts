import { z } from "zod";
import { findBalance } from "../../db/credits/credits.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const getCredits = endpoint({
  name: "getCredits",
  method: "GET",
  path: "/v1/organizations/:organization_id/credits",
  group: "Organizations",
  summary: "Read the credit balance",
  description:
    "Read the credit balance of an organization: available, reserved, spent this month, monthly cap. list_credit_ledger explains it.",
  access: { organization: "viewer" },
  input: z.strictObject(organizationPath),
  output: z.object({
    available: z.int().describe("Available credits."),
    reserved: z.int().describe("Credits reserved for runs that have not completed."),
    spent_this_month: z.int().describe("Credits spent since the first of the month, UTC."),
    monthly_cap: z.int().nullable().describe("Maximum credits committed per month; null for no cap."),
  }),
  async handle(_input, { tenant, now }) {
    const balance = await findBalance(tenant, now);
    return {
      available: balance.available,
      reserved: balance.reserved,
      spent_this_month: balance.spentThisMonth,
      monthly_cap: balance.monthlyCap,
    };
  },
});
