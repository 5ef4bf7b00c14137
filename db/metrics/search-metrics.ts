import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, eq, gt, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import { MEASURED_STATUSES } from "../../core/analyses/analysis.ts";
import { mergeKeywordData, type FoundKeywordData } from "../../core/analyses/keyword-data.ts";
import { unpackFacts } from "../../core/metrics/facts/collect-facts.ts";
import type { PromptKind } from "../../core/prompts/brand-prompt.ts";
import {
  FUNNEL_STAGES,
  type CollectionMethod,
  type KeywordClass,
  type KeywordType,
  type Source,
  type SummedMethod,
  type SourceOrAll,
} from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Tables } from "../schema.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import { buildCountryCacheKey, promptCountryCondition } from "../analyses/prompt-countries.ts";
import { keywordDataCondition, buildVolumeColumns } from "../analyses/keyword-data.ts";
import { createFactsReader } from "../answers/facts-reader.ts";
import { findLastPosition } from "../analyses/prompt-clusters.ts";

// Reads the sums of db/metrics/rollups.ts, never raw rows. The caller has checked the ids.

export type MeasuredCollect = Awaited<ReturnType<typeof listMeasuredCollects>>[number];

/** Oldest first. */
export async function listMeasuredCollects({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  return q
    .select({
      ...pick(t.collects, "id", "number", "collectedFrom", "collectedTo", "finishedAt", "collectionMethods"),
      ...pick(t.collects, "ways", "isImported", "summedVersion", "status"),
    })
    .from(t.collects)
    .where(matches(t.collects, { analysisId, workspaceId, status: MEASURED_STATUSES }))
    .orderBy(asc(t.collects.number));
}

/** An empty list does not restrict. */
export interface KeywordFilter {
  keywordIds: readonly string[];
  thematicIds: readonly string[];
  types: readonly KeywordType[];
  topicIds: readonly string[];
  personaIds: readonly string[];
  countries: readonly string[];
  strengthIds: readonly string[];
  weaknessIds: readonly string[];
  relatedProductIds: readonly string[];
  subBrandIds: readonly string[];
  funnelStages: readonly string[];
  promptKinds: readonly PromptKind[];
  perception: string | null;
}

export async function keywordCondition(db: Db, analysisId: string, filter: KeywordFilter): Promise<SQL | undefined> {
  const { questions } = db.t;
  const stages = FUNNEL_STAGES.filter((stage) => filter.funnelStages.includes(stage));
  return and(
    matches(questions, { analysisId, type: filter.types }),
    oneOfCondition(questions.id, filter.keywordIds),
    oneOfCondition(questions.thematicId, filter.thematicIds),
    oneOfCondition(questions.topicId, filter.topicIds),
    oneOfCondition(questions.personaId, filter.personaIds),
    await promptCountryCondition(db, analysisId, filter.countries),
    oneOfCondition(questions.strengthId, filter.strengthIds),
    oneOfCondition(questions.weaknessId, filter.weaknessIds),
    oneOfCondition(questions.relatedProductId, filter.relatedProductIds),
    oneOfCondition(questions.subBrandId, filter.subBrandIds),
    filter.funnelStages.length === 0 ? undefined : inArray(questions.funnelStage, stages),
    oneOfCondition(questions.promptKind, filter.promptKinds),
    perceptionCondition(questions, filter.perception),
  );
}

function oneOfCondition(column: Parameters<typeof inArray>[0], ids: readonly string[]): SQL | undefined {
  return ids.length === 0 ? undefined : inArray(column, [...ids]);
}

function perceptionCondition(questions: Db["t"]["questions"], perception: string | null): SQL | undefined {
  if (perception === null) return undefined;
  if (perception === "positive") return isNotNull(questions.strengthId);
  if (perception === "negative") return isNotNull(questions.weaknessId);
  return perception === "neutral" ? matches(questions, { strengthId: null, weaknessId: null }) : sql`1 = 0`;
}

export async function listKeywordPositions(db: Db, analysisId: string, filter: KeywordFilter) {
  const countries = await buildCountryCacheKey(db, analysisId, filter.countries);
  const key = `positions ${analysisId} ${await findLastPosition(db, analysisId)} ${JSON.stringify({ ...filter, countries })}`;
  return db.cache.get(key, async () => {
    const rows = await db.q
      .select({ position: db.t.questions.position })
      .from(db.t.questions)
      .where(await keywordCondition(db, analysisId, filter))
      .orderBy(asc(db.t.questions.position));
    const positions = rows.map((row) => row.position);
    return { value: positions, bytes: key.length + positions.length * 8 };
  });
}

export async function listVisibilityKeywords(db: Db, analysisId: string, filter: KeywordFilter) {
  const { questions } = db.t;
  const { id, position, text, thematicId, topicId, personaId, funnelStage, promptKind, country } = questions;
  return db.q
    .select({ id, position, text, thematicId, topicId, personaId, funnelStage, promptKind, country })
    .from(questions)
    .where(await keywordCondition(db, analysisId, filter))
    .orderBy(asc(position));
}
export type VisibilityKeyword = Awaited<ReturnType<typeof listVisibilityKeywords>>[number];

export type MatchingKeyword = Tables["questions"]["$inferSelect"] & FoundKeywordData;

/** Lets other requests run in between. */
const [OUTLINES_PER_BATCH, KEYWORDS_PER_BATCH] = [1000, 200];

export interface KeywordOutline {
  position: number;
  text: string;
  type: KeywordType;
  topicId: string | null;
  personaId: string | null;
  searchVolume: number | null;
  volumeFrom: string | null;
  volumeAt: Instant | null;
}

export async function* iterateMatchingKeywords(
  db: Db,
  analysisId: string,
  filter: KeywordFilter,
): AsyncGenerator<KeywordOutline[]> {
  const { questions, keywordFigures } = db.t;
  const { position, text, type, topicId, personaId } = questions;
  const matching = await keywordCondition(db, analysisId, filter);
  const figuresOf = await keywordDataCondition(db, analysisId);
  let last = -1;
  // One query per part: a single query would block other requests while it reads thousands of rows.
  for (;;) {
    const rows = await db.q
      .select({ position, text, type, topicId, personaId, ...buildVolumeColumns(db.t) })
      .from(questions)
      .leftJoin(keywordFigures, figuresOf)
      .where(and(matching, gt(position, last)))
      .orderBy(asc(position))
      .limit(OUTLINES_PER_BATCH);
    yield rows;
    if (rows.length < OUTLINES_PER_BATCH) return;
    last = rows.at(-1)?.position ?? last;
    await nextTurn();
  }
}

export async function* iterateKeywordsAt(
  db: Db,
  analysisId: string,
  positions: readonly number[],
): AsyncGenerator<MatchingKeyword[]> {
  const { questions, keywordFigures } = db.t;
  const figuresOf = await keywordDataCondition(db, analysisId);
  for (let from = 0; from < positions.length; from += KEYWORDS_PER_BATCH) {
    const part = positions.slice(from, from + KEYWORDS_PER_BATCH);
    const rows = await db.q
      .select({ question: questions, found: keywordFigures })
      .from(questions)
      .leftJoin(keywordFigures, figuresOf)
      .where(and(eq(questions.analysisId, analysisId), inArray(questions.position, part)));
    const known = new Map(rows.map((row) => [row.question.position, row]));
    yield part.flatMap((position) => {
      const row = known.get(position);
      return row ? [{ ...row.question, ...mergeKeywordData(row.question, row.found) }] : [];
    });
    await nextTurn();
  }
}

export async function listKeywordLabels({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const facets = await q
    .select({ id: t.facets.id, name: t.facets.name })
    .from(t.facets)
    .where(eq(t.facets.analysisId, analysisId));
  const personas = await q
    .select({ id: t.personas.id, name: t.personas.name })
    .from(t.personas)
    .where(eq(t.personas.workspaceId, workspaceId));
  return new Map([...facets, ...personas].map((row) => [row.id, row.name]));
}

export async function listSumKeys({ q, t: { collectSums } }: Db, collectId: string) {
  return q
    .select(pick(collectSums, "source", "method", "keywordClass", "answers"))
    .from(collectSums)
    .where(eq(collectSums.collectId, collectId));
}

export async function listStoredSums(
  { q, t: { collectSums } }: Db,
  slots: { collectId: string; source: SourceOrAll; method: SummedMethod; classes: readonly KeywordClass[] },
): Promise<Buffer[]> {
  const { classes, ...keys } = slots;
  const found: Buffer[] = [];
  // One row at a time, because rows of other classes are as large and not needed.
  for (const keywordClass of classes) {
    const [row] = await q
      .select({ sums: collectSums.sums })
      .from(collectSums)
      .where(matches(collectSums, { ...keys, keywordClass }));
    if (row) found.push(row.sums);
  }
  return found;
}

export async function listPublishedSums({ q, t: { collectSums } }: Db, collectId: string) {
  return q.select().from(collectSums).where(eq(collectSums.collectId, collectId));
}

export const listFacts = createFactsReader("collectFacts", unpackFacts);

/** Digests identify the facts in caches. */
export async function listFactDigests({ q, t }: Db, collectIds: readonly string[]) {
  const { collectId, source, method, digest } = t.collectFacts;
  return q
    .select({ collectId, source, method, digest })
    .from(t.collectFacts)
    .where(inArray(collectId, [...collectIds]))
    .orderBy(asc(collectId), asc(source), asc(method));
}

export async function listLinks(db: Db, collectId: string, sources: readonly Source[], withAddresses: boolean) {
  const { collectLinks } = db.t;
  const rows = await db.q
    .select()
    .from(collectLinks)
    .where(
      and(
        matches(collectLinks, { collectId, source: sources }),
        withAddresses ? undefined : eq(collectLinks.holds, "links"),
      ),
    )
    .orderBy(asc(collectLinks.source), asc(collectLinks.method), asc(collectLinks.part));
  const parts = new Map<string, { source: Source; method: CollectionMethod; links: Buffer[]; addresses: Buffer[] }>();
  for (const { source, method, holds, bytes } of rows) {
    const key = `${source} ${method}`;
    const known = parts.get(key) ?? { source, method, links: [], addresses: [] };
    known[holds].push(bytes);
    parts.set(key, known);
  }
  return [...parts.values()].map(({ links, addresses, ...of }) => {
    return { ...of, links: Buffer.concat(links), addresses: Buffer.concat(addresses) };
  });
}

export async function listChannels({ q, t }: Db, collectIds: readonly string[], sources: readonly Source[]) {
  return q
    .select()
    .from(t.keywordChannels)
    .where(matches(t.keywordChannels, { collectId: collectIds, source: sources }))
    .orderBy(asc(t.keywordChannels.collectId), asc(t.keywordChannels.source), asc(t.keywordChannels.method));
}
