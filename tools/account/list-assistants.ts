import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { listUserGrants } from "../../db/identity/oauth-records.ts";
import { InstantField, listSchema, listQuery, outsideTextSchema } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";

const AssistantSchema = z
  .object({
    id: z.string().describe("Connection id."),
    client_id: z.string().nullable(),
    name: outsideTextSchema().nullable().describe("Name that the client reports."),
    verified: z.boolean().describe("True if the client's own host publishes that name."),
    redirect_to: z.string().nullable().describe("Redirect target of the sign-in: a host or a private URL scheme."),
    scopes: z.array(z.string()),
    workspace_id: z.string().nullable().describe("Only workspace that it can access; null without a limit."),
    connected_at: InstantField,
    first_used_at: InstantField.nullable(),
    last_used_at: InstantField.nullable().describe("Precise to the minute."),
    expires_at: InstantField.nullable(),
  })
  .meta({ id: "Assistant" });

export const listAssistants = endpoint({
  name: "listAssistants",
  method: "GET",
  path: "/v1/me/assistants",
  group: "Auth",
  summary: "List the assistants that may act for you",
  description: "Lists the connected assistants with their permissions and last use.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject(listQuery),
  output: listSchema(AssistantSchema),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId, now }) {
    requireUserKey(caller, "their account");
    const rows = await listUserGrants(db, { userId, now }, parsePagination("assistants", input));
    return toPage("assistants", input, rows, {
      key: ({ createdAt, id }) => [createdAt, id],
      row: ({ note, ...grant }) => ({
        id: grant.id,
        client_id: grant.clientId,
        name: note?.clientName ?? null,
        verified: note?.verified ?? false,
        redirect_to: note?.redirectTo ?? null,
        scopes: note?.scopes ?? [],
        workspace_id: grant.workspaceId,
        connected_at: grant.createdAt,
        first_used_at: grant.firstUsedAt,
        last_used_at: grant.lastUsedAt,
        expires_at: grant.expiresAt,
      }),
    });
  },
});
