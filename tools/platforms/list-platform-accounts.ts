import { z } from "zod";
import { listPlatformAccounts as listRows } from "../../db/platforms/platform-accounts.ts";
import { listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { AccountStatusField, PlatformAccount, PlatformField, shapeAccount } from "./platform-account.ts";

export const listPlatformAccounts = endpoint({
  name: "listPlatformAccounts",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-accounts",
  group: "Platform Integrations",
  summary: "List platform accounts",
  description: "Lists the platform accounts available to a workspace, and whether it uses them.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspacePath,
    platform: PlatformField.optional(),
    status: AccountStatusField.optional(),
    ...listQuery,
  }),
  output: listSchema(PlatformAccount),
  async handle(input, { tenant }) {
    const rows = await listRows(tenant, input, parsePagination("platform-accounts", input));
    return toPage("platform-accounts", input, rows, { key: ({ id }) => [id], row: shapeAccount });
  },
});
