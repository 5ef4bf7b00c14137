import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { accessTokenVerifier } from "../auth/access-tokens.ts";
import { openKeyRing } from "../auth/key-ring.ts";
import { openSigningKeys } from "../auth/signing-keys.ts";
import { openStore } from "../db/store.ts";
import type { AppError } from "../src/core/errors.ts";

test("a new key is listed last, then first, then alone; starts in between change nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keys-"));
  const store = openStore(folder);
  const secrets = openKeyRing(folder);
  const kidsAt = async (now: string) => {
    const { kid, publicJwks, privateJwks } = await openSigningKeys(store, secrets, now);
    const published = publicJwks.keys.map((key) => key.kid);
    expect([kid, privateJwks.map((key) => key.kid)]).toEqual([published[0], published]);
    return published;
  };
  const [first] = await kidsAt("2026-01-01T00:00:00.000Z");
  expect(await kidsAt("2026-03-31T00:00:00.000Z")).toEqual([first]);
  const [, second] = await kidsAt("2026-04-01T00:00:00.000Z");
  expect(await kidsAt("2026-04-01T23:59:59.000Z")).toEqual([first, second]);
  expect(await kidsAt("2026-04-02T00:00:00.000Z")).toEqual([second, first]);
  expect(await kidsAt("2026-04-03T00:00:00.000Z")).toEqual([second, first]);
  expect(await kidsAt("2026-04-03T00:00:00.001Z")).toEqual([second]);
  const rows = JSON.stringify(await store.read.q.select().from(store.read.t.signingKeys));
  expect(rows).not.toContain('"d"');
  await store.close();
  await rm(folder, { recursive: true });
});

test("what the old key signed is accepted while the new one signs, and no longer when it is gone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "keys-"));
  const store = openStore(folder);
  const secrets = openKeyRing(folder);
  const [issuer, audience] = ["https://visibility.test", "https://visibility.test/mcp"];
  const keysAt = (now: string) => openSigningKeys(store, secrets, now);
  const old = await keysAt("2026-01-01T00:00:00.000Z");
  const token = await new SignJWT({ client_id: "c", gid: "g" })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: old.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("person")
    .setJti("j")
    .setIssuedAt()
    .setExpirationTime("1 year")
    .sign(old.privateKey);
  const outcomeWith = async (now: string) => {
    const verify = accessTokenVerifier({ keys: await keysAt(now), issuer, audiences: [audience], refusal: "no" });
    return verify(token, new Date().toISOString()).then(
      ({ userId }) => userId,
      (error: AppError) => error.code,
    );
  };
  expect(await outcomeWith("2026-04-01T00:00:00.000Z")).toBe("person");
  expect(await outcomeWith("2026-04-02T00:00:00.000Z")).toBe("person");
  expect(await outcomeWith("2026-04-04T00:00:00.000Z")).toBe("UNAUTHENTICATED");
  await store.close();
  await rm(folder, { recursive: true });
});
