import { and, eq, gte, lt, sql } from "drizzle-orm";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { MAX_WORKSPACE_KEYS } from "./answer-keys.ts";

/** Max answers that one page reads and sorts; brands named more often are found by scanning. */
const MAX_SORTED_ANSWERS = 2000;

export function answersWithBrand({ db: { q, t }, workspaceId }: Tenant, brandId: string) {
  const number = q
    .select({ number: t.brands.number })
    .from(t.brands)
    .where(matches(t.brands, { workspaceId, id: brandId }));
  const base = q
    .select({ base: t.answerKeys.base })
    .from(t.answerKeys)
    .where(eq(t.answerKeys.workspaceId, workspaceId));
  const { answerKey } = t.places;
  // Brand numbers start at 1 in every workspace, so the key range restricts the workspace.
  const inWorkspace = and(gte(answerKey, base), lt(answerKey, sql`${base} + ${MAX_WORKSPACE_KEYS}`));
  return q
    .select({ answerKey })
    .from(t.places)
    .where(and(eq(t.places.brandNumber, number), inWorkspace));
}

export async function isRareBrand(tenant: Tenant, brandId: string): Promise<boolean> {
  const more = await answersWithBrand(tenant, brandId).limit(1).offset(MAX_SORTED_ANSWERS);
  return more.length === 0;
}
