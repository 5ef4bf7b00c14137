import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { createOAuthClient, registerClient, sceneWithPassword } from "../support/assistant.ts";
import { world } from "../support/world.ts";

test("rejects redirects that a stranger could read or a browser would execute", async () => {
  // Attack: a client whose codes travel unencrypted, or whose redirect is a script.
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
  for (const uri of refused) answers.push([uri, (await registerClient(w, { redirect_uris: [uri] })).status]);
  expect(answers).toEqual(refused.map((uri) => [uri, 400]));
  expect(await registerClient(w, {})).toMatchObject({ status: 400 });
});

test("a native client's loopback redirect matches any port, and nothing else", async () => {
  // Attack: an open redirect through a lenient match.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { redirect_uris: ["http://127.0.0.1/callback"] });
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

test("an address similar to the registered one gets nothing, not even an error", async () => {
  // Attack: an open redirector, or a code sent to a stranger, by a redirect URI that a lenient
  // comparison takes.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w, { redirect_uris: ["https://assistant.example/oauth/callback"] });
  const alike = [
    "https://rival.test/oauth/callback",
    "https://assistant.example.rival.test/oauth/callback",
    "https://assistant.example@rival.test/oauth/callback",
    "https://user@assistant.example/oauth/callback",
    "https://user:password@assistant.example/oauth/callback",
    "https://rival.test#@assistant.example/oauth/callback",
    "https://rival.test\\@assistant.example/oauth/callback",
    "https://rival.test/?https://assistant.example/oauth/callback",
    "https://assistant.example./oauth/callback",
    "https://assistant.example:443/oauth/callback",
    "https://assistant.example:8443/oauth/callback",
    "http://assistant.example/oauth/callback",
    "HTTPS://assistant.example/oauth/callback",
    "https://ASSISTANT.example/oauth/callback",
    "https://assistant.example/OAuth/callback",
    "https://assistant.example/oauth/callback/",
    "https://assistant.example/oauth//callback",
    "https://assistant.example/oauth/./callback",
    "https://assistant.example/oauth/callback/../callback",
    "https://assistant.example/oauth/callback/../../elsewhere",
    "https://assistant.example/oauth/callback/..;/elsewhere",
    "https://assistant.example/oauth%2Fcallback",
    "https://assistant.example/oauth/%63allback",
    "https://assistant.example/oauth/callback%00",
    "https://assistant.example/oauth/callback%0d%0aset-cookie:x=1",
    "https://assistant.example/oauth/callback%2f..%2felsewhere",
    "https://assistant.example/oauth/callback?x=1",
    "https://assistant.example/oauth/callback?",
    "https://assistant.example/oauth/callback#fragment",
    "https://assistant.example/oauth/callback#",
    "https://assistant.example/oauth/callback ",
    " https://assistant.example/oauth/callback",
    "https://assistant.example\t/oauth/callback",
    "https:/assistant.example/oauth/callback",
    "https:assistant.example/oauth/callback",
    "//assistant.example/oauth/callback",
    "/oauth/callback",
    "https://аssistant.example/oauth/callback",
    "https://xn--ssistant-8fg.example/oauth/callback",
    "https://assistant。example/oauth/callback",
    "https://assistant.example/oauth/callback,https://rival.test",
    "javascript:alert(1)//https://assistant.example/oauth/callback",
    "data:text/html,https://assistant.example/oauth/callback",
    "urn:ietf:wg:oauth:2.0:oob",
    "null",
  ];
  const left: string[] = [];
  const browser = new Browser((url) => url.origin !== w.config.baseUrl && left.push(url.href) > 0);
  const statuses = [];
  for (const redirect_uri of alike) {
    const page = await browser.get(probe.authorizeUrl({ redirect_uri }));
    statuses.push([redirect_uri, page.status, page.url.origin]);
  }
  expect(statuses).toEqual(alike.map((uri) => [uri, 400, w.config.baseUrl]));
  expect(left).toEqual([]);
  // A repeated parameter is invalid; the registered address receives the error.
  await browser.get(`${probe.authorizeUrl()}&redirect_uri=https%3A%2F%2Frival.test%2F`);
  expect(left).toEqual([
    expect.stringMatching(/^https:\/\/assistant\.example\/oauth\/callback\?error=invalid_request&/),
  ]);
  process.stdout.write(`Look-alike redirect URIs: ${alike.length}, all refused with a page of ours\n`);
});

test("rejects a registration with a script redirect, even among others", async () => {
  // Attack: a registration whose second redirect runs in the user's browser.
  await using w = await world();
  const scripts = [
    "javascript:alert(1)",
    "JAVASCRIPT:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
  ];
  for (const script of scripts) {
    const redirect_uris = ["https://assistant.example/callback", script];
    expect([script, (await registerClient(w, { redirect_uris })).status]).toEqual([script, 400]);
    for (const field of ["client_uri", "logo_uri", "policy_uri", "tos_uri"]) {
      const answer = await registerClient(w, {
        redirect_uris: ["https://assistant.example/callback"],
        [field]: script,
      });
      expect([field, script, answer.status]).toEqual([field, script, 400]);
    }
  }
});
