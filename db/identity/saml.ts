import type { Instant } from "../../core/shared/time.ts";
import type { OrganizationTenant } from "../engine/store.ts";

/** False for a replayed assertion. One of several concurrent callers gets true. */
export async function claimAssertion(
  { db: { q, t }, organizationId }: OrganizationTenant,
  assertion: { assertionHash: string; expiresAt: Instant },
): Promise<boolean> {
  const rows = await q
    .insert(t.samlAssertions)
    .values({ ...assertion, organizationId })
    .onConflictDoNothing({ target: [t.samlAssertions.organizationId, t.samlAssertions.assertionHash] })
    .returning({ assertionHash: t.samlAssertions.assertionHash });
  return rows.length > 0;
}
