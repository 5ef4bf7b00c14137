/** One request with its response. */
export interface RecordedExchange {
  url: string;
  status: number;
  /** The redirect target, and the cookies that were set. */
  location: string;
  cookies: string[];
  text: string;
}

/**
 * Notes every request of this process, the service's own to others among them, until it is disposed
 * of.
 */
export function recordTraffic() {
  const exchanged: RecordedExchange[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = async (...asked: Parameters<typeof real>) => {
    const [input] = asked;
    const url = input instanceof Request ? input.url : String(input);
    const response = await real(...asked);
    const isStream = response.headers.get("content-type")?.includes("event-stream") ?? false;
    exchanged.push({
      url,
      status: response.status,
      location: response.headers.get("location") ?? "",
      cookies: response.headers.getSetCookie(),
      text: isStream ? "" : await response.clone().text(),
    });
    return response;
  };
  return {
    exchanged,
    [Symbol.dispose]() {
      globalThis.fetch = real;
    },
  };
}
