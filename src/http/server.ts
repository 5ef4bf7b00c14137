import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { AppError } from "../../core/shared/errors.ts";
import type { Environment } from "../config/config.ts";
import { STOP_DEADLINES_MS } from "../process/stop-in-time.ts";
import { errorBody } from "./error-body.ts";
import { respondJson } from "./respond.ts";

const CLOSE_IDLE_MS = 50;

/** Responds while the service starts, so that no client hangs. */
export function respondStarting(_request: IncomingMessage, response: ServerResponse): void {
  const starting = new AppError("UNAVAILABLE", "The service is starting. Try again in a moment.");
  const { status, ...body } = errorBody(starting, uuidv7());
  response.setHeader("retry-after", "1");
  respondJson(response, status, body);
}

export async function listen(server: Server, { PORT, HOST }: Environment): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Stops accepting connections, closes idle ones, and cuts the rest at the deadline. */
export async function drain(server: Server, log: Logger): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.prependListener("request", (_request, response) => void response.setHeader("connection", "close"));
  // Node.js closes a connection after its last request only when its idle time is over.
  const closeIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  server.closeIdleConnections();
  const cut = setTimeout(() => {
    server.getConnections((_error, connections) =>
      log.warn({ connections }, "open connections were closed before their requests completed"),
    );
    server.closeAllConnections();
  }, STOP_DEADLINES_MS.cut);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(cut);
}
