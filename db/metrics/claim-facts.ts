import { and, asc, eq, inArray } from "drizzle-orm";
import { parseAddresses, parseCheckedFacts, type OpenedClaims } from "../../core/metrics/facts/collect-claims.ts";
import { unpackFacts } from "../../core/metrics/facts/collect-facts.ts";
import type { CollectionMethod, Source } from "../../core/sources/sources.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

interface ClaimFacts {
  source: Source;
  method: CollectionMethod;
  brandNumber: number;
  digest: string;
  claims: OpenedClaims;
}

export async function listClaimFacts(db: Db, collectId: string, brandNumbers: readonly number[]) {
  const { collectClaims: t } = db.t;
  const isOf = matches(t, { collectId, brandNumber: brandNumbers });
  const keys = await db.q
    .select(pick(t, "source", "method", "brandNumber", "digest", "held", "firstKey"))
    .from(t)
    .where(isOf);
  const opened: ClaimFacts[] = [];
  for (const { source, method, brandNumber, digest, held, firstKey } of keys) {
    const { pages, facts } = await db.cache.get(`claims ${digest}`, async () => {
      const isIt = matches(t, { source, method, brandNumber });
      const [row] = await db.q.select({ facts: t.facts, pages: t.pages }).from(t).where(and(isOf, isIt));
      if (!row) throw new Error("claims were deleted while they were read");
      const value = { facts: unpackFacts(row.facts), pages: parseAddresses(row.pages) };
      return { value, bytes: row.facts.byteLength + row.pages.length };
    });
    const claims = { held: parseCheckedFacts(held), firstKey, pages, facts };
    opened.push({ source, method, brandNumber, digest, claims });
  }
  return opened;
}

export async function listFactsOfBrands({ db: { q, t }, workspaceId }: Tenant, brandIds: readonly string[]) {
  return q
    .select()
    .from(t.brandFacts)
    .where(matches(t.brandFacts, { workspaceId, brandId: brandIds }))
    .orderBy(asc(t.brandFacts.id));
}

/** One query for all quotes of a page. */
export async function findClaims(
  { db: { q, t }, workspaceId }: Tenant,
  keys: readonly { collectId: string; answerKey: number; factId: string }[],
) {
  const each = <Key extends keyof (typeof keys)[number]>(key: Key) => [...new Set(keys.map((one) => one[key]))];
  return q
    .select({ claim: t.claims, id: t.answers.id, source: t.answers.source, text: t.answers.text })
    .from(t.claims)
    .innerJoin(t.answers, eq(t.answers.key, t.claims.answerKey))
    .where(
      and(
        eq(t.answers.workspaceId, workspaceId),
        inArray(t.claims.collectId, each("collectId")),
        inArray(t.claims.answerKey, each("answerKey")),
        inArray(t.claims.factId, each("factId")),
      ),
    );
}
export type FoundClaim = Awaited<ReturnType<typeof findClaims>>[number];

/** Omits archived brands and outdated fact revisions. */
export async function listAnswerClaims(
  { db: { q, t }, workspaceId }: Tenant,
  { collectId, key }: { collectId: string; key: number },
) {
  const { brandFacts: facts, claims, brands } = t;
  const isCurrent = matches(facts, { id: claims.factId, revision: claims.revision });
  return q
    .select({
      brandId: brands.id,
      brand: brands.name,
      attribute: facts.attribute,
      ...pick(claims, "verdict", "start", "end", "url"),
    })
    .from(claims)
    .innerJoin(facts, and(isCurrent, eq(facts.workspaceId, workspaceId)))
    .innerJoin(brands, matches(brands, { id: facts.brandId, archivedAt: null }))
    .where(matches(claims, { collectId, answerKey: key }))
    .orderBy(asc(claims.start), asc(facts.id));
}
