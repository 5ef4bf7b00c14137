import { createServer } from "node:http";
import { expect, test } from "vitest";
import { boundedFetch } from "../../src/outside/http.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";
import { startForger } from "./forger.ts";
import { configureSso, OIDC, verifyDomain } from "./scene.ts";

const HOUR = 3600;

test("rejects an ID token that is unsigned, for another client, or for another sign-in", async () => {
  // Attack: forge an identity by alg none, HMAC with the public key, another key, audience, issuer
  // or nonce, an expired token, or one without a subject, so that all such people would share an
  // account.
  await using forger = await startForger();
  await using w = await world({ env: { SSO_ALLOW_PRIVATE_ADDRESSES: "1" } });
  const acme = await w.acme();
  await verifyDomain(w, acme.organization.id, "acme.test");
  await configureSso(w, acme, forger.settings);
  const come = async () => {
    const browser = new Browser();
    const { status } = await browser.get(`${w.config.baseUrl}/sso/${acme.organization.id}/start`);
    return [status, browser.cookies.some(({ name }) => name === "bva_session")];
  };
  expect(await come()).toEqual([200, true]);
  const replayed = forger.nonce();
  const now = Math.floor(Date.now() / 1000);
  const forgeries = {
    none: { algorithm: "none" },
    HS256: { algorithm: "HS256" },
    "another key": { withOtherKey: true },
    "another audience": { claims: { aud: "somebody-else" } },
    "two audiences, for another": { claims: { aud: ["visibility", "other"], azp: "other" } },
    "our audience alone, for another": { claims: { azp: "other" } },
    "our audience in a list, for another": { claims: { aud: ["visibility"], azp: "other" } },
    "an empty authorized party": { claims: { azp: "" } },
    "an authorized party that is no text": { claims: { azp: ["visibility"] } },
    "issued in the future": { claims: { iat: now + 60 } },
    "issued an hour ahead": { claims: { iat: now + HOUR, exp: now + 2 * HOUR } },
    "no time of issue": { claims: { iat: undefined } },
    "another issuer": { claims: { iss: "https://evil.test" } },
    "nonce of an earlier sign-in": { claims: { nonce: replayed } },
    "no nonce": { claims: { nonce: undefined } },
    expired: { claims: { iat: now - HOUR, exp: now - HOUR / 2 } },
    "no subject": { claims: { sub: undefined } },
    "an empty subject": { claims: { sub: "" } },
    "a subject of spaces": { claims: { sub: " \t" } },
  } as const;
  for (const [name, forgery] of Object.entries(forgeries)) {
    forger.forge(forgery);
    expect([name, ...(await come())]).toEqual([name, 403, false]);
  }
  const sound = {
    plain: {},
    "issued to us": { claims: { azp: "visibility" } },
    "two audiences, for us": { claims: { aud: ["visibility", "other"], azp: "visibility" } },
    "a clock that is a little ahead": { claims: { iat: Math.floor(Date.now() / 1000) + 10 } },
  } as const;
  for (const [name, forgery] of Object.entries(sound)) {
    forger.forge(forgery);
    expect([name, ...(await come())]).toEqual([name, 200, true]);
  }
});

test("sends no request to a provider in a private network unless the operator allows it", async () => {
  // Attack: server-side request forgery by an owner who names an internal address.
  await using forger = await startForger();
  await using w = await world();
  const acme = await w.acme();
  const start = `${w.config.baseUrl}/sso/${acme.organization.id}/start`;
  const refusal = async (issuer: string) => {
    await configureSso(w, acme, { ...OIDC, issuer });
    const { status, text } = await new Browser().get(start);
    return [status, /role="alert">([^<]*)/.exec(text)?.[1]?.trim()];
  };
  const refused = [
    503,
    expect.stringMatching(/^The identity provider cannot be used: its URL is not a public https URL\./),
  ];
  expect(await refusal(forger.settings.issuer)).toEqual(refused);
  const port = new URL(forger.settings.issuer).port;
  for (const host of [
    "127.0.0.1",
    "localhost",
    "[::1]",
    "169.254.169.254",
    "10.0.0.1",
    "[::ffff:127.0.0.1]",
    "2130706433",
  ]) {
    expect([host, ...(await refusal(`https://${host}:${port}`))]).toEqual([host, ...refused]);
  }
});

test("an answer without end is given up", async () => {
  // Exhaustion of memory by a provider that never stops answering.
  const server = createServer((_request, response) => {
    const pour = () => response.write(Buffer.alloc(64 * 1024)) && setImmediate(pour);
    response.on("drain", pour);
    pour();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const ask = boundedFetch({ timeoutMs: 10_000, limitBytes: 512 * 1024 });
  await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toThrow("the answer is too large");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
