import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeProtectedHeader, SignJWT } from "jose";
import { expect, test, vi } from "vitest";
import { createAccessTokenVerifier } from "../../auth/oauth/access-tokens.ts";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { openSigningKeys, type SigningKeys } from "../../auth/keys/signing-keys.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { runKeysCommand } from "../../src/cli/keys-command.ts";
import type { AppError } from "../../core/shared/errors.ts";
import { readConfig } from "../../src/config/config.ts";
import { addMs } from "../../core/shared/time.ts";
import { createOAuthClient, sceneWithPassword } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";
import { findCallerOf } from "../support/tool-token.ts";

const ROOT = join(import.meta.dirname, "../..");

function onError(error: unknown): never {
  throw error;
}

/** Commands take the time of the machine. */
async function runAt<T>(now: string, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(now) });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Has a step of rotation done that is due. */
async function rotated(keys: SigningKeys) {
  await keys.getKeySet();
  await keys.settled();
  return keys.getKeySet();
}

async function published(address: string): Promise<string> {
  return (await fetch(`${address}/.well-known/jwks.json`)).text();
}

/** Keys of one folder in one or several processes, with a moving clock. */
async function openFolder(start = "2026-01-01T00:00:00.000Z") {
  const folder = await mkdtemp(join(tmpdir(), "keys-"));
  const secrets = openKeyRing(folder);
  secrets.createKey();
  const stores: Store[] = [];
  const clock = { now: start };
  return {
    folder,
    clock,
    secrets,
    async openProcess(watch: (store: Store) => Store = (store) => store) {
      const store = await openStore(folder);
      stores.push(store);
      return openSigningKeys({ store: watch(store), secrets, now: () => clock.now, onError });
    },
    async command(...args: string[]) {
      const store = await openStore(folder);
      stores.push(store);
      return runAt(clock.now, () => runKeysCommand(store, args, readConfig({ DATA_DIR: folder })));
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

test("a new key is listed last, then first, then alone, without a restart, in all processes", async () => {
  await using f = await openFolder();
  const processes = [await f.openProcess(), await f.openProcess()];
  const kidsAt = async (now: string) => {
    f.clock.now = now;
    // Both find the same step due at the same moment.
    const sets = await Promise.all(processes.map(rotated));
    const lists = sets.map(({ publicJwks }) => publicJwks.keys.map((key) => key.kid));
    for (const { kid, privateJwks } of sets) {
      expect([kid, privateJwks.map((key) => key.kid)]).toEqual([lists[0]?.[0], lists[0]]);
    }
    expect(lists[1]).toEqual(lists[0]);
    expect((await (await f.openProcess()).getKeySet()).publicJwks).toEqual(sets[0]?.publicJwks);
    return lists[0] ?? [];
  };
  const [first] = await kidsAt("2026-01-01T00:00:00.000Z");
  expect(await kidsAt("2026-03-31T00:00:00.000Z")).toEqual([first]);
  const [, second] = await kidsAt("2026-04-01T00:00:00.000Z");
  expect(await kidsAt("2026-04-01T23:59:59.000Z")).toEqual([first, second]);
  expect(await kidsAt("2026-04-02T00:00:10.000Z")).toEqual([second, first]);
  expect(await kidsAt("2026-04-03T00:00:10.000Z")).toEqual([second, first]);
  expect(await kidsAt("2026-04-03T00:00:15.001Z")).toEqual([second]);
  const store = await openStore(f.folder);
  const rows = JSON.stringify(await openCommitted(store).q.select().from(openCommitted(store).t.signingKeys));
  await store.close();
  expect(rows).not.toContain('"d"');
});

test("signatures of the old key are accepted while the new one signs, until it is removed", async () => {
  await using f = await openFolder();
  const signingKeys = await f.openProcess();
  const [issuer, audience] = ["https://visibility.test", "https://visibility.test/mcp"];
  const old = await signingKeys.getKeySet();
  const token = await new SignJWT({ client_id: "c", gid: "g" })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: old.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("person")
    .setJti("j")
    .setIssuedAt()
    .setExpirationTime("1 year")
    .sign(old.privateKey);
  const verify = createAccessTokenVerifier({
    signingKeys,
    issuer,
    isAudience: (one) => one === audience,
    errorMessage: "no",
  });
  const outcomeAt = async (now: string) => {
    f.clock.now = now;
    await rotated(signingKeys);
    return verify(token, new Date().toISOString()).then(
      ({ userId }) => userId,
      (error: AppError) => error.code,
    );
  };
  expect(await outcomeAt("2026-04-01T00:00:00.000Z")).toBe("person");
  expect(await outcomeAt("2026-04-02T00:00:00.000Z")).toBe("person");
  expect(await outcomeAt("2026-04-04T00:00:00.000Z")).toBe("UNAUTHENTICATED");
});

test("keys created or retired under a wrong clock sign, age and expire as if created now", async () => {
  // Fault: a key from a year ahead delayed rotation, and a retired one stayed trusted.
  await using f = await openFolder();
  const keys = await f.openProcess();
  const kidsAt = async (now: string) => {
    f.clock.now = now;
    return (await rotated(keys)).publicJwks.keys.map((key) => key.kid);
  };
  const [first] = await kidsAt("2026-01-02T00:00:00.000Z");
  const [, ahead] = await kidsAt("2027-01-01T00:00:00.000Z");
  expect(await kidsAt("2026-01-03T00:00:00.000Z")).toEqual([first, ahead]);
  expect(await kidsAt("2026-01-04T00:00:10.000Z")).toEqual([ahead, first]);
  expect(await kidsAt("2026-01-05T00:00:20.000Z")).toEqual([ahead]);
  expect(await kidsAt("2026-04-02T00:00:00.000Z")).toEqual([ahead]);
  expect(await kidsAt("2026-04-04T00:00:00.000Z")).toHaveLength(2);
});

test("a token is signed within a transaction although a step of rotation is due, which waits for that transaction", async () => {
  await using f = await openFolder();
  const keys = await f.openProcess();
  const { kid } = await keys.getKeySet();
  f.clock.now = "2026-04-01T00:00:00.000Z";
  const store = await openStore(f.folder);
  expect(await store.write(async () => (await keys.getKeySet()).kid)).toBe(kid);
  await store.close();
  await keys.settled();
  expect((await keys.getKeySet()).publicJwks.keys).toHaveLength(2);
});

test("keys with unknown names make a process reload at most once a second", async () => {
  // Attack: tokens with invented key ids, each of which would cost a read of the store.
  await using f = await openFolder();
  let reads = 0;
  const counted = (store: Store): Store => ({
    ...store,
    read(work) {
      reads++;
      return store.read(work);
    },
  });
  const keys = await f.openProcess(counted);
  const unknown = async () => {
    for (let n = 0; n < 100; n++) expect(await keys.trustedKey(`../../${n}`)).toBeUndefined();
  };
  await unknown();
  expect(reads).toBe(0);
  f.clock.now = addMs(f.clock.now, 1000);
  await unknown();
  expect(reads).toBe(1);
  await f.command("rotate", "--now");
  f.clock.now = addMs(f.clock.now, 1000);
  const { kid } = await (await f.openProcess()).getKeySet();
  expect(await keys.trustedKey(kid)).toBeDefined();
  expect(reads).toBe(2);
});

test("the command publishes the next key a day before it signs, once, and shows the use of each key", async () => {
  await using f = await openFolder();
  expect(await f.command()).toEqual({
    ok: true,
    text: "No signing keys yet. The first start of the service creates one.\n",
  });
  const keys = await f.openProcess();
  const [first] = [...(await keys.getKeySet()).trusted.keys()];
  f.clock.now = "2026-01-10T00:00:00.000Z";
  const { text } = await f.command("rotate");
  expect((await f.command("rotate")).text).toBe(text);
  const [, second = ""] = [...(await keys.getKeySet()).trusted.keys()];
  expect(text).toBe(
    `${first}  since 2026-01-01T00:00:00.000Z  signs\n` +
      `${second}  since 2026-01-10T00:00:00.000Z  published, signs from 2026-01-11T00:00:00.000Z\n`,
  );
  f.clock.now = "2026-01-11T00:00:00.000Z";
  expect((await rotated(keys)).kid).toBe(second);
  expect((await f.command("list")).text).toBe(
    `${second}  since 2026-01-10T00:00:00.000Z  signs\n` +
      `${first}  since 2026-01-01T00:00:00.000Z  no longer signs, is trusted until 2026-01-12T00:00:00.000Z\n`,
  );
  for (const args of [["forget"], ["list", "--now"], ["rotate", "now"], ["rotate", "--later"]]) {
    expect(await f.command(...args)).toMatchObject({ ok: false, text: expect.stringContaining("Invalid arguments.") });
  }
});

test("a command with another master key reports it and changes no keys", async () => {
  await using f = await openFolder();
  const { kid } = await (await f.openProcess()).getKeySet();
  const store = await openStore(f.folder);
  const MASTER_KEY = Buffer.alloc(32, 7).toString("base64");
  for (const args of [["rotate"], ["rotate", "--now"]]) {
    const end = runKeysCommand(store, args, readConfig({ DATA_DIR: f.folder, MASTER_KEY }));
    await expect(end).rejects.toThrow(
      "A stored secret cannot be decrypted with this master key. Restore the MASTER_KEY",
    );
  }
  await store.close();
  expect((await (await f.openProcess()).getKeySet()).trusted.size).toBe(1);
  expect((await (await f.openProcess()).getKeySet()).kid).toBe(kid);
});

test("a stolen key becomes useless within seconds; programs and assistants refresh and continue", async () => {
  // Attack: a copy of the signing key, by which anybody could be anyone.
  let now = new Date().toISOString();
  await using w = await world({ now: () => now });
  const { owner } = await sceneWithPassword(w);
  const pair = (await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).body;
  const probe = await createOAuthClient(w);
  const connected = (await probe.connect()).body;
  const rest = async (token: string) =>
    (await w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${token}` } })).status;
  const tools = (token: string) =>
    findCallerOf(w.deps.toolTokens, w.store, token, now).then(
      () => 200,
      (error: AppError) => error.status,
    );
  expect([await rest(pair.access_token), await tools(connected.access_token)]).toEqual([200, 200]);
  await runKeysCommand(w.store, ["rotate", "--now"], w.config);
  now = addMs(now, 5000);
  expect([await rest(pair.access_token), await tools(connected.access_token)]).toEqual([401, 401]);
  const refreshed = await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: pair.refresh_token } });
  const again = (await probe.refresh(connected.refresh_token)).body;
  expect([await rest(refreshed.body.access_token), await tools(again.access_token)]).toEqual([200, 200]);
  const { keys } = (await w.request("GET", "/.well-known/jwks.json")).body;
  const kids = [refreshed.body.access_token, again.access_token].map((token) => decodeProtectedHeader(token).kid);
  expect(keys.map((key: { kid: string }) => [key.kid, key.kid])).toEqual([kids]);
});

test("publishes keys for any origin, cacheable for five minutes", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const { kid } = decodeProtectedHeader(owner.accessToken);
  for (const path of ["/.well-known/jwks.json", "/oauth/jwks"]) {
    const { status, body, headers } = await w.request("GET", path);
    expect([path, status, body]).toEqual([
      path,
      200,
      {
        keys: [
          { kid, kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String), use: "sig", alg: "ES256" },
        ],
      },
    ]);
    expect(headers.get("content-type")).toBe("application/jwk-set+json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(headers.get("access-control-allow-origin")).toBe("*");
  }
});

test("another process on the same folder takes a rotation by command up while it runs", async () => {
  await using w = await world();
  const env = { PATH: process.env["PATH"], DATA_DIR: w.config.DATA_DIR, DEMO: "0", LOG_LEVEL: "silent" };
  const child = spawn(process.execPath, ["--enable-source-maps", "dist/src/start.js"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, PORT: "0", SERVE: "core" },
  });
  try {
    let printed = "";
    let address: string | undefined;
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      address = /REST +(\S+)\/v1/.exec(printed)?.[1];
      if (address !== undefined) break;
    }
    const before = await published(w.config.baseUrl);
    expect(await published(address ?? "")).toBe(before);
    const run = promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "bin/brand-visibility.ts", "keys", "rotate", "--now"],
      {
        cwd: ROOT,
        env,
      },
    );
    const { stdout } = await run;
    expect(stdout).toMatch(/^\S{43} {2}since \S+ {2}signs\n$/);
    for (const base of [w.config.baseUrl, address ?? ""]) {
      await expect.poll(() => published(base), { timeout: 8000, interval: 250 }).toContain(stdout.slice(0, 43));
      expect(await published(base)).not.toBe(before);
    }
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
}, 40_000);
