import type { Request, Response } from "express";
import { z } from "zod";
import { hashSecret, newSecret } from "../../../auth/keys/random-secret.ts";
import { heldFormLocation, insertHeldForm, consumeHeldForm } from "../../../db/identity/held-forms.ts";
import { parseJson } from "../../../core/shared/json.ts";
import { addMs } from "../../../core/shared/time.ts";
import { FORM_ID_FIELD } from "./post-form.ts";
import type { SentForm } from "./sent-form.ts";
import { markBrowser, parseQuery, type WebContext } from "./visit.ts";

/** How long what was typed is kept, and how many forms of one person. */
const HELD_FORM_TTL_MS = 60 * 60_000;
const MAX_HELD_FORMS = 5;
/** The parameter of a form's page that brings back what was typed. */
const HELD_PARAMETER = "held";
/** Parameters about what has just happened; no link has them. */
export const PASSING = [HELD_PARAMETER, "done"] as const;
/** Fields that are never kept: secrets, and the mark that makes a form take effect once. */
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

const HeldFormContent = z.object({ action: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) });

/**
 * Keeps a form until its person has signed in: sealed, for an hour, for them in this browser alone. Gives the path at which it
 * comes back, which is the form's page.
 */
export async function holdForm(
  request: Request,
  response: Response,
  { page, userId }: { page: string; userId: string },
  web: WebContext,
): Promise<string> {
  const { store, now, secrets: sealer } = web.deps;
  // A form with a file that is read as it comes in has no fields yet.
  const fields = (response.locals["form"] as URLSearchParams | undefined) ?? new URLSearchParams();
  const heldFields = [...fields].filter(([field]) => !EXCLUDED_FIELDS.has(field));
  const address = new URL(pageAddress(request, page), web.config.baseUrl);
  const secret = newSecret();
  const secretHash = hashSecret(`${secret} ${markBrowser(request, response, userId, web)}`);
  const text = JSON.stringify({ action: request.path, fields: heldFields } satisfies z.input<typeof HeldFormContent>);
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

/** A form's page with the query that the browser had it open with, such as the page of a list. */
export function pageAddress(request: Request, page: string): string {
  const from = URL.parse(request.get("referer") ?? "");
  if (from?.pathname !== page.replace(/\?.*/, "")) return page;
  for (const passing of PASSING) from.searchParams.delete(passing);
  return from.pathname + from.search;
}

/**
 * The form that comes back at this address, once; "gone" where it is another person's or browser's, was fetched, or is too
 * old. Undefined for an address that names none.
 */
export async function fetchHeldForm(
  request: Request,
  { userId }: { userId: string },
  web: WebContext,
): Promise<SentForm | "gone" | undefined> {
  const secret = parseQuery(request.originalUrl).get(HELD_PARAMETER);
  if (secret === null) return undefined;
  const { store, now, secrets: sealer } = web.deps;
  const browser = web.marks.find(request.headers.cookie);
  const secretHash = hashSecret(`${secret} ${browser?.value ?? ""}`);
  const held = await store.write((db) => consumeHeldForm(db, { secretHash, userId, path: request.path }, now()));
  if (!held) return "gone";
  const { action, fields } = HeldFormContent.parse(
    parseJson(sealer.unseal(held.sealedFields, heldFormLocation(secretHash))),
  );
  return { action, fields: new URLSearchParams(fields) };
}

/** True for a path at which a form comes back. */
export function hasHeldForm(path: string): boolean {
  return parseQuery(path).has(HELD_PARAMETER);
}

/** The path without the form that came back there, which it does once. */
export function withoutHeldForm(path: string): string {
  const query = parseQuery(path);
  if (!query.has(HELD_PARAMETER)) return path;
  query.delete(HELD_PARAMETER);
  return path.replace(/\?.*/, "") + (query.size > 0 ? `?${query.toString()}` : "");
}
