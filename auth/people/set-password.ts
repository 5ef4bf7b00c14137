import { deleteOneTimeLinks, findOneTimeLink, replaceOneTimeLink } from "../../db/identity/one-time-links.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUser, updateUser, type UserRow } from "../../db/identity/users.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { endSessions } from "../../db/identity/revoke-access.ts";
import { hashSecret, newSecret } from "../keys/random-secret.ts";

const RESET_MS = 3_600_000;

const buildLinkPurpose = (userId: string) => `set-password ${userId}`;

/** Ends all sessions, grants and set-password links. API keys stay valid. */
export async function setPassword(db: Db, userId: string, passwordHash: string): Promise<void> {
  await updateUser(db, userId, { passwordHash });
  await deleteOneTimeLinks(db, buildLinkPurpose(userId));
  await endSessions(db, userId);
}

/** Replaces earlier links. */
export async function issuePasswordLink(db: Db, userId: string, now: Instant): Promise<string> {
  const secret = newSecret();
  const link = { secretHash: hashSecret(secret), purpose: buildLinkPurpose(userId), userId };
  await replaceOneTimeLink(db, { ...link, createdAt: now, expiresAt: addMs(now, RESET_MS) });
  return secret;
}

export async function findPersonOfPasswordLink(db: Db, secret: string, now: Instant): Promise<UserRow | undefined> {
  const link = await findOneTimeLink(db, hashSecret(secret), now);
  if (!link?.userId || link.purpose !== buildLinkPurpose(link.userId)) return undefined;
  const user = await findUser(db, link.userId);
  return user && !user.disabledAt ? user : undefined;
}
