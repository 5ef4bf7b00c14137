import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { TokenPairSchema } from "./token-pair.ts";

export const exchangeApiKey = endpoint({
  name: "exchangeApiKey",
  method: "POST",
  path: "/v1/auth/token",
  group: "Auth",
  summary: "Exchange an API key for an access token",
  logged: "Signed in with a key",
  description:
    "Call this first, from a server: exchanges a long-lived API key for an access token that is valid for 15 minutes.",
  access: "public",
  notATool: "sign-in",
  input: z.strictObject({ api_key: z.string().max(200).describe("API key as shown at its creation.") }),
  output: TokenPairSchema,
  errors: ["UNAUTHENTICATED"],
  async handle({ api_key }, { db, restTokens, now, newId }) {
    return restTokens.exchangeApiKey(db, api_key, now, newId);
  },
});
