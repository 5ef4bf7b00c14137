import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { toSigningKeySealContext } from "../../db/identity/signing-keys.ts";
import { reencryptCommand } from "../../src/cli/reencrypt-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { openCommitted } from "../support/committed.ts";
import { newKey, sealedKeys, storeWithKeys } from "./sealed-keys.ts";

const PLACE = "some_table/some_row/some_field";

test("killed in the middle the command leaves every text whole, and a repeat ends its work", async () => {
  const folder = await mkdtemp(join(tmpdir(), "ring-"));
  const [old, present] = [newKey(), newKey()];
  const count = 6000;
  const store = await storeWithKeys(folder, count, openKeyRing(folder, { present: old }));
  const env = { DATA_DIR: folder, MASTER_KEY: present, PREVIOUS_MASTER_KEYS: old };
  const child = spawn(process.execPath, ["--import", "tsx", "bin/brand-visibility.ts", "reencrypt"], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const rings = { old: openKeyRing(folder, { present: old }), present: openKeyRing(folder, { present }) };
  const presentId = rings.present.seal("x", PLACE).split(".")[1] ?? "";
  const renewed = async () =>
    (await sealedKeys(store)).filter(({ sealedPrivateJwk }) => sealedPrivateJwk.startsWith(`v2.${presentId}.`)).length;
  const isBegun = async () => {
    const { q, t } = openCommitted(store);
    const [first] = await q.select({ sealed: t.signingKeys.sealedPrivateJwk }).from(t.signingKeys).limit(1);
    return first?.sealed.startsWith(`v2.${presentId}.`) === true;
  };
  while (!(await isBegun())) await sleep(1);
  child.kill("SIGKILL");
  await ended;
  const done = await renewed();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(count);
  const both = openKeyRing(folder, { present, previous: [old] });
  const opened = (await sealedKeys(store)).map((row) =>
    both.unseal(row.sealedPrivateJwk, toSigningKeySealContext(row.kid)),
  );
  expect(opened).toEqual(opened.map((_, at) => `private k${String(at).padStart(5, "0")}`));
  const { text, ok } = await reencryptCommand(store, [], readConfig(env));
  expect([ok, text]).toEqual([true, expect.stringContaining(`${count - done} re-encrypted`)]);
  expect(await renewed()).toBe(count);
  await store.close();
  await rm(folder, { recursive: true });
}, 30_000);
