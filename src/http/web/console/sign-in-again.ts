import type { Request, Response } from "express";
import { hashOfSecret, newSecret } from "../../../../auth/keys/random-secret.ts";
import type { Visitor } from "../../../../auth/people/web-sessions.ts";
import { heldFormPlace, insertHeldForm, takeHeldForm } from "../../../../db/identity/held-forms.ts";
import { findSsoConfiguration } from "../../../../db/identity/sso.ts";
import { findUser } from "../../../../db/identity/users.ts";
import { AppError } from "../../../../core/errors.ts";
import { later } from "../../../../core/time.ts";
import { signInAgainPage } from "../pages/sign-in/sign-in-again.ts";
import { sendPage } from "../page.ts";
import { queryOf, type Web } from "../visit.ts";

/** How long what was typed is kept. */
const HELD_MS = 10 * 60_000;
/** The parameter of a form's page that brings back what was typed. */
const HELD = "held";

interface Visit {
  visitor: Visitor;
  request: Request;
  response: Response;
}

/**
 * Answers a form for which the last sign-in is too old: asks for a new one, after which the person is back at the form's
 * page at `pagePath`, with what they typed. `secrets` are fields that are not kept.
 */
export async function askToSignInAgain(
  { visitor, request, response }: Visit,
  pagePath: string,
  { typed, secrets }: { typed: URLSearchParams; secrets: readonly string[] },
  web: Web,
): Promise<void> {
  const { store, now, secrets: sealer } = web.deps;
  const { userId, email } = visitor;
  const kept = new URLSearchParams([...typed].filter(([field]) => !secrets.includes(field)));
  const secret = newSecret();
  const secretHash = hashOfSecret(secret);
  const at = now();
  const sealedFields = sealer.seal(kept.toString(), heldFormPlace(secretHash));
  const held = { secretHash, userId, path: request.path, sealedFields, createdAt: at, expiresAt: later(at, HELD_MS) };
  await store.write((db) => insertHeldForm(db, held));
  const next = `${pagePath}?${new URLSearchParams({ [HELD]: secret }).toString()}`;
  const body = signInAgainPage({ email, next, ...(await waysOf(visitor, web)) });
  sendPage(response, { title: "Sign in again", body, status: 403 });
}

/** How this person can sign in: the provider that they came through, and their password if they have one. */
async function waysOf({ userId, proof }: Visitor, { deps }: Web) {
  return deps.store.read(async (db) => {
    const organizationId = proof.way === "provider" ? proof.organizationId : null;
    const provider = organizationId === null ? undefined : await findSsoConfiguration({ db, organizationId });
    const user = await findUser(db, userId);
    return { through: provider?.organizationId, hasPassword: (user?.passwordHash ?? null) !== null };
  });
}

/**
 * What the person had typed before they signed in again, where the address names it. It comes back once; NOT_FOUND for
 * another person, on another page, or later.
 */
export async function fetchHeldForm({ visitor, request }: Visit, web: Web): Promise<URLSearchParams | undefined> {
  const secret = queryOf(request.originalUrl).get(HELD);
  if (secret === null) return undefined;
  const { store, now, secrets: sealer } = web.deps;
  const secretHash = hashOfSecret(secret);
  const held = await store.write((db) => takeHeldForm(db, { secretHash, userId: visitor.userId }, now()));
  if (!held?.path.startsWith(`${request.path}/`)) {
    throw new AppError(
      "NOT_FOUND",
      "What you typed is kept for ten minutes, once. Open the page again and fill it in.",
    );
  }
  return new URLSearchParams(sealer.unseal(held.sealedFields, heldFormPlace(secretHash)));
}
