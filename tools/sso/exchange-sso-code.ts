import { z } from "zod";
import { redeemProgramCode } from "../../auth/sso/sso-codes.ts";
import { SSO_INITIATORS } from "../../core/identity/sso.ts";
import { endpoint } from "../endpoint.ts";

export const exchangeSsoCode = endpoint({
  name: "exchangeSsoCode",
  method: "POST",
  path: "/v1/auth/sso/exchange",
  group: "SSO",
  summary: "Exchange a single sign-on code for an access token",
  logged: "Signed in through the identity provider",
  description: "Completes a single sign-on: exchanges the one-time code, within 60 seconds, for an access token.",
  access: "public",
  notATool: "sign-in",
  input: z.strictObject({ code: z.string().max(200).describe("One-time code of the sign-in.") }),
  output: z
    .object({
      token: z.string().describe("Access token (JWT), valid for 15 minutes, without refresh token."),
      initiated_by: z
        .enum(SSO_INITIATORS)
        .describe("Start of the sign-in: sp (this service) or idp (the identity provider)."),
      relay_path: z.string().describe("Path of this site to continue with."),
    })
    .meta({ id: "SsoExchange" }),
  errors: ["UNAUTHENTICATED"],
  async handle({ code }, { db, restTokens, now, newId }) {
    const { userId, proofId, authenticatedAt, initiatedBy, relayPath } = await redeemProgramCode(db, code, now);
    const token = await restTokens.issueAfterSignIn(db, { userId, proofId, authenticatedAt }, now, newId);
    return { token, initiated_by: initiatedBy, relay_path: relayPath };
  },
});
