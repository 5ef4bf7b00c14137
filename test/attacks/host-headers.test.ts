import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("metadata is equal for any forwarding headers", async () => {
  // Attack: poisoning a cache or client with addresses taken from a header.
  await using w = await world();
  const path = "/.well-known/oauth-authorization-server";
  const honest = await w.request("GET", path);
  const forged = await w.request("GET", path, {
    headers: { "x-forwarded-host": "rival.test", "x-forwarded-proto": "https", forwarded: "host=rival.test" },
  });
  expect(forged.body).toEqual(honest.body);
});

test("rejects a request line with an absolute address", async () => {
  // Attack: a proxy and the service read different hosts in one request (RFC 9112 section 3.2).
  await using w = await world();
  const { hostname, port, host } = new URL(w.config.baseUrl);
  for (const [method, target] of [
    ["GET", `http://${host}/v1/auth/me`],
    ["GET", "http://rival.test/v1/auth/me"],
    ["POST", `http://${host}/mcp`],
    ["OPTIONS", "*"],
    // Node accepts a target that url.parse throws at.
    ["GET", "http://[::1/v1/auth/me"],
    ["GET", "http://xn--0/v1/auth/me"],
  ]) {
    const status = await new Promise((resolve, reject) => {
      const asked = httpRequest({ host: hostname, port, method, path: target, headers: { host } }, (response) =>
        resolve(response.resume().statusCode),
      );
      asked.on("error", reject).end();
    });
    expect([target, status]).toEqual([target, 400]);
  }
});

test("no document, link or challenge contains an address from a header", async () => {
  // Attack: host header injection, to send clients or people to an address of the attacker's.
  await using w = await world();
  const paths = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/openapi.json",
    "/sign-in",
    "/v1/auth/me",
    "/mcp/connect",
    "/oauth/authorize?client_id=x",
  ];
  const { hostname, port, host } = new URL(w.config.baseUrl);
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = httpRequest({ host: hostname, port, path, headers }, (response) => {
        let text = JSON.stringify(response.headers);
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      request.on("error", reject).end();
    });
  for (const path of paths) {
    for (const forged of [
      "rival.test",
      `rival.test:${port}`,
      `${host}.rival.test`,
      `rival.test@${host}`,
      `${host}@rival.test`,
    ]) {
      const { status, text } = await ask(path, { host: forged });
      expect([path, forged, status >= 400, text.includes("rival.test")]).toEqual([path, forged, true, false]);
    }
    const forwarded = {
      host,
      "x-forwarded-host": "rival.test",
      "x-forwarded-proto": "https",
      "x-forwarded-port": "1",
      "x-original-url": "https://rival.test/",
      forwarded: "host=rival.test;proto=https",
      "x-host": "rival.test",
    };
    const { text } = await ask(path, forwarded);
    expect([path, text.includes("rival.test")]).toEqual([path, false]);
  }
});
