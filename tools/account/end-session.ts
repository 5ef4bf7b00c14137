import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { deleteWebSessionById } from "../../db/identity/web-sessions.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const endSession = endpoint({
  name: "endSession",
  method: "DELETE",
  path: "/v1/me/sessions/:session_id",
  group: "Auth",
  summary: "Sign out in one browser",
  logged: "Signed out in one browser",
  description: "Signs you out in one browser. Its next request must sign in again.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ session_id: Id.describe("Session id, from the list of sessions.") }),
  output: z.object({ ended: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ session_id }, { db, caller, userId }) {
    requireUserKey(caller, "their account");
    if (!(await deleteWebSessionById(db, userId, session_id))) throw notFound("session");
    return { ended: true as const };
  },
});
