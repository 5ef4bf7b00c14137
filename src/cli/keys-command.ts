import { parseArgs } from "node:util";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { sortSigningKeys, KEY_OVERLAP_MS, publishNextKey, replaceAllKeys } from "../../auth/keys/signing-keys.ts";
import { listSigningKeys, type SigningKeyRow } from "../../db/identity/signing-keys.ts";
import type { Store } from "../../db/engine/store.ts";
import { getMasterKeys, type Environment } from "../config/config.ts";
import { toInstant, addMs } from "../../core/shared/time.ts";
import type { CommandResult } from "./run-command.ts";

export const KEYS_HELP = `Lists and rotates the signing keys of access tokens. Works while the service runs: every process picks up a change
within seconds. Keys rotate automatically every 90 days. Uses the settings of npm start.

  npx brand-visibility keys                lists every key and its use (also: npx brand-visibility keys list)
  npx brand-visibility keys rotate         publishes the next key, which signs a day later; clients are not affected
  npx brand-visibility keys rotate --now   for leaked keys: signs with a new key at once and trusts no
                                           other, so programs and assistants must refresh their access tokens
`;

export async function runKeysCommand(store: Store, args: string[], environment: Environment): Promise<CommandResult> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { help: { type: "boolean" }, now: { type: "boolean" } },
  });
  const [verb = "list", ...more] = positionals;
  const unknown = Object.keys(values).filter((name) => name !== "help" && name !== "now");
  const rotates = verb === "rotate";
  if (values["help"] === true) return { text: KEYS_HELP, ok: true };
  if ((verb !== "list" && !rotates) || more.length + unknown.length > 0 || (values["now"] === true && !rotates)) {
    return { text: `Invalid arguments.\n\n${KEYS_HELP}`, ok: false };
  }
  if (!rotates) return { text: describe(await store.read(listSigningKeys)), ok: true };
  const ring = openKeyRing(environment.DATA_DIR, getMasterKeys(environment));
  const rotate = values["now"] === true ? replaceAllKeys : publishNextKey;
  return { text: describe(await rotate(store, ring, toInstant(Date.now()))), ok: true };
}

function describe(stored: readonly SigningKeyRow[]): string {
  if (stored.length === 0) return "No signing keys yet. The first start of the service creates one.\n";
  return sortSigningKeys(stored)
    .map((key, index) => `${key.kid}  since ${key.createdAt}  ${describeDuty(key, index)}\n`)
    .join("");
}

function describeDuty(key: SigningKeyRow, index: number): string {
  if (key.retiredAt !== null) return `no longer signs, is trusted until ${addMs(key.retiredAt, KEY_OVERLAP_MS)}`;
  return index === 0 ? "signs" : `published, signs from ${addMs(key.createdAt, KEY_OVERLAP_MS)}`;
}
