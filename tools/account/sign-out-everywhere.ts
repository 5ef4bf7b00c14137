import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { revokeAllAccess, endSessions } from "../../db/identity/revoke-access.ts";
import { endpoint } from "../endpoint.ts";

export const signOutEverywhere = endpoint({
  name: "signOutEverywhere",
  method: "POST",
  path: "/v1/me/sign-out",
  group: "Auth",
  summary: "Sign out everywhere",
  logged: "Signed out everywhere",
  description: "Ends all your browser sessions and disconnects all your assistants at once.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({
    api_keys: z
      .boolean()
      .default(false)
      .describe("true: also revoke your API keys, including the key of this request."),
  }),
  output: z.object({ signed_out: z.literal(true) }),
  errors: ["FORBIDDEN"],
  async handle({ api_keys }, { db, caller, userId, now }) {
    requireUserKey(caller, "their account");
    if (api_keys) await revokeAllAccess(db, userId, now);
    else await endSessions(db, userId);
    return { signed_out: true as const };
  },
});
