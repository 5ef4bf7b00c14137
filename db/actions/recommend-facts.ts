import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, eq, sql } from "drizzle-orm";
import { unpackFacts, decodeWays } from "../../core/metrics/facts/collect-facts.ts";
import { groupPositionsByPrompt } from "../../core/metrics/prompt-clusters.ts";
import { countCitations, type CitedSites, type CitingAnswer } from "../../core/actions/cited-sites.ts";
import type { CollectView, ComparedBrands } from "../../core/actions/collect-view.ts";
import type { RuleKeyword } from "../../core/actions/finding.ts";
import type { Source } from "../../core/sources/sources.ts";
import { listCompetitorIds, requireOwnBrand, type AnalysisRow } from "../analyses/analyses.ts";
import { extractionSettings } from "../analyses/prompt-context.ts";
import { answerToQuestionsCondition, type QuestionAnswers } from "../answers/question-answers.ts";
import { keywordDataCondition } from "../analyses/keyword-data.ts";
import { listCountedParts, listCountedMethods } from "../metrics/methods.ts";
import { listCatalogBrands } from "../analyses/projects.ts";
import { readPromptClusters } from "../analyses/prompt-clusters.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export async function findCollectAnalysis({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [row] = await q
    .select({ analysis: t.analyses })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(matches(t.collects, { workspaceId, id: collectId }));
  return row?.analysis;
}

function collectColumns({ collects }: Db["t"]) {
  const { id, number, createdAt, startedAt, finishedAt, collectionMethods } = collects;
  return { id, number, createdAt, startedAt, finishedAt, collectionMethods };
}

