import { z } from "zod";
import { hashOfSecret } from "../../../auth/keys/random-secret.ts";
import { parseJson } from "../../../core/shared/json.ts";
import { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { later } from "../../../core/shared/time.ts";
import { findDraft, heldFormPlace, putDraft } from "../../../db/identity/held-forms.ts";
import { CollectsCost, quoteOf } from "../../../tools/quotes/quote.ts";
import { Power } from "../../../tools/analyses/setup/power.ts";
import { SourcesShown } from "../../../tools/analyses/setup/sources-shown.ts";
import type { Web } from "../../http/pages/visit.ts";

/** Lifetime after the last change, and max drafts per person. */
const KEPT_MS = 7 * 24 * 60 * 60_000;
const MOST_KEPT = 5;

const ShownQuote = quoteOf({ sources: SourcesShown, cost: CollectsCost, power: Power.nullable() });
export type ShownQuote = z.output<typeof ShownQuote>;

const Draft = z.object({
  fields: z.array(z.tuple([z.string(), z.string()])),
  sent: z.array(z.string()),
  /** Brand analyses only: prompts from templates, and the person's edits. */
  prompts: z.object({ proposed: z.array(BrandPrompt), edited: z.array(BrandPrompt).nullable() }),
  quote: ShownQuote.nullable(),
  made: z.string().nullable(),
});

export interface Draft extends Omit<z.output<typeof Draft>, "fields"> {
  id: string;
  fields: URLSearchParams;
}

/** Identifies a person's draft; `of` is such as `{organization}/{workspace}/search`. */
interface DraftPlace {
  id: string;
  userId: string;
  of: string;
}

export function newDraft(id: string): Draft {
  const prompts = { proposed: [], edited: null };
  return { id, fields: new URLSearchParams(), sent: [], prompts, quote: null, made: null };
}

export async function readDraft({ id, userId, of }: DraftPlace, { deps }: Web): Promise<Draft | undefined> {
  const { store, now, secrets } = deps;
  const secretHash = hashOfSecret(`${id} ${userId}`);
  const kept = await store.read((db) => findDraft(db, { secretHash, userId, path: of }, now()));
  if (!kept) return undefined;
  const { fields, ...draft } = Draft.parse(parseJson(secrets.unseal(kept.sealedFields, heldFormPlace(secretHash))));
  return { id, ...draft, fields: new URLSearchParams(fields) };
}

/** Stores the draft encrypted; only its person can read it. */
export async function keepDraft({ userId, of }: Omit<DraftPlace, "id">, draft: Draft, { deps }: Web): Promise<void> {
  const { store, now, secrets } = deps;
  const { id, fields, ...rest } = draft;
  const secretHash = hashOfSecret(`${id} ${userId}`);
  const text = JSON.stringify({ ...rest, fields: [...fields] } satisfies z.input<typeof Draft>);
  const at = now();
  const sealedFields = secrets.seal(text, heldFormPlace(secretHash));
  const row = { secretHash, userId, path: of, sealedFields, createdAt: at, expiresAt: later(at, KEPT_MS) };
  await store.write((db) => putDraft(db, row, MOST_KEPT));
}
