import { v7 as uuidv7 } from "uuid";
import { findUserByEmail } from "../../db/identity/users.ts";
import {
  deleteWebSession,
  findWebSession,
  insertWebSession,
  touchWebSessions,
} from "../../db/identity/web-sessions.ts";
import type { Store } from "../../db/engine/store.ts";
import type { Proof } from "../../core/identity/proof.ts";
import { later, type Instant } from "../../core/shared/time.ts";
import { WEB_SESSION_SECONDS } from "../oauth/authorization-server.ts";
import { cookieIn } from "./cookie.ts";
import { localProofOf } from "./prove-address.ts";
import { passwordMatches } from "./password.ts";
import type { PasswordTry } from "./password-slots.ts";
import { hashOfSecret, newSecret } from "../keys/random-secret.ts";
import { EXACT_TO_MS, openUses } from "../oauth/uses.ts";

/** A signed-in person in a browser. */
export interface Visitor {
  /** Identifies this browser's session; not a credential. */
  sessionId: string;
  userId: string;
  email: string;
  name: string;
  /** What the person signed in by. */
  proof: Proof;
  signedInAt: Instant;
  /** When they last showed who they are; null if the provider remembered them and did not say. */
  authenticatedAt: Instant | null;
  /** What happened to the account that the person has not read yet. */
  unreadNotices: number;
}

/** Who signed in, and the proof that they signed in by; null is the one that their password hangs on. */
export interface SignIn {
  userId: string;
  proofId: string | null;
  /** When they showed who they are, if that is not now; null if it is not known. */
  authenticatedAt?: Instant | null;
}

/**
 * Password accounts and their browser sessions. Cookies are 256 random bits; only a hash is stored. A session that was not
 * used for `idleMs` is over.
 */
export interface WebSessions {
  cookieName: string;
  /**
   * The account with this e-mail and password; an unknown e-mail takes the same work. RATE_LIMITED or UNAVAILABLE if too many
   * requests wait.
   */
  checkPassword(password: string, tried: PasswordTry): Promise<string | undefined>;
  /** Signs a browser in; returns its cookie value. `browser` is a name that a person recognises. */
  start(signIn: SignIn, now: Instant, browser?: string | null): Promise<string>;
  find(cookieHeader: string | undefined, now: Instant): Promise<Visitor | undefined>;
  end(cookieHeader: string | undefined): Promise<void>;
  /** Identifies this browser's session by the hash of its cookie. Undefined without a cookie. */
  hashOf(cookieHeader: string | undefined): string | undefined;
  close(): Promise<void>;
}

export function openWebSessions(
  store: Store,
  options: { secure: boolean; idleMs?: number | null; onError?: (error: unknown) => void },
): WebSessions {
  // The prefix makes browsers reject the cookie from a sibling host or over plain HTTP (RFC 6265bis section 4.1.3.2).
  const cookieName = options.secure ? "__Host-bva_session" : "bva_session";
  const idHashIn = (header: string | undefined) => {
    const id = cookieIn(header, cookieName);
    return id === undefined ? undefined : hashOfSecret(id);
  };
  const { idleMs = null } = options;
  const uses = openUses(store, touchWebSessions, options.onError ?? (() => undefined));
  /** What is stored may be late, so the uses that this process knows of count too, as far as they are exact. */
  function isIdle({ sessionId, signedInAt }: Visitor, lastUsedAt: Instant | null, now: Instant): boolean {
    if (idleMs === null) return false;
    const known = [signedInAt, lastUsedAt, uses.lastOf(sessionId)].filter((at) => at != null);
    return known.every((at) => later(at, idleMs + EXACT_TO_MS) <= now);
  }

  return {
    cookieName,
    hashOf: idHashIn,
    async checkPassword(password, tried) {
      const user = await store.read((db) => findUserByEmail(db, tried.email.trim().toLowerCase()));
      const matches = await passwordMatches(user?.passwordHash ?? null, password, tried);
      return matches && user && !user.disabledAt ? user.id : undefined;
    },
    async start({ userId, proofId, authenticatedAt }, now, browser = null) {
      const id = newSecret();
      await store.write(async (db) =>
        insertWebSession(db, {
          idHash: hashOfSecret(id),
          id: uuidv7(),
          userId,
          proofId: proofId ?? (await localProofOf(db, userId)),
          browser,
          authenticatedAt: authenticatedAt === undefined ? now : authenticatedAt,
          createdAt: now,
          expiresAt: later(now, WEB_SESSION_SECONDS * 1000),
        }),
      );
      return id;
    },
    async find(cookieHeader, now) {
      const idHash = idHashIn(cookieHeader);
      const found = idHash === undefined ? undefined : await store.read((db) => findWebSession(db, idHash, now));
      if (idHash === undefined || !found) return undefined;
      const { lastUsedAt, ...visitor } = found;
      if (isIdle(visitor, lastUsedAt, now)) {
        await store.write((db) => deleteWebSession(db, idHash));
        return undefined;
      }
      uses.add(visitor.sessionId, now);
      return visitor;
    },
    async end(cookieHeader) {
      const idHash = idHashIn(cookieHeader);
      if (idHash !== undefined) await store.write((db) => deleteWebSession(db, idHash));
    },
    close: () => uses.close(),
  };
}
