import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { AppError } from "../../core/shared/errors.ts";
import type { Environment } from "../config/config.ts";
import { type AttemptLimiter, openAttempts } from "./attempts.ts";
import { openLimiter, openRequestLimits, type RequestLimits, setRateLimitHeaders, tooMany } from "./rate-limits.ts";

/** Counters are in memory and reset when the process restarts. */
export interface Limits {
  addressOf(request: IncomingMessage): string;
  requests: RequestLimits;
  attempts: AttemptLimiter;
  bodies: BodyBudget;
  registration(address: string, response: ServerResponse): Promise<void>;
}

const HOUR_SECONDS = 3600;
const MEGABYTE = 1024 * 1024;

export function openLimits(settings: Environment): Limits {
  const maxCount = settings.REGISTRATIONS_ADDRESS;
  const registrations =
    maxCount === 0 ? undefined : openLimiter({ name: "registrations", maxCount, windowSeconds: HOUR_SECONDS });
  return {
    addressOf: (request) => getClientAddress(request, settings.TRUST_PROXY),
    requests: openRequestLimits({
      address: settings.RATE_LIMIT_ADDRESS,
      account: settings.RATE_LIMIT_ACCOUNT,
      key: settings.RATE_LIMIT_KEY,
      client: settings.RATE_LIMIT_CLIENT,
    }),
    attempts: openAttempts({
      account: settings.SIGN_IN_FAILURES,
      maxOtherDeviceFailures: settings.SIGN_IN_FAILURES_STRANGERS,
      address: settings.SIGN_IN_FAILURES_ADDRESS,
      secrets: settings.TOKEN_FAILURES_ADDRESS,
      signInsAccount: settings.SIGN_INS_ACCOUNT,
      signInsAddress: settings.SIGN_INS_ADDRESS,
    }),
    bodies: openBodyBudget(settings.BODY_MEMORY_MB * MEGABYTE),
    async registration(address, response) {
      if (!registrations) return;
      const { isExceeded, resetSeconds, headerValue } = await registrations.consume(address);
      setRateLimitHeaders(response, registrations.policy, headerValue);
      if (!isExceeded) return;
      throw tooMany(
        "Too many registrations from this address. Reuse the client_id that you already have.",
        resetSeconds,
      );
    },
  };
}

/** The last address of X-Forwarded-For: the caller chooses all earlier ones. */
export function getClientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers["x-forwarded-for"] : undefined;
  const last = [forwarded ?? []].flat().join(",").split(",").at(-1)?.trim();
  return toNetworkKey(last === undefined || last === "" ? (request.socket.remoteAddress ?? "") : last.slice(0, 64));
}

/** One IPv6 customer controls at least a /64. */
function toNetworkKey(address: string): string {
  if (!isIPv6(address)) return address;
  const withoutZone = address.split("%", 1)[0] ?? "";
  const groups = parseIpv6Groups(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMappedIPv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** URL form (WHATWG URL section 3.5): hexadecimal, `::` at most once. */
function parseIpv6Groups(address: string): number[] {
  const [head = [], tail = []] = address.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

export interface BodyBudget {
  /** Lasts until the response closes. */
  open(holder: BodyHolder, response: ServerResponse): BodyReservation;
}

export type BodyHolder = { account: string } | { address: string };

export interface BodyReservation {
  reserve(bytes: number): void;
}

/** Free per body, so that large bodies never block a form, a key or a tool call. */
const UNCOUNTED_BYTES = 16 * 1024;
/** Divisors of the total budget. Strangers are all unauthenticated callers. */
const [ACCOUNT_SHARE, ADDRESS_SHARE, STRANGERS_SHARE] = [4, 16, 2];
const STRANGERS_KEY = "strangers";
const ALL_CALLERS_KEY = "all";

/** Counts received bytes, because an attacker can announce bytes at no cost. */
export function openBodyBudget(bytes: number): BodyBudget {
  const reservedBytes = new Map<string, number>();

  function add(key: string, more: number): void {
    const now = (reservedBytes.get(key) ?? 0) + more;
    if (now === 0) reservedBytes.delete(key);
    else reservedBytes.set(key, now);
  }

  return {
    open(holder, response) {
      const shares: [key: string, max: number][] =
        "account" in holder
          ? [[`account ${holder.account}`, bytes / ACCOUNT_SHARE]]
          : [
              [`address ${holder.address}`, bytes / ADDRESS_SHARE],
              [STRANGERS_KEY, bytes / STRANGERS_SHARE],
            ];
      shares.push([ALL_CALLERS_KEY, bytes]);
      let [received, counted] = [0, 0];
      response.once("close", () => {
        for (const [key] of shares) add(key, -counted);
      });
      return {
        reserve(more) {
          received += more;
          const uncounted = Math.max(0, received - UNCOUNTED_BYTES) - counted;
          if (uncounted === 0) return;
          if (bytes > 0 && shares.some(([key, max]) => (reservedBytes.get(key) ?? 0) + uncounted > max))
            throw createTooManyBodiesError();
          counted += uncounted;
          for (const [key] of shares) add(key, uncounted);
        },
      };
    },
  };
}

function createTooManyBodiesError(): AppError {
  const message = "Too many large bodies are being sent at once. Wait a moment, then send this one again.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
