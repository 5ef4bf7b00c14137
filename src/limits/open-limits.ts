import type { IncomingMessage, ServerResponse } from "node:http";
import type { Environment } from "../config.ts";
import { openAttempts, type Attempts } from "./attempts.ts";
import { clientAddress } from "./client-address.ts";
import { openLimiter } from "./limiter.ts";
import { openRequestLimits, tell, tooMany, type RequestLimits } from "./request-limits.ts";

/** How much of everything this process lets through. Its counters are its own, and start anew with it. */
export interface Limits {
  /** Whose place a request comes from. */
  addressOf(request: IncomingMessage): string;
  requests: RequestLimits;
  attempts: Attempts;
  /** Counts an OAuth client that registers itself. RATE_LIMITED where it is one too many. */
  registration(address: string, response: ServerResponse): Promise<void>;
}

const HOUR_SECONDS = 3600;

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
    }),
    async registration(address, response) {
      if (!registrations) return;
      const { isOver, resetSeconds, state } = await registrations.take(address);
      tell(response, registrations.policy, state);
      if (!isOver) return;
      throw tooMany("Too many registrations from this address. Use the client_id that you have.", resetSeconds);
    },
  };
}
