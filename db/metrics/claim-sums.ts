import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, desc, eq, max } from "drizzle-orm";
import { MEASURED_STATUSES } from "../../core/analyses/analysis.ts";
import type { FactValue } from "../../core/claims/fact.ts";
import { readClaim } from "../../core/claims/read-claim.ts";
import {
  gatherClaims,
  heldOf,
  heldText,
  type BrandWithFacts,
  type HeldFact,
} from "../../core/metrics/facts/collect-claims.ts";
import { readOr } from "../../core/shared/within-time.ts";
import { digestOf } from "../../core/metrics/packed-columns.ts";
import { matches } from "../engine/rows.ts";
import type { Db, Read, Tenant } from "../engine/store.ts";
import { listClaimedAnswers, type ClaimedAnswer, type ClaimRow } from "../answers/claimed-answers.ts";
import { changesBetween, type SumChange } from "./sum-changes.ts";

/** Max questions per read, so that other requests run in between. */
const QUESTIONS_AT_ONCE = 25;

interface DeclaredFact extends HeldFact {
  attribute: string;
  value: FactValue;
}

interface DeclaringBrand extends BrandWithFacts {
  facts: readonly DeclaredFact[];
}

export interface ClaimedCollect {
  id: string;
  analysisId: string;
}

export async function listClaimedCollects({ db: { q, t }, workspaceId }: Tenant): Promise<ClaimedCollect[]> {
  return q
    .select({ id: t.collects.id, analysisId: t.collects.analysisId })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(and(matches(t.collects, { workspaceId, status: MEASURED_STATUSES }), eq(t.analyses.type, "brand_analysis")))
    .orderBy(desc(t.collects.id));
}

/**
 * Returns changes to stored claims and sums. `keeps` skips facts already checked: valid only if
 * nothing else of the extraction changed.
 */
export async function gatherClaimSums(
  read: Read,
  collect: ClaimedCollect,
  { pause = nextTurn, keeps = false }: { pause?: () => Promise<void>; keeps?: boolean } = {},
): Promise<SumChange[]> {
  const brands = await read((db) => listDeclaringBrands(db, collect.analysisId));
  const stored = await read((db) => listStored(db, collect.id));
  if (brands.length === 0 && stored.length === 0) return [];
  const kept = new Set(keeps ? brands.flatMap((brand) => heldIn(stored, brand)) : []);
  const unread = new Set(
    brands.filter(({ facts }) => facts.some(({ id }) => !kept.has(id))).map(({ number }) => number),
  );
  const last = (await read((db) => findLastPosition(db, collect.analysisId))) ?? -1;
  const gathering = gatherClaims(last + 1, brands);
  const changes: SumChange[] = [];
  for (let first = 0; first <= last; first += QUESTIONS_AT_ONCE) {
    const part = { ...collect, first, last: first + QUESTIONS_AT_ONCE - 1 };
    const answers = await read((db) => listClaimedAnswers(db, part, unread));
    const wanted: ClaimRow[] = [];
    for (const answer of answers) {
      const said = claimsIn(answer, brands, { collectId: collect.id, kept });
      const named = new Map(brands.flatMap(({ number, facts }) => saidOfBrand(answer, number, facts, said)));
      gathering.add({ ...answer, named });
      wanted.push(...said);
      if (answer.text !== null) await pause();
    }
    changes.push(...changesBetween({ claims: answers.flatMap(({ claims }) => claims) }, { claims: wanted }));
    await pause();
  }
  const sums = gathering.pack().map((packed) => {
    const digest = digestOf(Buffer.concat([packed.facts, Buffer.from(packed.pages)]));
    return { collectId: collect.id, ...packed, digest };
  });
  return [...changes, ...changesBetween({ collectClaims: stored }, { collectClaims: sums })];
}

/** True if the answers were not checked against the current facts. */
export async function isHeldOtherwise(db: Db, collect: ClaimedCollect): Promise<boolean> {
  const { collectClaims: t } = db.t;
  const stored = await db.q
    .selectDistinct({ brandNumber: t.brandNumber, held: t.held })
    .from(t)
    .where(eq(t.collectId, collect.id));
  const declared = await listDeclaringBrands(db, collect.analysisId);
  const wanted = new Map(declared.map(({ number, facts }) => [number, heldText(facts)]));
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

async function listStored({ q, t }: Db, collectId: string) {
  return q.select().from(t.collectClaims).where(eq(t.collectClaims.collectId, collectId));
}

/** Facts of a brand whose current revision is in all of its stored sums. */
function heldIn(stored: Awaited<ReturnType<typeof listStored>>, { number, facts }: DeclaringBrand): string[] {
  const lists = stored.filter(({ brandNumber }) => brandNumber === number).map(({ held }) => heldOf(held));
  const isHeld = ({ id, revision }: HeldFact) =>
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

/** Claims about the brands named in an answer; empty if the extraction exceeds its time limit. */
function claimsIn(answer: ClaimedAnswer, ...by: [brands: readonly DeclaringBrand[], held: HeldClaims]): ClaimRow[] {
  const [brands] = by;
  const facts = brands.reduce((sum, brand) => sum + brand.facts.length, 0);
  return answer.text === null
    ? readClaims(answer, ...by)
    : readOr(answer.text.length * facts, () => readClaims(answer, ...by), []);
}

interface HeldClaims {
  collectId: string;
  kept: ReadonlySet<string>;
}

function readClaims(
  answer: ClaimedAnswer,
  brands: readonly DeclaringBrand[],
  { collectId, kept }: HeldClaims,
): ClaimRow[] {
  const { key: answerKey, text, mentions, citations, names, claims } = answer;
  return brands
    .filter(({ number }) => names.has(number))
    .flatMap(({ number, facts }) =>
      facts.flatMap(({ id: factId, revision, attribute, value }): ClaimRow[] => {
        if (kept.has(factId)) return claims.filter((row) => row.factId === factId);
        if (text === null) throw new Error("an answer without the text that is to be read");
        const fact = { brandId: String(number), attribute, value };
        const { verdict, ...at } = readClaim({ text, mentions, citations }, fact);
        return verdict === "not_mentioned" ? [] : [{ collectId, answerKey, factId, revision, verdict, ...at }];
      }),
    );
}

function saidOfBrand(
  { names }: ClaimedAnswer,
  number: number,
  facts: readonly DeclaredFact[],
  said: readonly ClaimRow[],
): [number, ClaimRow[]][] {
  const own = new Set(facts.map(({ id }) => id));
  return names.has(number) ? [[number, said.filter(({ factId }) => own.has(factId))]] : [];
}
