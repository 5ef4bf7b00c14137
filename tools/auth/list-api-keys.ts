import { z } from "zod";
import { listApiKeys as listRows } from "../../db/identity/api-keys.ts";
import { invalidInput } from "../../core/shared/errors.ts";
import { Id, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { API_KEY_STATUSES } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, requireKeyManager, requireAdministrator, shapeApiKey } from "./api-key.ts";

export const listApiKeys = endpoint({
  name: "listApiKeys",
  method: "GET",
  path: "/v1/api-keys",
  group: "Auth",
  summary: "List API keys",
  description: "Lists your own keys or, for an owner, all keys of one organization and its workspaces.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({
    ...listQuery,
    organization_id: Id.optional().describe(
      "All keys of this organization and its workspaces; for owners, or with workspace_id.",
    ),
    workspace_id: Id.optional().describe("Only keys of this workspace; also for its editors."),
    status: z.enum(API_KEY_STATUSES).optional().describe("Only this status; default: all."),
  }),
  output: listSchema(ApiKey),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle(input, { db, caller: asking, userId, now }) {
    const caller = requireKeyManager(asking);
    const { organization_id: organizationId, workspace_id: workspaceId, status } = input;
    if (organizationId === undefined && workspaceId !== undefined) {
      throw invalidInput([{ path: "organization_id", message: "is required with workspace_id" }]);
    }
    if (organizationId !== undefined) {
      await requireAdministrator({ organizationId, workspaceId: workspaceId ?? null }, { caller, isWrite: false }, db);
    }
    const whose = organizationId === undefined ? { userId } : { organizationId, workspaceId };
    const rows = await listRows(db, whose, { ...parsePagination("api-keys", input), status, now });
    return toPage("api-keys", input, rows, { key: ({ key }) => [key.id], row: (row) => shapeApiKey(row, now) });
  },
});
