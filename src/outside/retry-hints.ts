import { z } from "zod";
import { LONGEST_RETRY_MS } from "../../core/jobs/waits.ts";
import { decodeJson } from "./decode-json.ts";

/** A number of seconds that is larger than these is an instant: nothing waits for thirty years. */
const LEAST_EPOCH_MS = 1e12;
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** google.rpc.RetryInfo in the error body of a Google interface; streaming ones wrap it into a list. */
const GoogleError = z.object({
  error: z.object({ details: z.array(z.object({ "@type": z.string(), retryDelay: z.string().optional() })) }),
});
const GoogleErrors = z.union([GoogleError, z.tuple([GoogleError], GoogleError).transform(([first]) => first)]);

/**
 * How long an answer asks to be left alone, in milliseconds from `nowMs`, at most a quarter of an hour; undefined where it
 * says nothing. Of several hints the first in this order is taken: `retry-after-ms`, `Retry-After` (RFC 9110 section
 * 10.2.3: seconds or a date), Google's RetryInfo, and for a 429 the `x-ratelimit-reset-*` or
 * `anthropic-ratelimit-*-reset` of the limits that are used up.
 */
export function retryWaitMs(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  nowMs: number,
): number | undefined {
  const waits = [
    numberOf(headers.get("retry-after-ms")),
    secondsOrDate(headers.get("retry-after"), nowMs),
    text.includes("google.rpc.RetryInfo") ? googleDelayMs(text) : undefined,
    status === 429 ? limitResetMs(headers, nowMs) : undefined,
  ];
  const wait = waits.find((ms) => ms !== undefined);
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_MS);
}

/** What an answer says is left of its sender's limits. */
export interface LimitsLeft {
  /** Of the limit on requests: how many there may be for so long, and how many in all; null where it does not say. */
  requests?: { left: number; limit: number | null; resetMs: number } | undefined;
  /** How long to wait for another limit, such as one on tokens, that is used up. */
  waitMs?: number | undefined;
}

/** What the `x-ratelimit-remaining-*` or `anthropic-ratelimit-*-remaining` of an answer say, where a reset stands beside them. */
export function limitsLeft(headers: Headers, nowMs: number): LimitsLeft {
  const found: LimitsLeft = {};
  for (const [name, value] of headers) {
    const limit = limitNamedBy(name);
    const left = numberOf(value);
    const reset = resetMs(headers.get(name.replace("remaining", "reset")) ?? "", nowMs);
    if (limit === undefined || left === undefined || reset === undefined) continue;
    const waitMs = Math.min(Math.max(reset, 0), LONGEST_RETRY_MS);
    if (limit === "requests") {
      found.requests = {
        left,
        limit: numberOf(headers.get(name.replace("remaining", "limit"))) ?? null,
        resetMs: waitMs,
      };
    } else if (left === 0) found.waitMs = Math.max(found.waitMs ?? 0, waitMs);
  }
  return found;
}

/** Which limit a header says the rest of: `requests` for `x-ratelimit-remaining`; undefined for a header that says of none. */
export function limitNamedBy(header: string): string | undefined {
  const named = /^(?:[a-z]+-)?ratelimit-(?:remaining(?:-(.+))?|(.+)-remaining)$/.exec(header);
  return named ? (named[1] ?? named[2] ?? "requests") : undefined;
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function secondsOrDate(value: string | null, nowMs: number): number | undefined {
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === null ? NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : date - nowMs;
}

/** `retryDelay` is a google.protobuf.Duration, which JSON writes as seconds: "34.5s". */
function googleDelayMs(text: string): number | undefined {
  const { error } = GoogleErrors.safeParse(decodeJson(text)).data ?? {};
  const info = error?.details.find((detail) => detail["@type"].endsWith("google.rpc.RetryInfo"));
  return durationMs(info?.retryDelay ?? "");
}

/** Until the last of the used-up limits is there again. A limit that does not say what remains counts as used up. */
function limitResetMs(headers: Headers, nowMs: number): number | undefined {
  const waits = [...headers].flatMap(([name, value]) => {
    if (!/^(?:[a-z]+-)?ratelimit-(?:reset|.+-reset$)/.test(name)) return [];
    if (Number(headers.get(name.replace("reset", "remaining")) ?? 0) > 0) return [];
    return resetMs(value, nowMs) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A duration ("6m0s", "120ms"), seconds, or an instant: a date or the seconds since 1970. */
function resetMs(value: string, nowMs: number): number | undefined {
  const wait = durationMs(value) ?? secondsOrDate(value, nowMs);
  return wait !== undefined && wait > LEAST_EPOCH_MS ? wait - nowMs : wait;
}

/** Of parts as Go writes them: "1h2m3.5s". */
function durationMs(value: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[dhms]))+$/.test(value)) return undefined;
  const parts = value.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ""] ?? 0), 0);
}
