import type { ServerResponse } from "node:http";

/** Aborted when the connection closes before the response was sent. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once("close", () => response.writableFinished || gone.abort());
  return gone.signal;
}
