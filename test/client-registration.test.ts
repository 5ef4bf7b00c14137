import { expect, test } from "vitest";
import { assistant, register, sceneWithPassword } from "./assistant.ts";
import { Browser } from "../src/cli/browser.ts";
import { world } from "./world.ts";

test("redirects that a stranger could read, or that a browser would run, are refused", async () => {
  // Attack: a client whose codes travel in the clear, or whose redirect is a script.
  await using w = await world();
  const refused = [
    "http://assistant.test/callback",
    "http://127.0.0.1.rival.test/callback",
    "http://localhost.rival.test/callback",
    "http://10.0.0.1/callback",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//",
    "data:text/html,x",
    "blob:https://rival.test/x",
    "vbscript:x",
    "file:///etc/passwd",
    "about:blank",
    "https://assistant.test/callback#fragment",
    "not a uri",
    "",
  ];
  const answers = [];
  for (const uri of refused) answers.push([uri, (await register(w, { redirect_uris: [uri] })).status]);
  expect(answers).toEqual(refused.map((uri) => [uri, 400]));
  expect(await register(w, {})).toMatchObject({ status: 400 });
});

test("what real clients send is accepted and put right", async () => {
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
  const { status, body } = await register(w, sent);
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
  const only = await register(w, { redirect_uris: ["https://a.test/cb"], grant_types: ["implicit"] });
  expect(only.body).toMatchObject({ application_type: "web", grant_types: ["authorization_code"] });
});

test("a native client's loopback redirect matches any port, and nothing else than the port", async () => {
  // Attack: an open redirect by way of a lenient match.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await assistant(w, { redirect_uris: ["http://127.0.0.1/callback"] });
  const asked = async (redirect_uri: string) => {
    const page = await new Browser((url) => url.port === "9").get(probe.authorizeUrl({ redirect_uri }));
    return page.url.pathname.startsWith("/oauth/interaction/") ? "asked" : page.status;
  };
  const outcomes = Object.fromEntries(
    await Promise.all(
      [
        "http://127.0.0.1:50123/callback",
        "http://127.0.0.1/callback",
        "http://localhost:50123/callback",
        "http://127.0.0.1:50123/callback/",
        "http://127.0.0.1:50123/other",
        "http://127.0.0.1:50123/callback?x=1",
        "http://127.0.0.2:50123/callback",
        "http://user@127.0.0.1:50123/callback",
        "http://127.0.0.1:50123@rival.test/callback",
        "https://127.0.0.1:50123/callback",
        "https://rival.test/callback",
      ].map(async (uri) => [uri, await asked(uri)] as const),
    ),
  );
  expect(outcomes).toEqual({
    "http://127.0.0.1:50123/callback": "asked",
    "http://127.0.0.1/callback": "asked",
    "http://localhost:50123/callback": 400,
    "http://127.0.0.1:50123/callback/": 400,
    "http://127.0.0.1:50123/other": 400,
    "http://127.0.0.1:50123/callback?x=1": 400,
    "http://127.0.0.2:50123/callback": 400,
    "http://user@127.0.0.1:50123/callback": 400,
    "http://127.0.0.1:50123@rival.test/callback": 400,
    "https://127.0.0.1:50123/callback": 400,
    "https://rival.test/callback": 400,
  });
});

test("a private scheme's redirect carries the code to its program", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await assistant(w, { redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] });
  const { status, end } = await probe.connect();
  expect([status, end.url.protocol]).toEqual([200, "cursor:"]);
});

test("a scope in the registration does not block asking for more later", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await assistant(w, { scope: "read" });
  expect((await probe.connect()).body.scope).toBe("read");
  expect((await probe.connect({ over: { scope: "read analyses:create" } })).body.scope).toBe("read analyses:create");
});

test("a client's name is shown as text, cut and without characters that hide or turn it", async () => {
  // Attack: markup or right-to-left text in a name that the person must judge.
  await using w = await world();
  await sceneWithPassword(w);
  const client_name = `<img src=x onerror=alert(1)>"'\u202Etxt.exe\u0007${"A".repeat(300)}`;
  const probe = await assistant(w, { client_name });
  const page = await new Browser().get(probe.authorizeUrl());
  expect(page.text).not.toContain("<img");
  expect(page.text).not.toContain("\u202E");
  expect(page.text).toContain("&#60;img src=x onerror=alert(1)&#62;");
  expect(page.text).not.toContain("A".repeat(81));
});
