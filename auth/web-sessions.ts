import { findUserByEmail } from "../db/users.ts";
import { deleteWebSession, findWebSession, insertWebSession } from "../db/web-sessions.ts";
import type { Store } from "../db/store.ts";
import { later, type Instant } from "../src/core/time.ts";
import { WEB_SESSION_SECONDS } from "./authorization-server.ts";
import { cookieIn } from "./cookie.ts";
import { passwordMatches } from "./password.ts";
import { hashOfSecret, newSecret } from "./random-secret.ts";

/** The person in front of a browser. */
export interface Visitor {
  userId: string;
  email: string;
  name: string;
  signedInThrough: string | null;
}

/** Who signed in, and through which organization's identity provider; null for a password. */
export type SignIn = Pick<Visitor, "userId" | "signedInThrough">;

/** Local accounts and the browsers that are signed in to them. Cookies are 256 random bits; only a hash is kept. */
export interface WebSessions {
  cookieName: string;
  /** The account that these are the e-mail and password of; the work is the same for an unknown one. */
  checkPassword(email: string, password: string): Promise<string | undefined>;
  /** Signs a browser in; gives the value of its cookie. */
  start(signIn: SignIn, now: Instant): Promise<string>;
  find(cookieHeader: string | undefined, now: Instant): Promise<Visitor | undefined>;
  end(cookieHeader: string | undefined): Promise<void>;
  /** Names this browser's sign-in without opening it: the hash of its cookie. Undefined where there is no cookie. */
  hashOf(cookieHeader: string | undefined): string | undefined;
}

export function openWebSessions(store: Store, options: { secure: boolean }): WebSessions {
  // The prefix makes browsers refuse the cookie from a sister host or over plain HTTP (RFC 6265bis section 4.1.3.2).
  const cookieName = options.secure ? "__Host-bva_session" : "bva_session";
  const idHashIn = (header: string | undefined) => {
    const id = cookieIn(header, cookieName);
    return id === undefined ? undefined : hashOfSecret(id);
  };
  return {
    cookieName,
    hashOf: idHashIn,
    async checkPassword(email, password) {
      const user = await findUserByEmail(store.read, email.trim().toLowerCase());
      const matches = await passwordMatches(user?.passwordHash ?? null, password);
      return matches && user && !user.disabledAt ? user.id : undefined;
    },
    async start(signIn, now) {
      const id = newSecret();
      await store.write((db) =>
        insertWebSession(db, {
          idHash: hashOfSecret(id),
          ...signIn,
          createdAt: now,
          expiresAt: later(now, WEB_SESSION_SECONDS * 1000),
        }),
      );
      return id;
    },
    async find(cookieHeader, now) {
      const idHash = idHashIn(cookieHeader);
      return idHash === undefined ? undefined : findWebSession(store.read, idHash, now);
    },
    async end(cookieHeader) {
      const idHash = idHashIn(cookieHeader);
      if (idHash !== undefined) await store.write((db) => deleteWebSession(db, idHash));
    },
  };
}
