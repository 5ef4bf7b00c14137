import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { TokenPairSchema } from "./token-pair.ts";

export const refreshToken = endpoint({
  name: "refreshToken",
  method: "POST",
  path: "/v1/auth/refresh",
  group: "Auth",
  summary: "Exchange a refresh token for new tokens",
  logged: "Renewed a token",
  description:
    "Call this before the access token expires. Each refresh token works once; reusing an old one revokes all of them.",
  access: "public",
  notATool: "sign-in",
  input: z.strictObject({ refresh_token: z.string().max(200).describe("Newest refresh token.") }),
  output: TokenPairSchema,
  errors: ["UNAUTHENTICATED"],
  async handle({ refresh_token }, { db, restTokens, now }) {
    return restTokens.refresh(db, refresh_token, now);
  },
});
