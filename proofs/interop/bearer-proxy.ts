import { createServer, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);

/**
 * A proxy that adds a bearer token, for test clients without an option for one. Host and Origin
 * pass unchanged, so that checks on them still apply.
 */
export async function openBearerProxy() {
  let target = { port: "0", token: "" };
  const server = createServer((request, response) => {
    const upstream = httpRequest(
      {
        agent: false,
        host: "127.0.0.1",
        port: target.port,
        path: request.url,
        method: request.method,
        headers: { ...endToEnd(request.headers), authorization: `Bearer ${target.token}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        answer.pipe(response);
      },
    );
    upstream.on("error", () => response.destroy());
    response.on("close", () => {
      if (!response.writableFinished) upstream.destroy();
    });
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    to(address: string, token: string) {
      target = { port: new URL(address).port, token };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
