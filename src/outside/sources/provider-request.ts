import { getFailureKindByStatus } from "../../../core/sources/provider-failures.ts";
import { HttpError, request, type HttpFailure, type HttpReply } from "../http.ts";
import { ProviderError, type FailureKind } from "./provider-error.ts";

const MAX_BODY_MB = 8;
/** The request failed before a connection existed. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

export interface ProviderRequest {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  json?: unknown;
  timeoutMs: number;
  signal: AbortSignal;
  classifyFailure?: ClassifyFailure | undefined;
}

export type ClassifyFailure = (refused: { status: number; text: string }) => FailureKind | undefined;

/** Throws ProviderError. */
export async function askProvider(url: string | URL, options: ProviderRequest): Promise<HttpReply> {
  const { classifyFailure, method = "POST", ...sent } = options;
  const limitBytes = MAX_BODY_MB * 1024 * 1024;
  try {
    return await request(url, { ...sent, method, limitBytes });
  } catch (error) {
    throw error instanceof HttpError ? toProviderError(error.failure, error, classifyFailure) : error;
  }
}

function toProviderError(failure: HttpFailure, cause: HttpError, refusalOf: ClassifyFailure = () => undefined) {
  switch (failure.kind) {
    case "status": {
      const { status, retryAfterMs } = failure;
      const kind = refusalOf(failure) ?? toFailureKind(failure);
      return new ProviderError(kind, { message: formatMessage(kind, status), retryAfterMs, wasRefused: true });
    }
    case "too_large":
      return new ProviderError("too_large", { message: `The provider's answer is larger than ${MAX_BODY_MB} MB.` });
    case "timeout":
      return new ProviderError("timeout", { cause });
    default:
      return new ProviderError("unavailable", { cause, wasSent: !isNotConnected(cause) });
  }
}

function toFailureKind({ status, text }: { status: number; text: string }): FailureKind {
  return status === 429 && text.includes('"insufficient_quota"') ? "out_of_quota" : getFailureKindByStatus(status);
}

function formatMessage(kind: FailureKind, status: number): string | undefined {
  if (kind === "out_of_quota") return undefined;
  if (kind === "unauthorized") return `The provider rejected the configured key (HTTP ${status}).`;
  return `The provider answered HTTP ${status}.`;
}

/** `fetch` reports the reason in the cause of its error, which is nested here. */
function isNotConnected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && NOT_CONNECTED.has(String(cause.code))) return true;
  }
  return false;
}
