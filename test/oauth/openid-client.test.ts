import * as client from "openid-client";
import { expect, test } from "vitest";
import { REDIRECT, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";

test("a certified client library discovers, registers, signs in with PKCE and refreshes, checking each answer itself", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const { baseUrl, mcpUrl } = w.config;
  const insecure = { execute: [client.allowInsecureRequests] };
  const config = await client.dynamicClientRegistration(
    new URL(baseUrl),
    { client_name: "Library", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    client.None(),
    insecure,
  );
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "read",
    resource: mcpUrl,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const browser = await signedInBrowser(w, "owner@acme.test", (url) => url.href.startsWith(REDIRECT));
  const consent = await browser.get(address);
  const back = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  const tokens = await client.authorizationCodeGrant(
    config,
    back.url,
    { pkceCodeVerifier: verifier, expectedState: state },
    { resource: mcpUrl },
  );
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "read" });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "", { resource: mcpUrl });
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
});