export async function listCollectsByIds({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return q
    .select(collectColumns(t))
    .from(t.collects)
    .where(matches(t.collects, { workspaceId, id: ids }))
    .orderBy(asc(t.collects.number));
}
export type LatestCollect = Awaited<ReturnType<typeof listCollectsByIds>>[number];

/** Generic keywords in setup order; the questions of an unaided prompt form one keyword. */
export async function readRuleKeywords({ db }: Tenant, analysis: Pick<AnalysisRow, "id" | "setup" | "name">) {
  const { q, t } = db;
  const rows = await q
    .select({
      ...pick(t.questions, "id", "position", "text"),
      topicId: t.facets.id,
      topic: t.facets.name,
      funnelStage: t.questions.funnelStage,
      searchVolume: sql<number | null>`coalesce(${t.questions.searchVolume}, ${t.keywordFigures.searchVolume})`,
    })
    .from(t.questions)
    .leftJoin(t.keywordFigures, await keywordDataCondition(db, analysis.id))
    .leftJoin(t.facets, eq(t.facets.id, t.questions.topicId))
    .where(matches(t.questions, { analysisId: analysis.id, type: "Generic" }))
    .orderBy(asc(t.questions.position));
  const clusters = await readPromptClusters(db, analysis.id);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const about = extractionSettings(analysis.setup).category ?? analysis.name;
  const keywords = groupPositionsByPrompt([...byPosition.keys()], clusters).flatMap((prompt): RuleKeyword[] => {
    const questions = prompt.flatMap((position) => byPosition.get(position) ?? []);
    const [first] = questions;
    const ids = questions.map(({ id, position }) => ({ id, position }));
    return first ? [{ ...first, topic: first.topic ?? about, questions: ids }] : [];
  });
  return { keywords, clusters };
}

/** An analysis without competitors of its own is compared with those of the catalog. */
export async function readComparedBrands(tenant: Tenant, analysis: Pick<AnalysisRow, "id" | "brandId">) {
  const brands = await listCatalogBrands(tenant);
  const named = await listCompetitorIds(tenant, analysis.id);
  const rivals = brands.filter(({ relationship, parentId }) => relationship === "competitor" && parentId === null);
  const rivalIds = named.length > 0 ? named : rivals.map(({ id }) => id);
  const compared: ComparedBrands = { ownId: requireOwnBrand(analysis), rivalIds: new Set(rivalIds) };
  return {
    compared,
    brandNames: new Map(brands.map(({ id, name }) => [id, name])),
    /** A cited page of a sub-brand or product counts for its parent brand. */
    rootIdByBrandId: new Map(brands.map(({ id, parentId }) => [id, parentId ?? id])),
  };
}

export async function readCollectView(
  { db, workspaceId }: Tenant,
  collect: Pick<LatestCollect, "id" | "number" | "collectionMethods">,
): Promise<CollectView> {
  const { q, t } = db;
  const brands = await q
    .select({ id: t.brands.id, number: t.brands.number })
    .from(t.brands)
    .where(matches(t.brands, { workspaceId, archivedAt: null }));
  const brandIds: string[] = [];
  for (const { id, number } of brands) brandIds[number] = id;
  const rows = await q
    .select({ source: t.collectFacts.source, method: t.collectFacts.method, facts: t.collectFacts.facts })
    .from(t.collectFacts)
    .where(eq(t.collectFacts.collectId, collect.id))
    .orderBy(asc(t.collectFacts.source));
  const sources = (await listCountedParts(db, collect.id, rows)).map(({ source, facts: packed }) => {
    const facts = unpackFacts(packed);
    return { source, facts, brandIds, provenances: decodeWays(facts) };
  });
  return { id: collect.id, collectNumber: collect.number, sources, collectionMethods: collect.collectionMethods };
}

/** Lets other requests run in between. */
const QUESTIONS_PER_QUERY = 25;

export async function readCitedSites(
  db: Db,
  collectId: string,
  by: { keywords: readonly RuleKeyword[]; compared: ComparedBrands; rootIdByBrandId: ReadonlyMap<string, string> },
): Promise<CitedSites> {
  const sites: CitedSites = new Map();
  const ways = await listCountedMethods(db, collectId);
  const asked = by.keywords.flatMap(({ position, questions }) => questions.map(({ id }) => [id, position] as const));
  for (let first = 0; first < asked.length; first += QUESTIONS_PER_QUERY) {
    const positions = new Map(asked.slice(first, first + QUESTIONS_PER_QUERY));
    const to = { collectId, ways, questionIds: [...positions.keys()] };
    for (const answer of await listCitingAnswers(db, to, { ...by, positions })) {
      countCitations(sites, answer, by.compared);
    }
    await nextTurn();
  }
  return sites;
}

async function listCitingAnswers(
  db: Db,
  to: QuestionAnswers,
  {
    positions,
    rootIdByBrandId,
  }: { positions: ReadonlyMap<string, number>; rootIdByBrandId: ReadonlyMap<string, string> },
): Promise<CitingAnswer[]> {
  const { q, t } = db;
  const among = answerToQuestionsCondition(db, to);
  const cited = await q
    .select({
      id: t.answers.id,
      source: t.answers.source,
      keywordId: t.answers.questionId,
      domain: t.citations.domain,
      url: t.citations.url,
      siteType: t.citations.competitorType,
      brandId: t.brands.id,
    })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .leftJoin(t.brands, matches(t.brands, { workspaceId: t.answers.workspaceId, number: t.citations.brandNumber }))
    .where(and(among, eq(t.citations.isCited, true)))
    .orderBy(asc(t.answers.id), asc(t.citations.position));
  const placed = await q
    .select({ id: t.answers.id, brandId: t.brands.id })
    .from(t.answers)
    .innerJoin(t.places, eq(t.places.answerKey, t.answers.key))
    .innerJoin(t.brands, matches(t.brands, { workspaceId: t.answers.workspaceId, number: t.places.brandNumber }))
    .where(among);
  const answers = new Map<
    string,
    { id: string; source: Source; keyword: number; pages: CitingAnswer["pages"][number][]; brandIds: string[] }
  >();
  for (const { id, source, keywordId, brandId, ...page } of cited) {
    const known = answers.get(id) ?? { id, source, keyword: positions.get(keywordId) ?? -1, pages: [], brandIds: [] };
    known.pages.push({ ...page, brandId: brandId === null ? null : (rootIdByBrandId.get(brandId) ?? brandId) });
    answers.set(id, known);
  }
  for (const { id, brandId } of placed) answers.get(id)?.brandIds.push(brandId);
  return [...answers.values()];
}

export async function listEvidenceAnswers({ q, t }: Db, collectId: string, keywordIds: readonly string[]) {
  if (keywordIds.length === 0) return [];
  return q
    .select({ id: t.answers.id, keywordId: t.answers.questionId, source: t.answers.source })
    .from(t.answers)
    .where(matches(t.answers, { collectId, questionId: keywordIds, isShown: true }))
    .orderBy(asc(t.answers.id));
}
