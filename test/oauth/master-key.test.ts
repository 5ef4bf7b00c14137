import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName } from "drizzle-orm";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { openSecrets } from "../../auth/keys/secrets.ts";
import { tables } from "../../db/schema.ts";
import { SEALED_COLUMNS } from "../../db/identity/sealed-columns.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { reencryptCommand } from "../../src/cli/reencrypt-command.ts";
import { runKeysCommand } from "../../src/cli/keys-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { startService } from "../../src/service.ts";
import { startFailureText } from "../../src/process/start-failure.ts";
import { PARTNER_TOKEN } from "../partner/partner-process.ts";
import { partnerScene } from "../partner/scene.ts";
import { world } from "../support/world.ts";
import { newKey, sealedKeys, storeWithKeys } from "./sealed-keys.ts";
import { openCommitted } from "../support/committed.ts";

const PLACE = "some_table/some_row/some_field";

const altered = (part: string) => (part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`);

async function connectionIn(store: Store): Promise<string> {
  const { q, t } = openCommitted(store);
  return (await q.select().from(t.partnerConnections))[0]?.sealedToken ?? "";
}

test("each text has a separate data key, and names its wrapping key", () => {
  const [present, other] = [newKey(), newKey()];
  const ring = openKeyRing("/nowhere", { present });
  const texts = [ring.seal("the same", PLACE), ring.seal("the same", PLACE)].map((text) => text.split("."));
  expect(texts.map((parts) => parts.slice(0, 2))).toEqual([texts[0]?.slice(0, 2), texts[0]?.slice(0, 2)]);
  expect(texts[0]?.[1]).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(texts.flatMap((parts) => parts.slice(2))).size).toBe(4);
  const id = openKeyRing("/nowhere", { present: other }).seal("x", PLACE).split(".")[1];
  expect(id).not.toBe(texts[0]?.[1]);
});

// Attack: moving a ciphertext, or another record's data key, to where its text is shown or used.
test("a text that was moved, altered, shortened, or combined with another data key does not open", () => {
  const ring = openKeyRing("/nowhere", { present: newKey() });
  const [sealed, other] = [ring.seal("secret", PLACE), ring.seal("another", "t/other/f")];
  const [version, id, wrapped = "", body = ""] = sealed.split(".");
  const hostile: [string, string][] = [
    [sealed, "some_table/another_row/some_field"],
    [[version, id, other.split(".")[2], body].join("."), PLACE],
    [[version, id, wrapped, other.split(".")[3]].join("."), PLACE],
    [[version, id, altered(wrapped), body].join("."), PLACE],
    [[version, id, wrapped, altered(body)].join("."), PLACE],
    [[version, "0000000000000000", wrapped, body].join("."), PLACE],
    [[version, id, wrapped].join("."), PLACE],
    [`v3.${id}.${wrapped}.${body}`, PLACE],
    [`${sealed}.`, PLACE],
    ["v2...", PLACE],
    ["", PLACE],
  ];
  expect(ring.unseal(sealed, PLACE)).toBe("secret");
  for (const [text, place] of hostile) {
    expect(() => ring.unseal(text, place)).toThrow(/cannot be decrypted|unknown format/);
    expect(() => ring.rewrap(text, place)).toThrow(/cannot be decrypted|unknown format/);
  }
});

test("rewrapping changes the key that wraps, not the text; then the old key is needed no more", () => {
  const [old, present] = [newKey(), newKey()];
  const sealed = openKeyRing("/nowhere", { present: old }).seal("secret", PLACE);
  const both = openKeyRing("/nowhere", { present, previous: [old] });
  const rewrapped = both.rewrap(sealed, PLACE) ?? "";
  expect(rewrapped.split(".")[3]).toBe(sealed.split(".")[3]);
  expect(both.rewrap(rewrapped, PLACE)).toBeUndefined();
  expect(openKeyRing("/nowhere", { present }).unseal(rewrapped, PLACE)).toBe("secret");
  expect(() => openKeyRing("/nowhere", { present }).unseal(sealed, PLACE)).toThrow("PREVIOUS_MASTER_KEYS");
});

test("rejects secrets older than the key ring with the remedy, at start and in use, and recreates nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const ring = openKeyRing(folder, { present: newKey() });
  const before = `v1.${randomBytes(60).toString("base64url")}`;
  expect(() => ring.unseal(before, PLACE)).toThrow("run `npm run reencrypt` there");
  const store = await storeWithKeys(folder, 1, { seal: () => before });
  await expect(openSecrets(store, ring, "2026-11-21T08:00:00.000Z")).rejects.toThrow("run `npm run reencrypt` there");
  expect(await openCommitted(store).q.$count(openCommitted(store).t.installationSecrets)).toBe(0);
  expect(await sealedKeys(store)).toMatchObject([{ sealedPrivateJwk: before }]);
  await store.close();
  await rm(folder, { recursive: true });
});

test("the master key changes while the service runs, and API keys, tokens and connections go on", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "ring-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const file = join(dataDir, "master.key");
  const scene = await partnerScene("http://127.0.0.1:9", { dataDir });
  const { store, deps } = scene.w;
  const place = `partner_connections/${scene.workspace.id}/token`;
  const connection = () => connectionIn(store);
  const environment = readConfig({ DATA_DIR: dataDir });
  const old = (await readFile(file, "utf8")).trim();
  const before = await connection();
  const changed = await reencryptCommand(store, ["--new-key"], environment);
  expect([changed.ok, changed.text]).toEqual([
    true,
    expect.stringMatching(/partner_connections\.sealed_token +1 re-encrypted/),
  ]);
  const [current, ...others] = (await readFile(file, "utf8")).trim().split("\n");
  expect(others).toEqual([old]);
  expect(current).not.toBe(old);
  // The running service opens texts sealed under a new key, and seals under it.
  expect(await connection()).not.toBe(before);
  expect(deps.secrets.unseal(await connection(), place)).toBe(PARTNER_TOKEN);
  await scene.connect();
  const dropped = await reencryptCommand(store, ["--drop-old"], environment);
  expect([dropped.ok, dropped.text]).toEqual([
    true,
    expect.stringMatching(/sealed_token +0 re-encrypted +1 unchanged/),
  ]);
  expect(await readFile(file, "utf8")).not.toContain(old);
  await scene[Symbol.asyncDispose]();
  await using again = await world({ dataDir, env: { PORT: new URL(scene.w.config.baseUrl).port } });
  expect(again.deps.secrets.unseal(await connectionIn(again.store), place)).toBe(PARTNER_TOKEN);
  const headers = { authorization: `Bearer ${scene.owner.accessToken}` };
  expect((await again.request("GET", "/v1/auth/me", { headers })).status).toBe(200);
  const exchanged = await again.request("POST", "/v1/auth/token", { body: { api_key: scene.owner.apiKey } });
  expect(exchanged.status).toBe(200);
  await writeFile(file, old);
  await expect(world({ dataDir })).rejects.toThrow("cannot be decrypted with this master key");
});

/** Message of a service that fails to start in this folder. */
async function failureOf(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const environment = readConfig({ PORT: "0", LOG_LEVEL: "silent", DEMO: "0", DATA_DIR: dataDir, ...env });
  return startService(environment, { log: pino({ level: "silent" }) }).then(
    async (service) => {
      await service.close();
      return "started";
    },
    (error: unknown) => startFailureText(error, environment),
  );
}

test("a lost or damaged master.key prevents the start, stays unchanged, and works once restored", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "ring-"));
  const file = join(dataDir, "master.key");
  expect(await failureOf(dataDir)).toBe("started");
  const right = await readFile(file, "utf8");
  const missing = `There is no master key in ${file}, and the secrets in the database were encrypted with it. Put that file back`;
  const damaged = "A master key must be 32 bytes in base64. Restore";
  const faults: [string, () => Promise<unknown>, string][] = [
    ["missing", () => Promise.resolve(), missing],
    ["a link to nothing", () => symlink(join(dataDir, "elsewhere"), file), missing],
    ["a folder", () => mkdir(file), missing],
    ["empty", () => writeFile(file, ""), missing],
    ["a blank line", () => writeFile(file, "\n"), missing],
    ["truncated", () => writeFile(file, right.slice(0, 20)), damaged],
    ["truncated behind another", () => writeFile(file, `${right}${right.slice(0, 20)}`), damaged],
    ["no key", () => writeFile(file, randomBytes(64)), damaged],
    ["another key", () => writeFile(file, newKey()), "A stored secret cannot be decrypted with this master key."],
  ];
  for (const [fault, make, said] of faults) {
    await rm(file, { recursive: true, force: true });
    await make();
    const before = await inFolder(dataDir);
    const failure = await failureOf(dataDir);
    expect([fault, failure]).toEqual([fault, expect.stringContaining(said)]);
    expect([fault, await inFolder(dataDir)]).toEqual([fault, before]);
    await rm(file, { recursive: true, force: true });
    await writeFile(file, right);
    expect([fault, await failureOf(dataDir)]).toEqual([fault, "started"]);
  }
  await rm(file);
  expect(await failureOf(dataDir, { MASTER_KEY: right.trim() })).toBe("started");
  expect(await failureOf(dataDir, { PREVIOUS_MASTER_KEYS: right.trim() })).toContain(missing);
  await rm(dataDir, { recursive: true });
}, 60_000);

/** Names and texts of the folder's keys. */
async function inFolder(dataDir: string): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith("master"));
  return Promise.all(
    names.map(async (name) => `${name} ${await readFile(join(dataDir, name), "base64").catch(({ code }) => code)}`),
  );
}

test("commands never write a key to replace a lost one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const store = await storeWithKeys(folder, 1, openKeyRing(folder, { present: newKey() }));
  const environment = readConfig({ DATA_DIR: folder });
  await expect(reencryptCommand(store, ["--new-key"], environment)).rejects.toThrow("There is no master key in");
  await expect(runKeysCommand(store, ["rotate"], environment)).rejects.toThrow("There is no master key in");
  expect(await inFolder(folder)).toEqual([]);
  await store.close();
  await rm(folder, { recursive: true });
});

test("of two concurrent first starts, both use the file's key and the same root", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const stores = [await openStore(folder), await openStore(folder)];
  const at = "2026-11-21T08:00:00.000Z";
  const both = await Promise.all(stores.map((store) => openSecrets(store, openKeyRing(folder), at)));
  const [one, other] = both.map((secrets) => secrets.derive("x").toString("hex"));
  expect(one).toBe(other);
  const sealed = both[0]?.seal("secret", PLACE) ?? "";
  expect(both[1]?.unseal(sealed, PLACE)).toBe("secret");
  expect(await inFolder(folder)).toHaveLength(1);
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});

test("texts that no key opens are named, stay unchanged, and keep the old keys", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const [lost, present] = [newKey(), newKey()];
  await writeFile(join(folder, "master.key"), `${present}\n`);
  const store = await storeWithKeys(folder, 2, openKeyRing(folder, { present: lost }));
  const before = await sealedKeys(store);
  const { text, ok } = await reencryptCommand(store, ["--drop-old"], readConfig({ DATA_DIR: folder }));
  expect([ok, text]).toEqual([false, expect.stringContaining("k00001 cannot be decrypted")]);
  expect(text).toContain("2 could not be decrypted with any key, and were left unchanged.");
  expect(await sealedKeys(store)).toEqual(before);
  await store.close();
  await rm(folder, { recursive: true });
});

test("changing the master key covers each column of sealed texts", () => {
  const sealed = Object.values(tables).flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => `${getTableName(table)}.${column.name}`),
  );
  const listed = SEALED_COLUMNS.map(({ name }) => name);
  // A client secret is a JSON field, which the schema does not show.
  expect(listed.filter((name) => name !== "oauth_records.payload.client_secret").toSorted()).toEqual(
    sealed.filter((name) => name.includes(".sealed_")).toSorted(),
  );
});

test("rejects an unknown option with the usage", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const store = await openStore(folder);
  const run = (env: Record<string, string>, args: string[]) =>
    reencryptCommand(store, args, readConfig({ DATA_DIR: folder, ...env }));
  expect(await run({}, ["--help"])).toMatchObject({ ok: true });
  expect(await run({}, ["--new-key", "--drop-old"])).toMatchObject({ ok: false });
  expect(await run({}, ["--newkey"])).toMatchObject({
    ok: false,
    text: expect.stringContaining("npx brand-visibility reencrypt") as unknown,
  });
  expect(await run({ MASTER_KEY: newKey() }, ["--new-key"])).toMatchObject({ ok: false });
  await store.close();
  await rm(folder, { recursive: true });
});
