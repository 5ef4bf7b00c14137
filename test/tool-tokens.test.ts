import { createHmac, generateKeyPairSync } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { exportJWK, SignJWT, type JWTHeaderParameters } from "jose";
import { expect, test } from "vitest";
import type { AppError } from "../src/core/errors.ts";
import { insertGrant, mintToolToken, signingKeysOf } from "./tool-token.ts";
import { world } from "./world.ts";

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a tool token proves its person, client and scopes, at both addresses of the tool server", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  for (const audience of [w.config.mcpUrl, `${w.config.mcpUrl}/connect`]) {
    const { token, clientId } = await mintToolToken(w, owner, { audience, scopes: ["read", "analyses:create"] });
    expect(await w.deps.toolTokens.verify(w.store.read, token, w.deps.now())).toEqual({
      userId: owner.id,
      door: "mcp",
      clientId,
      scopes: new Set(["read", "analyses:create"]),
      reach: null,
      signedInThrough: null,
    });
  }
});

test("a stolen token ends with its grant, its account, or its time, at the very next call", async () => {
  // Attack: keeping a signed token in use after the person revoked it.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const outcome = (token: string) =>
    w.deps.toolTokens.verify(w.store.read, token, w.deps.now()).then(
      () => "accepted",
      (error: AppError) => error.code,
    );
  const revoked = await mintToolToken(w, owner);
  const expiring = await mintToolToken(w, owner, { expiresInSeconds: 60 });
  const disabled = await mintToolToken(w, owner);
  expect(await Promise.all([revoked, expiring, disabled].map(({ token }) => outcome(token)))).toEqual([
    "accepted",
    "accepted",
    "accepted",
  ]);
  await w.store.write(async ({ q, t }) => {
    await q
      .delete(t.oauthRecords)
      .where(and(eq(t.oauthRecords.model, "Grant"), eq(t.oauthRecords.id, revoked.grantId)));
  });
  expect(await outcome(revoked.token)).toBe("UNAUTHENTICATED");
  now = "2026-11-21T08:01:14.000Z";
  expect(await outcome(expiring.token)).toBe("accepted");
  now = "2026-11-21T08:01:15.000Z";
  expect(await outcome(expiring.token)).toBe("UNAUTHENTICATED");
  await w.store.write(async ({ q, t }) => {
    await q.update(t.users).set({ disabledAt: now }).where(eq(t.users.id, owner.id));
  });
  expect(await outcome(disabled.token)).toBe("UNAUTHENTICATED");
});

