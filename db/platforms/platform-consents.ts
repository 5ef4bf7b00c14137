import type { PlatformKind } from "../../core/platforms/platforms.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { tables } from "../schema.ts";
import { greaterThan, matches } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export type PlatformConsentRow = typeof tables.platformConsents.$inferSelect;

export async function insertPlatformConsent(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  consent: Omit<PlatformConsentRow, "organizationId" | "workspaceId">,
): Promise<void> {
  await q.insert(t.platformConsents).values({ ...consent, organizationId, workspaceId });
}

/** Undefined if expired, or of another browser or platform. The redirect URI names no tenant. */
export async function consumePlatformConsent(
  { q, t }: Db,
  answer: { stateHash: string; sessionHash: string; platform: PlatformKind; now: Instant },
): Promise<PlatformConsentRow | undefined> {
  const [row] = await q
    .delete(t.platformConsents)
    .where(
      matches(t.platformConsents, {
        stateHash: answer.stateHash,
        sessionHash: answer.sessionHash,
        platform: answer.platform,
        expiresAt: greaterThan(answer.now),
      }),
    )
    .returning();
  return row;
}

export function toConsentSealContext(stateHash: string): string {
  return `platform_consents/${stateHash}/sealed_proof`;
}
