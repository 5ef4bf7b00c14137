import { z } from "zod";
import { hashSecret } from "../../../auth/keys/random-secret.ts";
import { parseJson } from "../../../core/shared/json.ts";
import { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { addMs } from "../../../core/shared/time.ts";
import { findDraft, heldFormLocation, saveDraft } from "../../../db/identity/held-forms.ts";
import { CollectsCost, quoteSchema } from "../../../tools/quotes/quote.ts";
import { Power } from "../../../tools/analyses/setup/power.ts";
import { SourcesShown } from "../../../tools/analyses/setup/sources-shown.ts";
import type { WebContext } from "../../http/pages/visit.ts";

/** Lifetime after the last change, and max drafts per person. */
const DRAFT_TTL_MS = 7 * 24 * 60 * 60_000;
const MAX_DRAFTS = 5;

const ShownQuote = quoteSchema({ sources: SourcesShown, cost: CollectsCost, power: Power.nullable() });
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

/** `draftPath` is such as `{organization}/{workspace}/search`. */
interface DraftKey {
  id: string;
  userId: string;
  draftPath: string;
}

export function createDraft(id: string): Draft {
  const prompts = { proposed: [], edited: null };
  return { id, fields: new URLSearchParams(), sent: [], prompts, quote: null, made: null };
}

export async function readDraft({ id, userId, draftPath }: DraftKey, { deps }: WebContext): Promise<Draft | undefined> {
  const { store, now, secrets } = deps;
  const secretHash = hashSecret(`${id} ${userId}`);
  const storedDraft = await store.read((db) => findDraft(db, { secretHash, userId, path: draftPath }, now()));
  if (!storedDraft) return undefined;
  const { fields, ...draft } = Draft.parse(
    parseJson(secrets.unseal(storedDraft.sealedFields, heldFormLocation(secretHash))),
  );
  return { id, ...draft, fields: new URLSearchParams(fields) };
}

/** Stores the draft encrypted; only its person can read it. */
export async function storeDraft({ userId, draftPath }: Omit<DraftKey, "id">, draft: Draft, { deps }: WebContext) {
  const { store, now, secrets } = deps;
  const { id, fields, ...rest } = draft;
  const secretHash = hashSecret(`${id} ${userId}`);
  const text = JSON.stringify({ ...rest, fields: [...fields] } satisfies z.input<typeof Draft>);
  const at = now();
  const sealedFields = secrets.seal(text, heldFormLocation(secretHash));
  const row = { secretHash, userId, path: draftPath, sealedFields, createdAt: at, expiresAt: addMs(at, DRAFT_TTL_MS) };
  await store.write((db) => saveDraft(db, row, MAX_DRAFTS));
}
