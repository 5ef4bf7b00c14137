import type { IncomingMessage, ServerResponse } from "node:http";
import type { Environment } from "../config.ts";
import { openAttempts, type Attempts } from "./attempts.ts";
import { openBodyBudget, type BodyBudget } from "./body-budget.ts";
import { clientAddress } from "./client-address.ts";
import { openLimiter } from "./limiter.ts";
import { openRequestLimits, tell, tooMany, type RequestLimits } from "./request-limits.ts";

/** All rate limits of this process. Counters are in memory, and reset when it restarts. */
export interface Limits {
  /** The client address of a request. */
  addressOf(request: IncomingMessage): string;
  requests: RequestLimits;
  attempts: Attempts;
  bodies: BodyBudget;
  /** Counts an OAuth client registration. RATE_LIMITED above the limit. */
  registration(address: string, response: ServerResponse): Promise<void>;
}

const HOUR_SECONDS = 3600;
const MEGABYTE = 1024 * 1024;

export function openLimits(settings: Environment): Limits {
  const quantity = settings.REGISTRATIONS_ADDRESS;
  const registrations =
    quantity === 0 ? undefined : openLimiter({ name: "registrations", quantity, windowSeconds: HOUR_SECONDS });
  return {
    addressOf: (request) => clientAddress(request, settings.TRUST_PROXY),
    requests: openRequestLimits({
      address: settings.RATE_LIMIT_ADDRESS,
      account: settings.RATE_LIMIT_ACCOUNT,
      key: settings.RATE_LIMIT_KEY,
      client: settings.RATE_LIMIT_CLIENT,
    }),
    attempts: openAttempts({
      account: settings.SIGN_IN_FAILURES,
      strangers: settings.SIGN_IN_FAILURES_STRANGERS,
      address: settings.SIGN_IN_FAILURES_ADDRESS,
      secrets: settings.TOKEN_FAILURES_ADDRESS,
      signInsAccount: settings.SIGN_INS_ACCOUNT,
      signInsAddress: settings.SIGN_INS_ADDRESS,
    }),
    bodies: openBodyBudget(settings.BODY_MEMORY_MB * MEGABYTE),
    async registration(address, response) {
      if (!registrations) return;
      const { isOver, resetSeconds, state } = await registrations.take(address);
      tell(response, registrations.policy, state);
      if (!isOver) return;
      throw tooMany(
        "Too many registrations from this address. Reuse the client_id that you already have.",
        resetSeconds,
      );
    },
  };
}
