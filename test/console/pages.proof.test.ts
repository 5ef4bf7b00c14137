import { expect, test } from "vitest";
import { PASSWORD, REDIRECT } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";
import { OWNER, signIn, freePort, sendRequest } from "./pages-cases.ts";

test("BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD create the first owner without a browser, with the demo", async () => {
  const env = { BOOTSTRAP_EMAIL: "Ada@Example.com", BOOTSTRAP_PASSWORD: PASSWORD, DEMO: "1" };
  await using w = await world({ env });
  expect(w.setupLink).toBeUndefined();
  const home = await signIn(w, new Browser(), "ada@example.com");
  expect([home.status, home.url.pathname]).toMatchObject([200, expect.stringMatching(/^\/visibility\//)]);
  expect(home.text).toContain("Demo (simulated)");
  expect(home.text).toContain("example.com");
});

test("behind TLS, cookies are secure and host-bound, and addresses are the public ones", async () => {
  // Attack: a session cookie sent unencrypted, addresses built from a caller's headers.
  const port = await freePort();
  const BASE_URL = "https://visibility.test";
  const account = { BOOTSTRAP_EMAIL: OWNER, BOOTSTRAP_PASSWORD: PASSWORD };
  await using _w = await world({
    env: { PORT: port, BASE_URL, TRUST_PROXY: "1", ALLOWED_HOSTS: `localhost:${port}`, ...account },
  });
  const headers = { host: "visibility.test", "x-forwarded-proto": "https", "x-forwarded-host": "rival.test" };
  const metadata = await sendRequest(port, "/.well-known/oauth-authorization-server", { headers });
  expect(JSON.parse(metadata.text)).toMatchObject({ token_endpoint: `${BASE_URL}/oauth/token` });
  expect((await sendRequest(port, "/sign-in", { headers: { host: "rival.test" } })).status).toBe(404);
  for (const path of ["/sign-in", "/v1/auth/me", "/mcp", "/healthz", "/nothing"]) {
    const { headers: answered } = await sendRequest(port, path, { headers });
    expect([path, answered["strict-transport-security"]]).toEqual([path, "max-age=31536000"]);
  }
  const moved = await sendRequest(port, "/sign-in?next=%2Fapi-keys", { headers: { host: `localhost:${port}` } });
  expect([moved.status, moved.headers.location]).toEqual([307, `${BASE_URL}/sign-in?next=%2Fapi-keys`]);
  const form = { ...headers, origin: BASE_URL, "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ email: OWNER, password: PASSWORD }).toString();
  const set =
    (await sendRequest(port, "/sign-in", { method: "POST", headers: form, body })).headers["set-cookie"] ?? [];
  expect(set.find((cookie) => cookie.includes("device"))).toMatch(
    /^__Host-bva_device=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(set.find((cookie) => cookie.includes("session"))).toMatch(
    /^__Host-bva_session=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
  );
  const json = { ...headers, "content-type": "application/json" };
  const registration = JSON.stringify({ redirect_uris: [REDIRECT] });
  const client = JSON.parse(
    (await sendRequest(port, "/oauth/register", { method: "POST", headers: json, body: registration })).text,
  );
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });
  const started = await sendRequest(port, `/oauth/authorize?${query.toString()}`, { headers });
  const cookies = started.headers["set-cookie"] ?? [];
  expect(cookies.map((line) => line.split("=")[0])).toContain("bva_oauth_step.sig");
  expect(cookies.filter((line) => !/; secure; httponly/i.test(line))).toEqual([]);
});
