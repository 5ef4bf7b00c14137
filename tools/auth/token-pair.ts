import { z } from "zod";

/** See interface.md 4.3, service.md section 2. */
export const TokenPairSchema = z
  .object({
    access_token: z.string().describe("Send it as Authorization: Bearer."),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Validity of the access token in seconds."),
    refresh_token: z.string().describe("Exchange it at POST /v1/auth/refresh; works once."),
    refresh_expires_in: z.int().describe("Validity of the refresh token in seconds."),
  })
  .meta({ id: "TokenPair" });
