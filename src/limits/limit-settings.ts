import { z } from "zod";

const most = (count: number) => z.coerce.number().int().min(0).max(1_000_000_000).default(count);

/** The settings of limits. Each is of this process alone, and 0 turns it off. */
export const limitSettings = {
  RATE_LIMIT_ADDRESS: most(6000).describe("Most requests a minute from one address; 0 for no limit."),
  RATE_LIMIT_ACCOUNT: most(2400).describe("Most requests a minute of one account, over all its keys; 0 for no limit."),
  RATE_LIMIT_KEY: most(1200).describe("Most requests a minute with one API key; 0 for no limit."),
  RATE_LIMIT_CLIENT: most(1200).describe("Most requests a minute of one person's assistant; 0 for no limit."),
  SIGN_IN_FAILURES: most(10).describe(
    "Most wrong passwords in 15 minutes for one account from one address; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_STRANGERS: most(100).describe(
    "Most wrong passwords in 15 minutes for one account from all browsers that never signed in to it; 0 for no limit.",
  ),
  SIGN_IN_FAILURES_ADDRESS: most(100).describe("Most wrong passwords in 15 minutes from one address; 0 for no limit."),
  TOKEN_FAILURES_ADDRESS: most(300).describe(
    "Most wrong keys, tokens, codes and links in 15 minutes from one address; 0 for no limit.",
  ),
  REGISTRATIONS_ADDRESS: most(60).describe(
    "Most OAuth clients registered in an hour from one address; 0 for no limit.",
  ),
};
