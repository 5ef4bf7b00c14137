import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { PASSWORD } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

export const OWNER = "owner@acme.test";

export async function signIn(w: World, browser: Browser, email: string, password = PASSWORD, path = "/sign-in") {
  const page = await browser.get(`${w.config.baseUrl}${path}`);
  return browser.submit(page, { action: /^\/sign-in$/, fill: { email, password } });
}

/** A port that is free now, for a service that must come back at the same address. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** A request with a custom Host, which fetch does not allow. */
export async function sendRequest(
  port: string,
  path: string,
  options: { method?: string; headers: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, ...rest }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", reject).end(body);
  });
}