test("a token that was forged or made for something else is refused, never a failure of ours", async () => {
  // Attack: every known way to pass off a JWT that the authorization server did not sign for this server.
  await using w = await world();
  const { owner } = await w.acme();
  const rival = await w.signIn("mallory@rival.test");
  const keys = await signingKeysOf(w);
  const grantId = await insertGrant(w, { userId: owner.id, clientId: "c" });
  const good = {
    iss: w.config.baseUrl,
    aud: w.config.mcpUrl,
    sub: owner.id,
    client_id: "c",
    gid: grantId,
    scope: "read",
    jti: "a",
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor(Date.now() / 1000) + 600,
  };
  const header: JWTHeaderParameters = { alg: "ES256", typ: "at+jwt", kid: keys.kid };
  const sign = (claims: object, over: Partial<JWTHeaderParameters> = {}, key = keys.privateKey) =>
    new SignJWT({ ...good, jti: crypto.randomUUID(), ...claims }).setProtectedHeader({ ...header, ...over }).sign(key);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const otherKey = await crypto.subtle.importKey(
    "jwk",
    await exportJWK(other.privateKey),
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign"],
  );
  const otherPublic = await exportJWK(other.publicKey);
  const genuine = await sign({ jti: "genuine" });
  const [head = "", body = "", signature = ""] = genuine.split(".");
  const hmac = (secret: string) => {
    const text = `${encoded({ ...header, alg: "HS256" })}.${encoded({ ...good, jti: "h" })}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const [publicJwk] = keys.publicJwks.keys;
  const corpus: Record<string, string> = {
    expired: await sign({ iat: good.iat - 1000, exp: good.iat - 16 }),
    "without an end": await sign({ exp: undefined }),
    "not yet valid": await sign({ nbf: good.iat + 3600 }),
    "another audience": await sign({ aud: `${w.config.baseUrl}/v1` }),
    "an audience that starts alike": await sign({ aud: `${w.config.mcpUrl}/connected` }),
    "no audience": await sign({ aud: undefined }),
    "another issuer": await sign({ iss: "https://rival.test" }),
    "an identity token": await sign({}, { typ: "JWT" }),
    "another account's grant": await sign({ sub: rival.id }),
    "another client's grant": await sign({ client_id: "d" }),
    "no grant": await sign({ gid: undefined }),
    "a grant that never was": await sign({ gid: "x" }),
    "a grant that is not text": await sign({ gid: { $ne: "" } }),
    "alg none": `${encoded({ ...header, alg: "none" })}.${encoded(good)}.`,
    "alg None with a signature": `${encoded({ ...header, alg: "None" })}.${encoded(good)}.${signature}`,
    "HMAC with the public key as JSON": hmac(JSON.stringify(publicJwk)),
    "HMAC with the public key's coordinate": hmac(publicJwk?.x ?? ""),
    "another key under our kid": await sign({}, {}, otherKey),
    "another key under its own kid": await sign({}, { kid: "rival" }, otherKey),
    "another key without a kid": await sign({}, { kid: undefined } as never, otherKey),
    "an embedded key": await sign({}, { jwk: otherPublic }, otherKey),
    "a key address": await sign({}, { jku: "https://rival.test/jwks", kid: "rival" }, otherKey),
    "a kid that is a path": await sign({}, { kid: "../../../../dev/null" }),
    "a kid that is SQL": await sign({}, { kid: "' OR 1=1 --" }),
    "an unknown critical header": `${encoded({ ...header, crit: ["x"], x: 1 })}.${body}.${signature}`,
    "a stripped signature": `${head}.${body}.`,
    "two parts": `${head}.${body}`,
    "another body under a true signature": `${head}.${encoded({ ...good, scope: "analyses:create" })}.${signature}`,
    "the jti of a cached token": `${head}.${encoded({ ...good, jti: "genuine", sub: rival.id })}.${signature}`,
    "a lenient encoding of a cached token": `${genuine}=`,
    "a REST token": owner.accessToken,
    "an API key": owner.apiKey,
    nothing: "",
    "not a token": "…",
  };
  expect(await w.deps.toolTokens.verify(w.store.read, genuine, w.deps.now())).toMatchObject({ userId: owner.id });
  const outcomes: Record<string, string> = {};
  for (const [name, token] of Object.entries(corpus)) {
    outcomes[name] = await w.deps.toolTokens.verify(w.store.read, token, w.deps.now()).then(
      () => "accepted",
      (error: AppError) => error.code,
    );
  }
  expect(outcomes).toEqual(Object.fromEntries(Object.keys(corpus).map((name) => [name, "UNAUTHENTICATED"])));
});

test("a tool token is not a REST token", async () => {
  // Attack: an assistant's token, which carries scopes, used where scopes are not looked at.
  await using w = await world();
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner, { scopes: ["read"] });
  const answer = await w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${token}` } });
  expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
});

test("using a grant notes when, and a thousand uses in a minute are one write", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { token, grantId } = await mintToolToken(w, owner);
  const lastUse = async () => {
    const { q, t } = w.store.read;
    const [row] = await q
      .select({ lastUsedAt: t.oauthRecords.lastUsedAt })
      .from(t.oauthRecords)
      .where(eq(t.oauthRecords.id, grantId));
    return row?.lastUsedAt;
  };
  expect(await lastUse()).toBeNull();
  const at = w.deps.now();
  for (let call = 0; call < 1000; call++) await w.deps.toolTokens.verify(w.store.read, token, at);
  await expect.poll(lastUse, { timeout: 5000 }).toBe(at);
  await w.deps.toolTokens.verify(w.store.read, token, w.deps.now());
  expect(await lastUse()).toBe(at);
});
