import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const revokeToken = endpoint({
  name: "revokeToken",
  method: "POST",
  path: "/v1/auth/revoke",
  group: "Auth",
  summary: "Revoke a refresh token and its access tokens",
  logged: "Revoked a token",
  description: "Signs a program out: revokes the refresh token and all tokens of its family at once.",
  access: "public",
  notATool: "sign-in",
  input: z.strictObject({ refresh_token: z.string().max(200).describe("Any refresh token of the family.") }),
  output: z.object({ revoked: z.literal(true) }),
  async handle({ refresh_token }, { db, restTokens, now }) {
    await restTokens.revoke(db, refresh_token, now);
    return { revoked: true as const };
  },
});
