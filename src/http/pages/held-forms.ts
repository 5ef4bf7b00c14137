import type { Request, Response } from "express";
import { z } from "zod";
import { hashSecret, newSecret } from "../../../auth/keys/random-secret.ts";
import { heldFormLocation, insertHeldForm, consumeHeldForm } from "../../../db/identity/held-forms.ts";
import { parseJson } from "../../../core/shared/json.ts";
import { addMs } from "../../../core/shared/time.ts";
import { parseQuery } from "../body.ts";
import { FORM_ID_FIELD } from "./post-form.ts";
import type { SentForm } from "./sent-form.ts";
import { markBrowser, type WebContext } from "./visit.ts";

/** Lifetime of a held form, and max held forms per person. */
const HELD_FORM_TTL_MS = 60 * 60_000;
const MAX_HELD_FORMS = 5;
/** Query parameter of a form's page that restores a held form. */
const HELD_PARAMETER = "held";
/** Query parameters about the last action, which no link has. */
export const TRANSIENT_PARAMETERS = [HELD_PARAMETER, "done"] as const;
/** Fields that are never stored: secrets, and the id that makes a form take effect once. */
const EXCLUDED_FIELDS = new Set([
  FORM_ID_FIELD,
  "password",
  "present",
  "code",
  "passkey",
  "client_secret",
  "api_token",
  "link",
]);

const HeldFormContentSchema = z.object({ action: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) });

/** Encrypted, for this person in this browser only. Returns the path that restores the form. */
export async function holdForm(
  request: Request,
  response: Response,
  { page, userId }: { page: string; userId: string },
  web: WebContext,
): Promise<string> {
  const { store, now, secrets: sealer } = web.deps;
  // Stores no fields of a form with a streamed file, because they were not read yet.
  const fields = (response.locals["form"] as URLSearchParams | undefined) ?? new URLSearchParams();
  const heldFields = [...fields].filter(([field]) => !EXCLUDED_FIELDS.has(field));
  const address = new URL(buildPageAddress(request, page), web.config.baseUrl);
  const secret = newSecret();
  const secretHash = hashSecret(`${secret} ${markBrowser(request, response, userId, web)}`);
  const text = JSON.stringify({ action: request.path, fields: heldFields } satisfies z.input<
    typeof HeldFormContentSchema
  >);
  const at = now();
  const held = {
    secretHash,
    userId,
    path: address.pathname,
    sealedFields: sealer.seal(text, heldFormLocation(secretHash)),
    createdAt: at,
    expiresAt: addMs(at, HELD_FORM_TTL_MS),
  };
  await store.write((db) => insertHeldForm(db, held, MAX_HELD_FORMS));
  address.searchParams.set(HELD_PARAMETER, secret);
  return address.pathname + address.search;
}

/** Includes the query that the browser had open, such as the page of a list. */
export function buildPageAddress(request: Request, page: string): string {
  const from = URL.parse(request.get("referer") ?? "");
  if (from?.pathname !== page.replace(/\?.*/, "")) return page;
  for (const passing of TRANSIENT_PARAMETERS) from.searchParams.delete(passing);
  return from.pathname + from.search;
}

/** Works once. "gone" if the form is of another person or browser, was restored or has expired. */
export async function fetchHeldForm(
  request: Request,
  { userId }: { userId: string },
  web: WebContext,
): Promise<SentForm | "gone" | undefined> {
  const secret = parseQuery(request.originalUrl).get(HELD_PARAMETER);
  if (secret === null) return undefined;
  const { store, now, secrets: sealer } = web.deps;
  const browser = web.marks.findMark(request.headers.cookie);
  const secretHash = hashSecret(`${secret} ${browser?.value ?? ""}`);
  const held = await store.write((db) => consumeHeldForm(db, { secretHash, userId, path: request.path }, now()));
  if (!held) return "gone";
  const { action, fields } = HeldFormContentSchema.parse(
    parseJson(sealer.unseal(held.sealedFields, heldFormLocation(secretHash))),
  );
  return { action, fields: new URLSearchParams(fields) };
}

export function hasHeldForm(path: string): boolean {
  return parseQuery(path).has(HELD_PARAMETER);
}

export function removeHeldForm(path: string): string {
  const query = parseQuery(path);
  if (!query.has(HELD_PARAMETER)) return path;
  query.delete(HELD_PARAMETER);
  return path.replace(/\?.*/, "") + (query.size > 0 ? `?${query.toString()}` : "");
}
