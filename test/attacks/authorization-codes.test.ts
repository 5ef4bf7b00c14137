import { createHash } from "node:crypto";
import type { AppError } from "../../core/shared/errors.ts";
import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { createOAuthClient, REDIRECT, sceneWithPassword } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { findCallerOf } from "../support/tool-token.ts";

async function accepts(w: Awaited<ReturnType<typeof world>>, accessToken: string): Promise<boolean> {
  return findCallerOf(w.deps.toolTokens, w.store, accessToken, w.deps.now()).then(
    () => true,
    (error: AppError) => error.code !== "UNAUTHENTICATED",
  );
}

test("eight concurrent redemptions of one stolen code give one set of tokens", async () => {
  // Attack: racing the honest client for its authorization code.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const code = (await probe.ask()).url.searchParams.get("code") ?? "";
  const answers = await Promise.all(Array.from({ length: 8 }, () => probe.redeem(code)));
  const outcomes = answers.map(({ status, body }) => (status === 200 ? "tokens" : String(body.error)));
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 7 }, () => "invalid_grant"), "tokens"]);
});

test("reusing a code revokes its tokens", async () => {
  // Attack: redeeming a code from a log after its owner did.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const first = await probe.connect();
  expect(await accepts(w, first.body.access_token)).toBe(true);
  expect(await probe.redeem(first.code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await accepts(w, first.body.access_token)).toBe(false);
  expect(await probe.refresh(first.body.refresh_token)).toMatchObject({ status: 400 });
});

test("a code is useless without its verifier, or with another client, redirect or audience", async () => {
  // Attack: an intercepted code (RFC 7636, RFC 9700 section 4.5).
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const thief = await createOAuthClient(w);
  const code = (await probe.ask()).url.searchParams.get("code") ?? "";
  const attempts = [
    await probe.redeem(code, { code_verifier: thief.verifier }),
    await probe.redeem(code, { code_verifier: undefined }),
    await thief.redeem(code, { code_verifier: probe.verifier }),
    await probe.redeem(code, { redirect_uri: `${REDIRECT}/other` }),
    await probe.redeem(code, { resource: "https://rival.test/mcp" }),
  ];
  expect(attempts.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  const plain = await probe.ask({ over: { code_challenge_method: "plain" } });
  const none = await probe.ask({ over: { code_challenge: undefined, code_challenge_method: undefined } });
  expect([plain, none].map(({ url }) => url.searchParams.get("error"))).toEqual(["invalid_request", "invalid_request"]);
});

test("a code that a stranger tries first is useless to them, and still works for its owner", async () => {
  // Attack: redeeming an intercepted code with another client, or without proof.
  await using w = await world();
  await sceneWithPassword(w);
  const [probe, thief] = [await createOAuthClient(w), await createOAuthClient(w)];
  const code = (await probe.ask()).url.searchParams.get("code") ?? "";
  const verifiers = [
    undefined,
    "",
    "x",
    thief.verifier,
    `${probe.verifier}x`,
    probe.verifier.slice(0, -1),
    "a".repeat(129),
  ];
  for (const code_verifier of [...verifiers, challengeOf(probe.verifier)]) {
    const stolen = await probe.redeem(code, { code_verifier });
    expect([code_verifier, stolen.status, stolen.body.error]).toEqual([
      code_verifier,
      400,
      expect.stringMatching(/^invalid_/),
    ]);
  }
  expect(await thief.redeem(code, { code_verifier: probe.verifier })).toMatchObject({ status: 400 });
  expect(await probe.redeem(code)).toMatchObject({ status: 200 });
});

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

test("issues no code without an S256 challenge", async () => {
  // Attack: PKCE downgrade (RFC 9700 section 4.8.2), by a plain, missing, empty or other method.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const plain = { code_challenge: probe.verifier, code_challenge_method: "plain" };
  const downgrades: Record<string, string | undefined>[] = [
    plain,
    { ...plain, code_challenge_method: undefined },
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: undefined },
    { code_challenge: "" },
    { code_challenge: "short" },
    { code_challenge_method: "" },
    { code_challenge_method: "s256" },
    { code_challenge_method: "S512" },
    { code_challenge_method: "none" },
  ];
  for (const over of downgrades) {
    const { url } = await probe.ask({ over });
    const { code, error } = Object.fromEntries(url.searchParams);
    expect([over, code, error]).toEqual([over, undefined, "invalid_request"]);
  }
});

test("every answer to a client names its issuer, success and error alike", async () => {
  // Attack: authorization server mix-up (RFC 9207), a response of one server passed off as
  // another's.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const answers: [string, Parameters<typeof probe.ask>[0]][] = [
    ["a code", {}],
    ["access_denied", { decision: "deny" }],
    ["invalid_request", { over: { code_challenge: undefined } }],
    ["invalid_target", { over: { resource: "https://rival.test/mcp" } }],
    ["unsupported_response_type", { over: { response_type: "token" } }],
    ["unsupported_response_type", { over: { response_type: "code id_token" } }],
    ["request_not_supported", { over: { request: "eyJhbGciOiJub25lIn0.e30." } }],
    ["request_uri_not_supported", { over: { request_uri: "https://rival.test/request" } }],
    ["login_required", { over: { prompt: "none" } }],
  ];
  for (const [expected, options] of answers) {
    const anybody =
      expected === "login_required" ? { browser: new Browser((url) => url.href.startsWith(REDIRECT)) } : {};
    const { url } = await probe.ask({ ...options, ...anybody });
    // An implicit request gets its error in the fragment, where its client expects it.
    const { code, error, iss, state } = Object.fromEntries(
      url.hash === "" ? url.searchParams : new URLSearchParams(url.hash.slice(1)),
    );
    expect([expected, code === undefined ? error : "a code", iss, state]).toEqual([
      expected,
      expected,
      w.config.baseUrl,
      "st",
    ]);
  }
});

test("returns codes and errors only in the query, whatever response mode is requested", async () => {
  // Attack: a code in a fragment, a form or a window message, where a page of the redirect's host
  // can read it.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const { body } = await w.request("GET", "/.well-known/oauth-authorization-server");
  expect(body.response_modes_supported).toEqual(["query"]);
  for (const response_mode of ["fragment", "form_post", "web_message", "jwt", "query.jwt", "fragment.jwt"]) {
    const answer = await probe.ask({ over: { response_mode } });
    const given = [
      answer.url.searchParams.get("code"),
      answer.url.hash.includes("code="),
      /name="code"/.test(answer.text),
    ];
    expect([response_mode, ...given]).toEqual([response_mode, expect.any(String), false, false]);
  }
  const posted = new URLSearchParams({
    ...Object.fromEntries(new URL(probe.authorizeUrl()).searchParams),
    response_mode: "fragment",
  });
  expect((await w.request("POST", "/oauth/authorize", { body: posted })).status).toBe(405);
});
