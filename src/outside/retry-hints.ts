import { z } from "zod";
import { MAX_RETRY_MS } from "../../core/jobs/waits.ts";
import { decodeJson } from "./decode-json.ts";

/** Larger numbers are timestamps: no wait lasts thirty years. */
const MIN_EPOCH_MS = 1e12;
const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** google.rpc.RetryInfo in the error body of a Google API; streaming APIs wrap it into a list. */
const GoogleErrorSchema = z.object({
  error: z.object({ details: z.array(z.object({ "@type": z.string(), retryDelay: z.string().optional() })) }),
});
const GoogleErrorsSchema = z.union([
  GoogleErrorSchema,
  z.tuple([GoogleErrorSchema], GoogleErrorSchema).transform(([first]) => first),
]);

/** At most 15 minutes; undefined without a hint. RFC 9110 section 10.2.3 defines `Retry-After`. */
export function retryWaitMs(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  nowMs: number,
): number | undefined {
  const waits = [
    parseNumber(headers.get("retry-after-ms")),
    parseSecondsOrDate(headers.get("retry-after"), nowMs),
    text.includes("google.rpc.RetryInfo") ? parseGoogleDelayMs(text) : undefined,
    status === 429 ? findLimitResetMs(headers, nowMs) : undefined,
  ];
  const wait = waits.find((ms) => ms !== undefined);
  return wait === undefined ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_MS);
}

export interface RemainingLimits {
  /** `limit` is null if not reported. */
  requests?: { left: number; limit: number | null; resetMs: number } | undefined;
  waitMs?: number | undefined;
}

/** Parses `x-ratelimit-remaining-*` and `anthropic-ratelimit-*-remaining` with a reset header. */
export function parseRemainingLimits(headers: Headers, nowMs: number): RemainingLimits {
  const limits: RemainingLimits = {};
  for (const [name, value] of headers) {
    const limit = parseLimitName(name);
    const left = parseNumber(value);
    const reset = resetMs(headers.get(name.replace("remaining", "reset")) ?? "", nowMs);
    if (limit === undefined || left === undefined || reset === undefined) continue;
    const waitMs = Math.min(Math.max(reset, 0), MAX_RETRY_MS);
    if (limit === "requests") {
      limits.requests = {
        left,
        limit: parseNumber(headers.get(name.replace("remaining", "limit"))) ?? null,
        resetMs: waitMs,
      };
    } else if (left === 0) limits.waitMs = Math.max(limits.waitMs ?? 0, waitMs);
  }
  return limits;
}

/** `requests` for `x-ratelimit-remaining`; undefined for other headers. */
export function parseLimitName(header: string): string | undefined {
  const named = /^(?:[a-z]+-)?ratelimit-(?:remaining(?:-(.+))?|(.+)-remaining)$/.exec(header);
  return named ? (named[1] ?? named[2] ?? "requests") : undefined;
}

function parseNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function parseSecondsOrDate(value: string | null, nowMs: number): number | undefined {
  const seconds = parseNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === null ? NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : date - nowMs;
}

/** `retryDelay` is a google.protobuf.Duration, in JSON such as "34.5s". */
function parseGoogleDelayMs(text: string): number | undefined {
  const { error } = GoogleErrorsSchema.safeParse(decodeJson(text)).data ?? {};
  const info = error?.details.find((detail) => detail["@type"].endsWith("google.rpc.RetryInfo"));
  return parseDurationMs(info?.retryDelay ?? "");
}

/** Waits for the last exhausted limit. A limit without a remainder counts as exhausted. */
function findLimitResetMs(headers: Headers, nowMs: number): number | undefined {
  const waits = [...headers].flatMap(([name, value]) => {
    if (!/^(?:[a-z]+-)?ratelimit-(?:reset|.+-reset$)/.test(name)) return [];
    if (Number(headers.get(name.replace("reset", "remaining")) ?? 0) > 0) return [];
    return resetMs(value, nowMs) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Accepts a duration ("6m0s", "120ms"), seconds, a date or a Unix timestamp. */
function resetMs(value: string, nowMs: number): number | undefined {
  const wait = parseDurationMs(value) ?? parseSecondsOrDate(value, nowMs);
  return wait !== undefined && wait > MIN_EPOCH_MS ? wait - nowMs : wait;
}

function parseDurationMs(value: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|[dhms]))+$/.test(value)) return undefined;
  const parts = value.matchAll(/(?<!\d)(\d+(?:\.\d+)?)(ms|[dhms])/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ""] ?? 0), 0);
}
