import { setTimeout as sleep } from "node:timers/promises";
import { retryAfterMs } from "../sources/provider-request.ts";
import { PartnerFault } from "../../../core/partner.ts";
import { backoffMs } from "../../jobs/collect/backoff.ts";

export interface PartnerAddress {
  /** Address of the partner's interface, from the operator's configuration and nowhere else. */
  baseUrl: string;
  timeoutMs: number;
  /** How often one request is sent at most. */
  attempts: number;
  /** Aborted when the process stops: what is under way then ends as unavailable. */
  signal: AbortSignal;
}

export interface PartnerRequest {
  method: "GET" | "PUT" | "POST";
  path: string;
  token: string;
  idempotencyKey?: string;
  body?: unknown;
}

/** What came back, decoded. `body` is undefined where it is not JSON. */
export interface PartnerReply {
  status: number;
  body: unknown;
}

/** Largest body that is read from a partner. */
const LIMIT_BYTES = 256 * 1024;
const BACKOFF_BASE_MS = 200;
/** A partner that asks for more patience than this is unavailable for now. */
const LONGEST_WAIT_MS = 2000;
const UNAVAILABLE = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Sends one request, again after a pause where the partner was not reached or cannot serve now: every request of the
 * protocol may be repeated. Throws PartnerFault `unavailable`, or `unexpected` for a redirect or a body without end.
 */
export async function askPartner(address: PartnerAddress, request: PartnerRequest): Promise<PartnerReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(address, request);
    } catch (error) {
      const fault = error instanceof PartnerFault ? error : unreachable(error);
      const wait = backoffMs(attempt, {
        baseMs: BACKOFF_BASE_MS,
        retryAfterMs: fault.retryAfterMs,
        random: Math.random(),
      });
      const isOver = attempt >= address.attempts || wait > LONGEST_WAIT_MS || address.signal.aborted;
      if (fault.kind !== "unavailable" || isOver) throw fault;
      await sleep(wait);
    }
  }
}

async function askOnce(address: PartnerAddress, request: PartnerRequest): Promise<PartnerReply> {
  const { method, path, token, idempotencyKey, body } = request;
  const response = await fetch(`${address.baseUrl}${path}`, {
    method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A redirect would carry the token to an address that nobody configured.
    redirect: "manual",
    signal: AbortSignal.any([AbortSignal.timeout(address.timeoutMs), address.signal]),
  });
  const text = await readText(response);
  if (UNAVAILABLE.has(response.status)) {
    const wait = retryAfterMs(response.headers.get("retry-after"), Date.now());
    throw new PartnerFault("unavailable", `The partner answered HTTP ${response.status}.`, { retryAfterMs: wait });
  }
  if (response.status >= 300 && response.status < 400) {
    throw new PartnerFault("unexpected", "The partner answered with a redirect, which is not followed.");
  }
  return { status: response.status, body: decoded(text) };
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new PartnerFault("unexpected", "The partner's answer is larger than 256 KB.");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function unreachable(error: unknown): PartnerFault {
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  return new PartnerFault(
    "unavailable",
    timedOut ? "The partner did not answer in time." : "The partner could not be reached, or broke off its answer.",
    { cause: error },
  );
}
