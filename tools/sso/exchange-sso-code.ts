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
  input: z.strictObject({ code: z.string().max(200).describe("The code as the sign-in gave it; it works once.") }),
  output: z
    .object({
      token: z.string().describe("Access token (JWT), 15 minutes; without refresh."),
      initiated_by: z.enum(SSO_INITIATORS).describe("sp: the service began; idp: the identity provider did."),
      relay_path: z.string().describe("Where on this site the person was going."),
    })
    .meta({ id: "SsoExchange" }),
  errors: ["UNAUTHENTICATED"],
  async handle({ code }, { db, restTokens, now, newId }) {
    const { userId, proofId, authenticatedAt, initiatedBy, relayPath } = await redeemProgramCode(db, code, now);
    const token = await restTokens.issueAfterSignIn(db, { userId, proofId, authenticatedAt }, now, newId);
    return { token, initiated_by: initiatedBy, relay_path: relayPath };
  },
});
