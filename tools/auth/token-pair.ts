import { z } from "zod";

/** Response of the token endpoints (interface.md 4.3, service.md section 2). */
export const TokenPair = z
  .object({
    access_token: z.string().describe("Send it as Authorization: Bearer."),
    token_type: z.literal("Bearer"),
    expires_in: z.int().describe("Life of the access token, seconds."),
    refresh_token: z.string().describe("Exchange it at POST /v1/auth/refresh; each works once."),
    refresh_expires_in: z.int().describe("Life of the refresh token, seconds."),
  })
  .meta({ id: "TokenPair" });
