import { ProviderError } from "./provider.ts";

/** Largest body that is read from a provider. */
const LIMIT_BYTES = 8 * 1024 * 1024;
const LONGEST_WAIT_MS = 15 * 60_000;
const RETRYABLE = new Set([408, 425, 429]);

/**
 * Posts JSON to a provider and gives the text of its answer. Throws ProviderError: retryable for network failures, time
 * limits, 408, 425, 429 and 5xx, with the wait that Retry-After asks for.
 */
export async function postToProvider(
  url: string,
  request: { headers: Record<string, string>; body: unknown; signal: AbortSignal },
): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...request.headers },
      body: JSON.stringify(request.body),
      // A redirect would carry the key to an address that nobody configured.
      redirect: "error",
      signal: request.signal,
    });
    text = await readText(response);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw networkFault(error);
  }
  if (!response.ok) throw refusal(response, text);
  return text;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LIMIT_BYTES) {
      throw new ProviderError("The provider's answer is larger than 8 MB.", { retryable: false });
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function networkFault(error: unknown): ProviderError {
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  return new ProviderError(
    timedOut ? "The provider did not answer in time." : "The provider could not be reached, or broke off its answer.",
    { retryable: true, cause: error },
  );
}

function refusal(response: Response, text: string): ProviderError {
  const { status } = response;
  if (status === 429 && text.includes('"insufficient_quota"')) {
    return new ProviderError("The provider's account has no quota left.", { retryable: false });
  }
  if (status === 401 || status === 403) {
    return new ProviderError(`The provider refused the configured key (HTTP ${status}).`, { retryable: false });
  }
  return new ProviderError(`The provider answered HTTP ${status}.`, {
    retryable: RETRYABLE.has(status) || status >= 500,
    retryAfterMs: retryAfterMs(response.headers.get("retry-after"), Date.now()),
  });
}

/** RFC 9110 section 10.2.3: seconds or a date. At most a quarter of an hour; undefined where it says nothing. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
