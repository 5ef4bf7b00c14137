import { z } from "zod";
import { address, seconds } from "../../config/setting-fields.ts";

const guardedAddressField = address.refine((url) => {
  const { protocol, hostname, username, password, search, hash } = new URL(url);
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || isLoopback) && `${username}${password}${search}${hash}` === "";
}, "must be an https address (http for localhost alone) without user, query or fragment");

export const partnerSettingFields = {
  PARTNER_BASE_URL: guardedAddressField
    .optional()
    .describe(
      "Base URL of the partner that receives briefs (docs/integrations.md). Without it no workspace can be connected.",
    ),
  PARTNER_TIMEOUT_SECONDS: seconds.default(10).describe("Time limit of one request to the partner."),
  PARTNER_ATTEMPTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(3)
    .describe("Attempts per request while the partner is unavailable."),
  PARTNER_RECOVERY_SECONDS: seconds
    .default(120)
    .describe("Seconds until a brief whose sending was interrupted by a crash is sent again."),
  PARTNER_SYNC_SECONDS: seconds
    .default(60)
    .describe(
      "Seconds until the status of a sent brief is first read from the partner. Later reads are further apart.",
    ),
};
