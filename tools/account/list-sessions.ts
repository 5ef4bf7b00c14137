import { z } from "zod";
import { wayInBy } from "../../core/identity/proof.ts";
import { refuseNarrowKey } from "../../auth/caller.ts";
import { listWebSessionsOf } from "../../db/identity/web-sessions.ts";
import { Id, InstantField, listOf, listQuery } from "../../core/shared/fields.ts";
import { pageOf, readPage } from "../../core/shared/page.ts";
import { endpoint } from "../endpoint.ts";

const Session = z
  .object({
    id: Id,
    browser: z.string().nullable().describe("What it says it is, such as Firefox on Linux."),
    signed_in_through: Id.nullable().describe("Organization whose identity provider vouched; null for a password."),
    created_at: InstantField,
    last_used_at: InstantField.nullable().describe("Exact to a minute."),
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
  output: listOf(Session),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId, now }) {
    refuseNarrowKey(caller, "their account");
    const rows = await listWebSessionsOf(db, { userId, now }, readPage("sessions", input));
    return pageOf("sessions", input, rows, {
      key: ({ session }) => [session.id],
      row: ({ session, proof }) => ({
        id: session.id,
        browser: session.browser,
        signed_in_through: wayInBy(proof).through,
        created_at: session.createdAt,
        last_used_at: session.lastUsedAt,
        expires_at: session.expiresAt,
      }),
    });
  },
});
