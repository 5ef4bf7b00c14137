import { z } from "zod";

const limitSetting = (count: number) => z.coerce.number().int().min(0).max(1_000_000_000).default(count);

/** Each limit applies per process; 0 turns it off. */
export const limitSettings = {
  RATE_LIMIT_ADDRESS: limitSetting(6000).describe("Requests per minute from one address; 0 for no limit."),
  RATE_LIMIT_ACCOUNT: limitSetting(2400).describe(
    "Requests per minute by one account, across all its keys; 0 for no limit.",
  ),
  RATE_LIMIT_KEY: limitSetting(1200).describe("Requests per minute with one API key; 0 for no limit."),
  RATE_LIMIT_CLIENT: limitSetting(1200).describe("Requests per minute by one person's assistant; 0 for no limit."),
  SIGN_IN_FAILURES: limitSetting(10).describe(
    "Wrong passwords per 15 minutes for one account from one address, and wrong codes of its second factor per 12 hours from all; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_STRANGERS: limitSetting(100).describe(
    "Wrong passwords per 15 minutes for one account from all browsers that never signed in to it; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_ADDRESS: limitSetting(100).describe(
    "Wrong passwords per 15 minutes from one address; 0 for no limit.",
  ),
  SIGN_INS_ACCOUNT: limitSetting(100).describe(
    "Sign-ins by password per 15 minutes to one account, counted separately for browsers that signed in to it before; 0 for no limit.",
  ),
  SIGN_INS_ADDRESS: limitSetting(600).describe(
    "Sign-ins by password per 15 minutes from one address, of browsers that never signed in to the account; 0 for no limit.",
  ),
  TOKEN_FAILURES_ADDRESS: limitSetting(300).describe(
    "Wrong keys, tokens, codes and links per 15 minutes from one address; 0 for no limit.",
  ),
  BODY_MEMORY_MB: limitSetting(128).describe(
    "Megabytes of request bodies held in memory at once; one account or address may hold a quarter of it. 0 for no limit.",
  ),
  REGISTRATIONS_ADDRESS: limitSetting(60).describe(
    "OAuth clients registered per hour from one address; 0 for no limit.",
  ),
  UPLOADS: limitSetting(32).describe("Files that are received at the same time; 0 for no limit."),
  IMPORTS: limitSetting(4).describe(
    "Imports of more than 1,000 lines or 1 MB that run at the same time; 0 for no limit.",
  ),
  IMPORTS_ORGANIZATION: limitSetting(2).describe(
    "Imports of more than 1,000 lines or 1 MB of one organization that run at the same time; 0 for no limit.",
  ),
  UPLOADS_ACCOUNT: limitSetting(8).describe(
    "Files that are received from one account at the same time; 0 for no limit.",
  ),
};
