import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, desc, eq, max } from "drizzle-orm";
import { MEASURED_STATUSES } from "../../core/analyses/analysis.ts";
import type { FactValue } from "../../core/claims/fact.ts";
import { checkClaim } from "../../core/claims/check-claim.ts";
import {
  createClaimsGatherer,
  parseCheckedFacts,
  serialiseCheckedFacts,
  type BrandWithFacts,
  type CheckedFact,
} from "../../core/metrics/facts/collect-claims.ts";
import { groupBySize, parseEachWithinTime } from "../../core/shared/run-within-time.ts";
import { hashPacked } from "../../core/metrics/packed-columns.ts";
import { matches } from "../engine/rows.ts";
import type { Db, ReadRunner, Tenant } from "../engine/store.ts";
import { listAnswersToCheck, type AnswerToCheck, type ClaimRow } from "../answers/answers-to-check.ts";
import { compareSums, type SumChange } from "./sum-changes.ts";

/** Lets other requests run in between. */
const QUESTIONS_PER_BATCH = 25;

interface DeclaredFact extends CheckedFact {
  attribute: string;
  value: FactValue;
}

interface DeclaringBrand extends BrandWithFacts {
  facts: readonly DeclaredFact[];
}

export async function listCollectsToCheck({ db: { q, t }, workspaceId }: Tenant) {
  return q
    .select({ id: t.collects.id, analysisId: t.collects.analysisId })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(and(matches(t.collects, { workspaceId, status: MEASURED_STATUSES }), eq(t.analyses.type, "brand_analysis")))
    .orderBy(desc(t.collects.id));
}
export type CollectToCheck = Awaited<ReturnType<typeof listCollectsToCheck>>[number];

/** `keeps` skips facts already checked: valid only if nothing else of the extraction changed. */
export async function computeClaimSums(
  read: ReadRunner,
  collect: CollectToCheck,
  { pause = nextTurn, reusesFacts = false }: { pause?: () => Promise<void>; reusesFacts?: boolean } = {},
): Promise<SumChange[]> {
  const brands = await read((db) => listDeclaringBrands(db, collect.analysisId));
  const stored = await read((db) => listStoredClaimSums(db, collect.id));
  if (brands.length === 0 && stored.length === 0) return [];
  const reusedFactIds = new Set(reusesFacts ? brands.flatMap((brand) => findCheckedFactIds(stored, brand)) : []);
  const unread = new Set(
    brands.filter(({ facts }) => facts.some(({ id }) => !reusedFactIds.has(id))).map(({ number }) => number),
  );
  const last = (await read((db) => findLastPosition(db, collect.analysisId))) ?? -1;
  const gathering = createClaimsGatherer(last + 1, brands);
  const changes: SumChange[] = [];
  const factCount = brands.reduce((sum, { facts }) => sum + facts.length, 0);
  const countCharacters = ({ text }: AnswerToCheck) => (text?.length ?? 0) * factCount;
  for (let first = 0; first <= last; first += QUESTIONS_PER_BATCH) {
    const part = { ...collect, first, last: first + QUESTIONS_PER_BATCH - 1 };
    const answers = await read((db) => listAnswersToCheck(db, part, unread));
    const wanted: ClaimRow[] = [];
    for (const group of groupBySize(answers, countCharacters)) {
      const claims = parseEachWithinTime(group, {
        countCharacters,
        read: (answer) => readClaims(answer, brands, { collectId: collect.id, reusedFactIds }),
        fallback: [],
      });
      for (const [at, answer] of group.entries()) {
        const said = claims[at] ?? [];
        const named = new Map(brands.flatMap(({ number, facts }) => selectBrandClaims(answer, number, facts, said)));
        gathering.add({ ...answer, named });
        wanted.push(...said);
      }
      await pause();
    }
    changes.push(...compareSums({ claims: answers.flatMap(({ claims }) => claims) }, { claims: wanted }));
    await pause();
  }
  const sums = gathering.pack().map((packed) => {
    const digest = hashPacked(Buffer.concat([packed.facts, Buffer.from(packed.pages)]));
    return { collectId: collect.id, ...packed, digest };
  });
  return [...changes, ...compareSums({ collectClaims: stored }, { collectClaims: sums })];
}

