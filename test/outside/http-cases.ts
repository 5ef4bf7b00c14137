import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A small server on loopback. */
export async function startServer(answer: RequestListener) {
  let open = 0;
  const server = createServer((incoming, response) => {
    open++;
    response.on("close", () => open--);
    answer(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    underWay: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const hangingListener: RequestListener = () => undefined;

export const BOUNDS = { timeoutMs: 2000, limitBytes: 1000 };

export const TIMEOUT_MS = 150;
