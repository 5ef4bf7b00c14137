import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { deleteGrant } from "../../db/identity/oauth-records.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const disconnectAssistant = endpoint({
  name: "disconnectAssistant",
  method: "DELETE",
  path: "/v1/me/assistants/:assistant_id",
  group: "Auth",
  summary: "Disconnect an assistant",
  logged: "Disconnected an assistant",
  description: "Ends an assistant's access to your account. Its next call is rejected.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({
    assistant_id: Id.describe("Connection id, from the list of assistants."),
  }),
  output: z.object({ disconnected: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ assistant_id }, { db, caller, userId }) {
    requireUserKey(caller, "their account");
    if (!(await deleteGrant(db, userId, assistant_id))) throw notFound("connected assistant");
    return { disconnected: true as const };
  },
});
