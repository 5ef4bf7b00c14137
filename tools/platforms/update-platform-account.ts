import { z } from "zod";
import { updatePlatformAccount as updateRow } from "../../db/platforms/platform-accounts.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { AccountStatusField, PlatformAccount, shapeAccount } from "./platform-account.ts";

export const updatePlatformAccount = endpoint({
  name: "updatePlatformAccount",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-accounts/:platform_account_id",
  group: "Platform Integrations",
  summary: "Activate or deactivate a platform account",
  logged: "Set platform account {platform_account_id} to {status}",
  description: "Activates or deactivates a platform account for this workspace.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspacePath,
    platform_account_id: Id.describe("Account id, from list_platform_accounts."),
    status: AccountStatusField,
  }),
  output: PlatformAccount,
  errors: ["NOT_FOUND"],
  async handle({ platform_account_id: id, status }, { tenant, now }) {
    return shapeAccount(requireFound(await updateRow(tenant, id, { status, updatedAt: now }), "platform account"));
  },
});
