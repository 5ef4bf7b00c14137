import { z } from "zod";
import { toCredentialReach } from "../../core/identity/proof.ts";
import { requireUserKey } from "../../auth/caller.ts";
import { listUserWebSessions } from "../../db/identity/web-sessions.ts";
import { Id, InstantField, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";

const SessionSchema = z
  .object({
    id: Id,
    browser: z.string().nullable().describe("Browser and system as reported, such as Firefox on Linux."),
    signed_in_through: Id.nullable().describe(
      "Organization whose identity provider signed the person in; null for a password.",
    ),
    created_at: InstantField,
    last_used_at: InstantField.nullable().describe("Precise to the minute."),
    expires_at: InstantField,
  })
  .meta({ id: "Session" });

export const listSessions = endpoint({
  name: "listSessions",
  method: "GET",
  path: "/v1/me/sessions",
  group: "Auth",
  summary: "List the browsers in which you are signed in",
  description: "Lists the browsers in which you are signed in, newest first.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject(listQuery),
  output: listSchema(SessionSchema),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId, now }) {
    requireUserKey(caller, "their account");
    const rows = await listUserWebSessions(db, { userId, now }, parsePagination("sessions", input));
    return toPage("sessions", input, rows, {
      key: ({ session }) => [session.id],
      row: ({ session, proof }) => ({
        id: session.id,
        browser: session.browser,
        signed_in_through: toCredentialReach(proof).through,
        created_at: session.createdAt,
        last_used_at: session.lastUsedAt,
        expires_at: session.expiresAt,
      }),
    });
  },
});
