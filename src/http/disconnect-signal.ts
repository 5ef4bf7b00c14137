import type { ServerResponse } from "node:http";

export function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once("close", () => response.writableFinished || controller.abort());
  return controller.signal;
}
