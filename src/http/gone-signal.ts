import type { ServerResponse } from "node:http";

export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once("close", () => response.writableFinished || gone.abort());
  return gone.signal;
}
