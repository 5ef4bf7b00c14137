import { expect, test } from "vitest";
import { REDIRECT, createOAuthClient, registerClient, sceneWithPassword } from "../support/assistant.ts";
import { Browser } from "../../examples/browser.ts";
import { world } from "../support/world.ts";

test("accepts and normalises what real clients send", async () => {
  await using w = await world();
  const sent = {
    client_name: "Real",
    client_uri: "",
    logo_uri: null,
    tos_uri: "",
    scope: "everything profile",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code", "token"],
    id_token_signed_response_alg: "RS256",
    redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:3118/callback"],
  };
  const { status, body } = await registerClient(w, sent);
  expect([status, body]).toEqual([
    201,
    {
      application_type: "native",
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: "Real",
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
      redirect_uris: sent.redirect_uris,
      require_auth_time: false,
      response_types: ["code"],
      subject_type: "public",
      token_endpoint_auth_method: "none",
    },
  ]);
  const only = await registerClient(w, { redirect_uris: ["https://a.test/cb"], grant_types: ["implicit"] });
  expect(only.body).toMatchObject({ application_type: "web", grant_types: ["authorization_code"] });
});

test.each([undefined, null, "", "none"])(
  "a registration with method %j has no secret and needs none",
  async (method) => {
    await using w = await world();
    await sceneWithPassword(w);
    const probe = await createOAuthClient(w, { token_endpoint_auth_method: method });
    expect(probe.registered.body).toEqual({
      application_type: "native",
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_name: "Probe",
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
      redirect_uris: [REDIRECT],
      require_auth_time: false,
      response_types: ["code"],
      subject_type: "public",
      token_endpoint_auth_method: "none",
    });
    expect((await probe.connect()).status).toBe(200);
  },
);

test("a private scheme's redirect carries the code to its program", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] });
  const { status, end } = await probe.connect();
  expect([status, end.url.protocol]).toEqual([200, "cursor:"]);
});

test("a scope in the registration allows requesting more later", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { scope: "read" });
  expect((await probe.connect()).body.scope).toBe("read");
  expect((await probe.connect({ over: { scope: "read analyses:create" } })).body.scope).toBe("read analyses:create");
});

test("a client's name is shown escaped, shortened, and without invisible or bidirectional characters", async () => {
  // Attack: markup or right-to-left text in a name that the person must judge.
  await using w = await world();
  await sceneWithPassword(w);
  const client_name = `<img src=x onerror=alert(1)>"'\u202Etxt.exe\u0007${"A".repeat(300)}`;
  const probe = await createOAuthClient(w, { client_name });
  const page = await new Browser().get(probe.authorizeUrl());
  expect(page.text).not.toContain("<img");
  expect(page.text).not.toContain("\u202E");
  expect(page.text).toContain("&#60;img src=x onerror=alert(1)&#62;");
  expect(page.text).not.toContain("A".repeat(81));
});
