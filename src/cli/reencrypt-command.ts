import { openKeyRing, type KeyRing } from "../../auth/keys/key-ring.ts";
import { addMasterKey, dropOldMasterKeys } from "../../auth/keys/master-key-file.ts";
import { SEALED_COLUMNS, type SealedColumn } from "../../db/identity/sealed-columns.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { getMasterKeys, type Environment } from "../config/config.ts";
import type { CommandResult } from "./run-command.ts";

export const REENCRYPT_HELP = `Re-encrypts every stored secret with the current master key. Works while the service runs, and can be stopped and run
again at any time. Uses the settings of npm start.

  npx brand-visibility reencrypt              re-encrypts secrets of older keys, and checks that all others decrypt
  npx brand-visibility reencrypt --new-key    first adds a new current key to DATA_DIR/master.key
  npx brand-visibility reencrypt --drop-old   afterwards removes all older keys from DATA_DIR/master.key

If the key is in the environment: set MASTER_KEY to a new key (openssl rand -base64 32) and PREVIOUS_MASTER_KEYS to the
old one, restart every process of the service, run this command, then remove PREVIOUS_MASTER_KEYS.
`;

const BATCH_ROWS = 100;

interface ResealCounts {
  resealed: number;
  current: number;
  brokenIds: string[];
}

export async function reencryptCommand(store: Store, args: string[], environment: Environment): Promise<CommandResult> {
  if (args.includes("--help")) return { text: REENCRYPT_HELP, ok: true };
  const [option, ...more] = args;
  // Rejects both options together: a running service may still encrypt with the key to be dropped.
  const understood = more.length === 0 && [undefined, "--new-key", "--drop-old"].includes(option);
  if (!understood) return { text: `Invalid arguments: ${args.join(" ")}\n\n${REENCRYPT_HELP}`, ok: false };
  const inFile = environment.MASTER_KEY === undefined;
  if (option !== undefined && !inFile) {
    return { text: `The master key is set in MASTER_KEY. Only you can change it.\n\n${REENCRYPT_HELP}`, ok: false };
  }
  if (option === "--new-key") addMasterKey(environment.DATA_DIR);
  const ring = openKeyRing(environment.DATA_DIR, getMasterKeys(environment));
  let text = "";
  let broken = 0;
  for (const column of SEALED_COLUMNS) {
    const count = await resealColumn(store, column, ring);
    broken += count.brokenIds.length;
    text += describe(column.name, count);
  }
  if (broken > 0) {
    text += `\n${broken} could not be decrypted with any key, and were left unchanged. Keep every key, add the missing one, and run this again.\n`;
    return { text, ok: false };
  }
  if (option === "--drop-old") dropOldMasterKeys(environment.DATA_DIR);
  const end = `All secrets are encrypted with the current master key. ${describeNextStep(inFile, option === "--drop-old")}`;
  return { text: `${text}\n${end}\n`, ok: true };
}

/** Commits in batches: the service keeps running, and a crash leaves every row intact. */
async function resealColumn(store: Store, column: SealedColumn, keyRing: KeyRing): Promise<ResealCounts> {
  const count: ResealCounts = { resealed: 0, current: 0, brokenIds: [] };
  for (let after: string | undefined = ""; after !== undefined;) {
    const afterId: string = after;
    const part = await store.write((db) => resealRows(db, column, { keyRing, afterId }));
    count.resealed += part.resealed;
    count.current += part.current;
    count.brokenIds.push(...part.brokenIds);
    after = part.next;
  }
  return count;
}

async function resealRows(db: Db, column: SealedColumn, { keyRing, afterId }: { keyRing: KeyRing; afterId: string }) {
  const count: ResealCounts = { resealed: 0, current: 0, brokenIds: [] };
  const rows = await column.list(db, afterId, BATCH_ROWS);
  for (const { id, sealed } of rows) {
    if (sealed === "") continue;
    const opened = tryReseal(keyRing, sealed, column.location(id));
    if (!opened) count.brokenIds.push(id);
    else if (opened.resealedText === undefined) count.current++;
    else {
      await column.replace(db, id, opened.resealedText);
      count.resealed++;
    }
  }
  return { ...count, next: rows.length < BATCH_ROWS ? undefined : rows.at(-1)?.id };
}

function tryReseal(ring: KeyRing, sealed: string, location: string): { resealedText: string | undefined } | undefined {
  try {
    return { resealedText: ring.rewrap(sealed, location) };
  } catch {
    return undefined;
  }
}

function describe(name: string, { resealed, current, brokenIds }: ResealCounts): string {
  const lines = brokenIds.map((id) => `    ${id} cannot be decrypted\n`);
  return `  ${name.padEnd(40)}${String(resealed).padStart(7)} re-encrypted ${String(current).padStart(7)} unchanged\n${lines.join("")}`;
}

function describeNextStep(inFile: boolean, dropped: boolean): string {
  if (!inFile) return "You can remove PREVIOUS_MASTER_KEYS.";
  return dropped
    ? "Older keys were removed from master.key."
    : "To remove older keys from master.key: npx brand-visibility reencrypt --drop-old.";
}
