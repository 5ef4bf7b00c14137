import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createClientDocumentFetch } from "../../auth/oauth/client-documents.ts";
import { createOAuthClient, REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";

/** A client's host on loopback: its published document, and a request count. */
async function openHost() {
  const host = { answer: { status: 200, body: "" }, asked: 0, address: "" };
  const server = createServer((_request, response) => {
    host.asked++;
    response.writeHead(host.answer.status, { "content-type": "application/json", "cache-control": "max-age=60" });
    response.end(host.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(host, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const DOCUMENT = "https://assistant.example/oauth/client.json";
const published = (over: object = {}) =>
  JSON.stringify({
    client_id: DOCUMENT,
    client_name: "Published Assistant",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    scope: "anything at all",
    token_endpoint_auth_method: "none",
    ...over,
  });

/** The page that a person sees for a client that is named by its document. */
async function visit(w: Awaited<ReturnType<typeof world>>, clientId: string, browser = new Browser()) {
  const probe = await createOAuthClient(w);
  return browser.get(probe.authorizeUrl({ client_id: clientId, redirect_uri: REDIRECT }));
}

test("a client named by its document connects without registering, marked as published", async () => {
  await using host = await openHost();
  host.answer.body = published();
  await using w = await world({ fetch: () => fetch(host.address) });
  await sceneWithPassword(w);
  const browser = await signedInBrowser(w, "owner@acme.test", (url) => url.href.startsWith(REDIRECT));
  const consent = await visit(w, DOCUMENT, browser);
  expect(consent.text).toContain("Connect Published Assistant?");
  expect(consent.text).toContain("Published by assistant.example");
  expect(consent.text).toContain("It redirects to a program on this device.");
  const probe = await createOAuthClient(w);
  const over = { client_id: DOCUMENT, redirect_uri: "http://127.0.0.1:50999/callback" };
  const anyPort = await browser.get(probe.authorizeUrl(over));
  expect(anyPort.status).toBe(200);
  const end = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  expect(end.url.searchParams.get("code")).not.toBeNull();
  expect(host.asked).toBe(1);
});

test("never fetches a document from inside addresses", async () => {
  // Attack: making the server fetch from its own network (server-side request forgery).
  let asked = 0;
  await using w = await world({
    fetch: () => {
      asked++;
      return Promise.reject(new Error("asked"));
    },
  });
  const inside = [
    "https://127.0.0.1/x",
    "https://127.1/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://0177.0.0.1/x",
    "https://0/x",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[::ffff:7f00:1]/x",
    "https://[64:ff9b::7f00:1]/x",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/x",
    "https://localhost/x",
    "https://localhost:8443/x",
    "https://printer.local/x",
    "https://service.internal/x",
    "https://intranet/x",
    "http://assistant.example/x",
    "https://assistant.example/a/../b",
    "https://assistant.example/%2e%2e/x",
    "https://user:password@assistant.example/x",
    "https://assistant.example/x#fragment",
    "https://assistant.example:99999/x",
    "ftp://assistant.example/x",
    "file:///etc/passwd",
  ];
  const statuses = [];
  for (const clientId of inside) statuses.push([clientId, (await visit(w, clientId)).status]);
  expect(statuses).toEqual(inside.map((clientId) => [clientId, 400]));
  expect(asked).toBe(0);
});

test("disconnects a public name that resolves to inside before reading anything", async () => {
  // Attack: a name with an inside address, or one that changes to it between lookup and connection.
  await using host = await openHost();
  host.answer.body = published();
  await using w = await world({ fetch: (_url, init) => fetch(host.address, init) });
  expect((await visit(w, DOCUMENT)).status).toBe(400);
  expect(host.asked).toBe(0);
});

test("rejects invalid, moved, oversized and wrong documents, and fetches each once in 30 seconds", async () => {
  // Attack: a document that speaks for another client, redirects inside, or fills memory.
  const wrong = {
    moved: { status: 302, body: "" },
    absent: { status: 404, body: "" },
    broken: { status: 200, body: "{" },
    list: { status: 200, body: "[]" },
    "another client's": { status: 200, body: published({ client_id: "https://assistant.example/other.json" }) },
    "with a secret": { status: 200, body: published({ client_secret: "s" }) },
    "with a shared secret's method": {
      status: 200,
      body: published({ token_endpoint_auth_method: "client_secret_post" }),
    },
    "with a script for a redirect": { status: 200, body: published({ redirect_uris: ["javascript:alert(1)"] }) },
    "with a redirect in the clear": {
      status: 200,
      body: published({ redirect_uris: ["http://assistant.example/cb"] }),
    },
    large: { status: 200, body: published({ client_uri: "https://x.example/", padding: "x".repeat(6000) }) },
  };
  await using host = await openHost();
  const outcomes: Record<string, number> = {};
  for (const [name, answer] of Object.entries(wrong)) {
    await using w = await world({ fetch: () => fetch(host.address, { redirect: "manual" }) });
    host.answer = answer;
    outcomes[name] = (await visit(w, DOCUMENT)).status;
  }
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, 400])));
  await using w = await world({ fetch: () => fetch(host.address) });
  host.answer = wrong.absent;
  host.asked = 0;
  for (let attempt = 0; attempt < 3; attempt++) await visit(w, DOCUMENT);
  expect(host.asked).toBe(1);
});

test("an unavailable document is replaced by its last good copy, then by the pinned one of a large assistant", async () => {
  let now = 0;
  let asked = 0;
  let live: () => Promise<Response> = () => Promise.resolve(new Response(published()));
  const fetchDocument = createClientDocumentFetch(
    () => {
      asked++;
      return live();
    },
    () => now,
  );
  const textOf = async (url: string) => (await fetchDocument(url)).text();
  expect(await textOf(DOCUMENT)).toBe(published());
  live = () => Promise.resolve(new Response("forbidden", { status: 403 }));
  expect(await textOf(DOCUMENT)).toBe(published());
  expect(await textOf(DOCUMENT)).toBe(published());
  expect(asked).toBe(2);
  const claude = "https://claude.ai/oauth/claude-code-client-metadata";
  expect(JSON.parse(await textOf(claude))).toMatchObject({ client_id: claude, client_name: "Claude Code" });
  await expect(textOf("https://unknown.example/x")).rejects.toThrow("status 403");
  await expect(textOf("https://unknown.example/x")).rejects.toThrow(
    "the document could not be fetched within the last 30 seconds",
  );
  now = 30_000;
  live = () => Promise.resolve(new Response(published({ client_name: "Renamed" })));
  expect(await textOf(DOCUMENT)).toBe(published({ client_name: "Renamed" }));
  // Fault: a document that failed under a wrong clock was not fetched until that time.
  live = () => Promise.resolve(new Response("forbidden", { status: 403 }));
  await expect(textOf("https://unknown.example/x")).rejects.toThrow("status 403");
  now = -3_600_000;
  live = () => Promise.resolve(new Response(published({ client_id: "https://unknown.example/x" })));
  expect(await textOf("https://unknown.example/x")).toContain("unknown.example");
});

test("CLIENT_METADATA_DOCUMENTS=0 fetches nothing and offers only registration", async () => {
  let asked = 0;
  await using w = await world({
    env: { CLIENT_METADATA_DOCUMENTS: "0" },
    fetch: () => {
      asked++;
      return Promise.resolve(new Response(published()));
    },
  });
  expect((await visit(w, DOCUMENT)).status).toBe(400);
  const metadata = (await w.request("GET", "/.well-known/oauth-authorization-server")).body;
  expect([asked, metadata.client_id_metadata_document_supported]).toEqual([0, undefined]);
  expect(metadata.registration_endpoint).toBe(`${w.config.baseUrl}/oauth/register`);
});
