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
import { addMs, type Instant } from "../../core/shared/time.ts";
import { WEB_SESSION_SECONDS } from "../oauth/authorization-server.ts";
import { findCookie } from "./cookie.ts";
import { requireLocalProof } from "./prove-address.ts";
import { verifyPassword } from "./password.ts";
import type { PasswordSubmission } from "./password-slots.ts";
import { hashSecret, newSecret } from "../keys/random-secret.ts";
import { USE_RESOLUTION_MS, openLastUses } from "../oauth/last-uses.ts";

export interface Visitor {
  /** Identifies this browser's session; not a credential. */
  sessionId: string;
  userId: string;
  email: string;
  name: string;
  proof: Proof;
  signedInAt: Instant;
  authenticatedAt: Instant | null;
  unreadNoticeCount: number;
}

/** A null `proofId` stands for the proof behind the user's password. */
export interface SignIn {
  userId: string;
  proofId: string | null;
  /** Time of authentication: absent for now, null if unknown. */
  authenticatedAt?: Instant | null;
}

/** Cookies are 256 random bits, stored as hashes. A session expires after `idleMs` without use. */
export interface WebSessions {
  cookieName: string;
  /** An unknown e-mail takes equal work. RATE_LIMITED or UNAVAILABLE if too many requests wait. */
  checkPassword(password: string, tried: PasswordSubmission): Promise<string | undefined>;
  /** Returns the cookie value. `browser` is a display name. */
  start(signIn: SignIn, now: Instant, browser?: string | null): Promise<string>;
  find(cookieHeader: string | undefined, now: Instant): Promise<Visitor | undefined>;
  end(cookieHeader: string | undefined): Promise<void>;
  sessionHashOf(cookieHeader: string | undefined): string | undefined;
  close(): Promise<void>;
}

export function openWebSessions(
  store: Store,
  options: { isSecure: boolean; idleMs?: number | null; onError?: (error: unknown) => void },
): WebSessions {
  // `__Host-`: no sibling host or plain HTTP can set the cookie (RFC 6265bis section 4.1.3.2).
  const cookieName = options.isSecure ? "__Host-bva_session" : "bva_session";
  const idHashIn = (header: string | undefined) => {
    const id = findCookie(header, cookieName);
    return id === undefined ? undefined : hashSecret(id);
  };
  const { idleMs = null } = options;
  const uses = openLastUses(store, touchWebSessions, options.onError ?? (() => undefined));
  /** Stored uses may be late, so uses known to this process count too. */
  function isIdle({ sessionId, signedInAt }: Visitor, lastUsedAt: Instant | null, now: Instant): boolean {
    if (idleMs === null) return false;
    const known = [signedInAt, lastUsedAt, uses.lastUseOf(sessionId)].filter((at) => at != null);
    return known.every((at) => addMs(at, idleMs + USE_RESOLUTION_MS) <= now);
  }

  return {
    cookieName,
    sessionHashOf: idHashIn,
    async checkPassword(password, tried) {
      const user = await store.read((db) => findUserByEmail(db, tried.email.trim().toLowerCase()));
      const matches = await verifyPassword(user?.passwordHash ?? null, password, tried);
      return matches && user && !user.disabledAt ? user.id : undefined;
    },
    async start({ userId, proofId, authenticatedAt }, now, browser = null) {
      const id = newSecret();
      await store.write(async (db) =>
        insertWebSession(db, {
          idHash: hashSecret(id),
          id: uuidv7(),
          userId,
          proofId: proofId ?? (await requireLocalProof(db, userId)),
          browser,
          authenticatedAt: authenticatedAt === undefined ? now : authenticatedAt,
          createdAt: now,
          expiresAt: addMs(now, WEB_SESSION_SECONDS * 1000),
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
