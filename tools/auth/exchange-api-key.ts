import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { TokenPair } from "./token-pair.ts";

export const exchangeApiKey = endpoint({
  name: "exchangeApiKey",
  method: "POST",
  path: "/v1/auth/token",
  group: "Auth",
  summary: "Exchange an API key for an access token",
  logged: "Signed in with a key",
  description: "Exchange a long-lived API key for a 15-minute access token, from a server: call this first.",
  access: "public",
  notATool: "sign-in",
  input: z.strictObject({ api_key: z.string().max(200).describe("The key as it was shown at its creation.") }),
  output: TokenPair,
  errors: ["UNAUTHENTICATED"],
  async handle({ api_key }, { db, restTokens, now, newId }) {
    return restTokens.exchangeApiKey(db, api_key, now, newId);
  },
});
