import { z } from "zod";
import { updateOrganization as updateOrganizationRow } from "../../db/identity/organizations.ts";
import { findUser } from "../../db/identity/users.ts";
import { countQuotaUse } from "../../db/credits/quotas.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { nameSchema, organizationPath } from "../../core/shared/fields.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { OrganizationWithUse, shapeOrganization } from "./organization.ts";

const creditsField = z.int().min(0).max(1_000_000_000).nullable();

export const updateOrganization = endpoint({
  name: "updateOrganization",
  method: "PATCH",
  path: "/v1/organizations/:organization_id",
  group: "Organizations",
  summary: "Change an organization",
  logged: "Changed organization {organization_id}",
  description: "Renames an organization or limits its spending; omitted fields stay as they are.",
  access: { organization: "owner" },
  recentSignIn: ({ owners_need_second_factor }) => owners_need_second_factor !== undefined,
  input: z.strictObject({
    ...organizationPath,
    name: nameSchema(200).optional(),
    monthly_credit_cap: creditsField.optional().describe("Maximum credits committed per month; null for no cap."),
    approval_above_credits: creditsField
      .optional()
      .describe("Quotes of more credits need approval by a person in the browser; null for never."),
    owners_need_second_factor: z
      .boolean()
      .optional()
      .describe("true: owners who sign in with a password need a second factor. Set up your own first."),
  }),
  output: OrganizationWithUse,
  errors: ["CONFLICT"],
  async handle(input, context) {
    const { tenant } = context;
    if (input.owners_need_second_factor === true) await rejectSelfLockout(context);
    const row = requireFound(
      await updateOrganizationRow(tenant, {
        name: input.name,
        monthlyCreditCap: input.monthly_credit_cap,
        approvalAboveCredits: input.approval_above_credits,
        ownersNeedSecondFactor: input.owners_need_second_factor,
      }),
      "organization",
    );
    return { ...shapeOrganization(row, "owner"), used: await countQuotaUse(tenant) };
  },
});

async function rejectSelfLockout({ db, userId, caller, baseUrl }: Context): Promise<void> {
  const user = await findUser(db, userId);
  if (caller?.proof.way !== "local" || (user?.secondFactorAt ?? null) !== null) return;
  throw new AppError(
    "CONFLICT",
    `You have no second factor and would lose access. Set one up at ${baseUrl}/account first.`,
  );
}
