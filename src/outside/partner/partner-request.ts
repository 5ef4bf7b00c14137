import { PartnerFault } from "../../../core/platforms/partner.ts";
import { decodeJson } from "../decode-json.ts";
import { HttpError, request as send, type HttpFailure } from "../http.ts";
import { runWithRetries } from "../with-retries.ts";

export interface PartnerAddress {
  baseUrl: string;
  timeoutMs: number;
  maxAttempts: number;
  /** Aborted when the process stops; requests in flight then fail as unavailable. */
  signal: AbortSignal;
}

export interface PartnerRequest {
  method: "GET" | "PUT" | "POST";
  path: string;
  token: string;
  idempotencyKey?: string;
  body?: unknown;
}

export interface PartnerReply {
  status: number;
  body: unknown;
}

const LIMIT_BYTES = 256 * 1024;
const BACKOFF_BASE_MS = 200;
/** A partner that asks for a longer wait counts as unavailable. */
const MAX_WAIT_MS = 2000;
const UNAVAILABLE_STATUSES = new Set([408, 425, 429, 502, 503, 504]);

/** Every request of the protocol is idempotent. Throws PartnerFault. */
export async function askPartner(address: PartnerAddress, request: PartnerRequest): Promise<PartnerReply> {
  return runWithRetries(() => askOnce(address, request), {
    maxAttempts: address.maxAttempts,
    backoffBaseMs: BACKOFF_BASE_MS,
    maxWaitMs: MAX_WAIT_MS,
    signal: address.signal,
    findRetryHint(error) {
      const isUnavailable = error instanceof PartnerFault && error.kind === "unavailable";
      return isUnavailable && (error.retryAfterMs ?? 0) <= MAX_WAIT_MS ? error : undefined;
    },
  });
}

async function askOnce({ baseUrl, timeoutMs, signal }: PartnerAddress, request: PartnerRequest): Promise<PartnerReply> {
  const { method, path, token, idempotencyKey, body } = request;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  const bounds = { timeoutMs, signal, limitBytes: LIMIT_BYTES };
  try {
    const { status, text } = await send(`${baseUrl}${path}`, { method, headers, json: body, ...bounds });
    return { status, body: decodeJson(text) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { failure } = error;
    if (failure.kind !== "status" || UNAVAILABLE_STATUSES.has(failure.status)) throw toPartnerFault(failure, error);
    if (failure.status >= 300 && failure.status < 400) {
      throw new PartnerFault("unexpected", "The partner answered with a redirect, which is not followed.");
    }
    return { status: failure.status, body: decodeJson(failure.text) };
  }
}

function toPartnerFault(failure: HttpFailure, cause: HttpError): PartnerFault {
  switch (failure.kind) {
    case "status":
      return new PartnerFault("unavailable", `The partner answered HTTP ${failure.status}.`, {
        retryAfterMs: failure.retryAfterMs,
      });
    case "too_large":
      return new PartnerFault("unexpected", "The partner's answer is larger than 256 KB.");
    case "timeout":
      return new PartnerFault("unavailable", "The partner did not answer in time.", { cause });
    default:
      return new PartnerFault("unavailable", "The partner could not be reached, or broke off its answer.", { cause });
  }
}