export async function hasStaleClaims(db: Db, collect: CollectToCheck): Promise<boolean> {
  const { collectClaims: t } = db.t;
  const stored = await db.q
    .selectDistinct({ brandNumber: t.brandNumber, held: t.held })
    .from(t)
    .where(eq(t.collectId, collect.id));
  const declared = await listDeclaringBrands(db, collect.analysisId);
  const wanted = new Map(declared.map(({ number, facts }) => [number, serialiseCheckedFacts(facts)]));
  const found = new Set(stored.map(({ brandNumber }) => brandNumber));
  return (
    declared.some(({ number }) => !found.has(number)) ||
    stored.some(({ brandNumber, held }) => wanted.get(brandNumber) !== held)
  );
}

async function listDeclaringBrands({ q, t }: Db, analysisId: string): Promise<DeclaringBrand[]> {
  const { id, revision, attribute, value } = t.brandFacts;
  const rows = await q
    .select({ number: t.brands.number, fact: { id, revision, attribute, value } })
    .from(t.analyses)
    .innerJoin(t.brandFacts, eq(t.brandFacts.workspaceId, t.analyses.workspaceId))
    .innerJoin(t.brands, eq(t.brands.id, t.brandFacts.brandId))
    .where(eq(t.analyses.id, analysisId))
    .orderBy(asc(t.brands.number), asc(t.brandFacts.id));
  const brands = new Map<number, DeclaredFact[]>();
  for (const { number, fact } of rows) brands.set(number, [...(brands.get(number) ?? []), fact]);
  return Array.from(brands, ([number, facts]) => ({ number, facts }));
}

async function listStoredClaimSums({ q, t }: Db, collectId: string) {
  return q.select().from(t.collectClaims).where(eq(t.collectClaims.collectId, collectId));
}

/** Facts whose current revision is in all stored sums of the brand. */
function findCheckedFactIds(
  stored: Awaited<ReturnType<typeof listStoredClaimSums>>,
  { number, facts }: DeclaringBrand,
) {
  const lists = stored.filter(({ brandNumber }) => brandNumber === number).map(({ held }) => parseCheckedFacts(held));
  const isHeld = ({ id, revision }: CheckedFact) =>
    lists.length > 0 && lists.every((held) => held.some((one) => one.id === id && one.revision === revision));
  return facts.filter(isHeld).map(({ id }) => id);
}

async function findLastPosition({ q, t }: Db, analysisId: string): Promise<number | null> {
  const [row] = await q
    .select({ last: max(t.questions.position) })
    .from(t.questions)
    .where(eq(t.questions.analysisId, analysisId));
  return row?.last ?? null;
}

interface ClaimReuse {
  collectId: string;
  reusedFactIds: ReadonlySet<string>;
}

function readClaims(
  answer: AnswerToCheck,
  brands: readonly DeclaringBrand[],
  { collectId, reusedFactIds }: ClaimReuse,
): ClaimRow[] {
  const { key: answerKey, text, mentions, citations, names, claims } = answer;
  return brands
    .filter(({ number }) => names.has(number))
    .flatMap(({ number, facts }) =>
      facts.flatMap(({ id: factId, revision, attribute, value }): ClaimRow[] => {
        if (reusedFactIds.has(factId)) return claims.filter((row) => row.factId === factId);
        if (text === null) throw new Error("an answer has no text to extract");
        const fact = { brandId: String(number), attribute, value };
        const { verdict, ...at } = checkClaim({ text, mentions, citations }, fact);
        return verdict === "not_mentioned" ? [] : [{ collectId, answerKey, factId, revision, verdict, ...at }];
      }),
    );
}

function selectBrandClaims(
  { names }: AnswerToCheck,
  number: number,
  facts: readonly DeclaredFact[],
  said: readonly ClaimRow[],
): [number, ClaimRow[]][] {
  const own = new Set(facts.map(({ id }) => id));
  return names.has(number) ? [[number, said.filter(({ factId }) => own.has(factId))]] : [];
}
