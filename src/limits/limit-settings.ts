import { z } from "zod";

const limitSetting = (count: number) => z.coerce.number().int().min(0).max(1_000_000_000).default(count);

/** Per process; 0 turns a limit off. */
export const limitSettingFields = {
  RATE_LIMIT_ADDRESS: limitSetting(6000).describe("Requests per minute from one address; 0 for no limit."),
  RATE_LIMIT_ACCOUNT: limitSetting(2400).describe(
    "Requests per minute by one account, across all its keys; 0 for no limit.",
  ),
  RATE_LIMIT_KEY: limitSetting(1200).describe("Requests per minute with one API key; 0 for no limit."),
  RATE_LIMIT_CLIENT: limitSetting(1200).describe("Requests per minute by one person's assistant; 0 for no limit."),
  SIGN_IN_FAILURES: limitSetting(10).describe(
    "Wrong passwords per 15 minutes for one account from one address, and wrong second-factor codes per 12 hours for one account from all addresses; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_STRANGERS: limitSetting(100).describe(
    "Wrong passwords per 15 minutes for one account from all browsers that never signed in to it; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_ADDRESS: limitSetting(100).describe(
    "Wrong passwords per 15 minutes from one address; 0 for no limit.",
  ),
  SIGN_INS_ACCOUNT: limitSetting(100).describe(
    "Password sign-ins per 15 minutes to one account, counted separately for browsers that signed in to it before; 0 for no limit.",
  ),
  SIGN_INS_ADDRESS: limitSetting(600).describe(
    "Password sign-ins per 15 minutes from one address, in browsers that never signed in to the account; 0 for no limit.",
  ),
  TOKEN_FAILURES_ADDRESS: limitSetting(300).describe(
    "Wrong keys, tokens, codes and links per 15 minutes from one address; 0 for no limit.",
  ),
  BODY_MEMORY_MB: limitSetting(128).describe(
    "Maximum memory for request bodies, in megabytes; one account or address can use a quarter of it. 0 for no limit.",
  ),
  REGISTRATIONS_ADDRESS: limitSetting(60).describe(
    "OAuth clients registered per hour from one address; 0 for no limit.",
  ),
  UPLOADS: limitSetting(32).describe("Maximum concurrent file uploads; 0 for no limit."),
  IMPORTS: limitSetting(4).describe("Maximum concurrent imports of more than 1,000 lines or 1 MB; 0 for no limit."),
  IMPORTS_ORGANIZATION: limitSetting(2).describe(
    "Maximum concurrent imports of more than 1,000 lines or 1 MB per organization; 0 for no limit.",
  ),
  UPLOADS_ACCOUNT: limitSetting(8).describe("Maximum concurrent file uploads per account; 0 for no limit."),
};
