import { HttpError, request, type HttpFailure } from "../http.ts";
import { ProviderError } from "./provider.ts";

const LIMIT_MB = 8;
const RETRYABLE = new Set([408, 425, 429]);

/**
 * Posts JSON to a provider and gives the text of its answer. Throws ProviderError: retryable for network failures, time
 * limits, 408, 425, 429 and 5xx, with the wait that the provider asks for.
 */
export async function postToProvider(
  url: string,
  options: { headers: Record<string, string>; body: unknown; timeoutMs: number; signal: AbortSignal },
): Promise<string> {
  const { headers, body, timeoutMs, signal } = options;
  const limitBytes = LIMIT_MB * 1024 * 1024;
  try {
    return (await request(url, { method: "POST", headers, json: body, timeoutMs, limitBytes, signal })).text;
  } catch (error) {
    throw error instanceof HttpError ? providerError(error.failure, error) : error;
  }
}

function providerError(failure: HttpFailure, cause: HttpError): ProviderError {
  switch (failure.kind) {
    case "status":
      return refusal(failure);
    case "too_large":
      return new ProviderError(`The provider's answer is larger than ${LIMIT_MB} MB.`, { retryable: false });
    case "timeout":
      return new ProviderError("The provider did not answer in time.", { retryable: true, cause });
    default:
      return new ProviderError("The provider could not be reached, or broke off its answer.", {
        retryable: true,
        cause,
      });
  }
}

function refusal({ status, text, waitMs }: Extract<HttpFailure, { kind: "status" }>): ProviderError {
  if (status === 429 && text.includes('"insufficient_quota"')) {
    return new ProviderError("The provider's account has no quota left.", { retryable: false });
  }
  if (status === 401 || status === 403) {
    return new ProviderError(`The provider refused the configured key (HTTP ${status}).`, { retryable: false });
  }
  const retryable = RETRYABLE.has(status) || status >= 500;
  return new ProviderError(`The provider answered HTTP ${status}.`, { retryable, retryAfterMs: waitMs });
}
