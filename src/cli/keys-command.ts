import { parseArgs } from "node:util";
import { openKeyRing } from "../../auth/keys/key-ring.ts";
import { inOrder, KEY_OVERLAP_MS, publishNextKey, replaceAllKeys } from "../../auth/keys/signing-keys.ts";
import { listSigningKeys, type SigningKeyRow } from "../../db/identity/signing-keys.ts";
import type { Store } from "../../db/engine/store.ts";
import { masterKeys, type Environment } from "../config.ts";
import { instantOf, later } from "../../core/time.ts";
import type { CommandEnd } from "./run-command.ts";

const HELP = `Shows and rotates the keys that access tokens are signed with, also while the service runs: every process
takes a change up within seconds. They rotate by themselves every 90 days. Settings are those of npm start.

  npm run keys                    every key, and what it does (also: npm run keys -- list)
  npm run keys -- rotate          publishes the next key, which signs a day later; nobody notices
  npm run keys -- rotate --now    for keys that somebody else may have: signs with a new key at once and trusts no
                                  other, so that programs and assistants refresh their access tokens
`;

/** Shows the signing keys, or rotates them. */
export async function keysCommand(store: Store, args: string[], environment: Environment): Promise<CommandEnd> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { help: { type: "boolean" }, now: { type: "boolean" } },
  });
  const [verb = "list", ...more] = positionals;
  const unknown = Object.keys(values).filter((name) => name !== "help" && name !== "now");
  const rotates = verb === "rotate";
  if (values["help"] === true) return { text: HELP, ok: true };
  if ((verb !== "list" && !rotates) || more.length + unknown.length > 0 || (values["now"] === true && !rotates)) {
    return { text: `Not understood.\n\n${HELP}`, ok: false };
  }
  if (!rotates) return { text: describe(await store.read(listSigningKeys)), ok: true };
  const ring = openKeyRing(environment.DATA_DIR, masterKeys(environment));
  const rotate = values["now"] === true ? replaceAllKeys : publishNextKey;
  const rows = await rotate(store, ring, instantOf(Date.now()));
  return { text: describe(rows), ok: true };
}

function describe(stored: readonly SigningKeyRow[]): string {
  if (stored.length === 0) return "There is no signing key yet; the first start of the service makes one.\n";
  return inOrder(stored)
    .map((key, index) => `${key.kid}  since ${key.createdAt}  ${dutyOf(key, index)}\n`)
    .join("");
}

function dutyOf(key: SigningKeyRow, index: number): string {
  if (key.retiredAt !== null) return `signs no more, is trusted until ${later(key.retiredAt, KEY_OVERLAP_MS)}`;
  return index === 0 ? "signs" : `published, signs from ${later(key.createdAt, KEY_OVERLAP_MS)}`;
}
