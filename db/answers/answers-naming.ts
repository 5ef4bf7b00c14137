import { and, eq, gte, lt, sql } from "drizzle-orm";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { KEYS_OF_WORKSPACE } from "./answer-keys.ts";

/** So many answers are read and sorted for one page. More are found soon enough among all. */
const FEW = 2000;

/** The keys of the answers of a workspace that a brand has a place in, as a subquery. */
export function answersNaming({ db: { q, t }, workspaceId }: Tenant, brandId: string) {
  const number = q
    .select({ number: t.brands.number })
    .from(t.brands)
    .where(matches(t.brands, { workspaceId, id: brandId }));
  const base = q
    .select({ base: t.answerKeys.base })
    .from(t.answerKeys)
    .where(eq(t.answerKeys.workspaceId, workspaceId));
  const { answerKey } = t.places;
  // Numbers of brands begin at 1 in every workspace.
  const inWorkspace = and(gte(answerKey, base), lt(answerKey, sql`${base} + ${KEYS_OF_WORKSPACE}`));
  return q
    .select({ answerKey })
    .from(t.places)
    .where(and(eq(t.places.brandNumber, number), inWorkspace));
}

/** True where a brand has a place in so few answers of the workspace that each of them can be read for one page. */
export async function namesFew(tenant: Tenant, brandId: string): Promise<boolean> {
  const more = await answersNaming(tenant, brandId).limit(1).offset(FEW);
  return more.length === 0;
}
