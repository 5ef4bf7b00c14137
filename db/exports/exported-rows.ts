import { and, asc, eq, gt, inArray, lte, type SQL } from "drizzle-orm";
import { JOB_SOURCES, isSource, toSource } from "../../core/sources/sources.ts";
import { alias } from "../engine/columns.ts";
import { greaterThan, matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";
import { iterateAnswerRanges, listExportedCollects, type AnswerRange } from "./exported-collects.ts";
import type { ExportFilters } from "../../core/exports/exports.ts";

/** One answer can have thousands of rows. */
const ANSWERS_PER_READ = 200;
const TEXTS_PER_READ = 50;
const ROWS_PER_READ = 500;

async function* readBatches<Row extends object>(
  tenant: Tenant,
  filters: ExportFilters,
  read: (tenant: Tenant, range: AnswerRange) => Promise<Row[]>,
  most = ANSWERS_PER_READ,
) {
  for await (const range of iterateAnswerRanges(tenant, filters, most)) {
    const rows = await read(tenant, range);
    yield rows.map((row) => ({ ...row, ...range.collect }));
  }
}

function answerRangeCondition(t: typeof tables, { collect, afterId, lastId, filters }: AnswerRange): SQL | undefined {
  const { id, collectId, source } = t.answers;
  return and(
    eq(collectId, collect.collectId),
    gt(id, afterId),
    lte(id, lastId),
    filters.sources === undefined ? undefined : inArray(source, [...filters.sources]),
  );
}

function selectedBrandsCondition(t: typeof tables, { filters }: Pick<AnswerRange, "filters">): SQL | undefined {
  return filters.brand_ids === undefined ? undefined : inArray(t.brands.id, [...filters.brand_ids]);
}

function answerColumns(t: typeof tables) {
  return { answerId: t.answers.id, source: t.answers.source, method: t.answers.collectionMethod };
}

function aliasFacetTables({ t }: Db) {
  return { thematic: alias(t.facets, "thematic"), topic: alias(t.facets, "topic") };
}

function questionColumns({ t }: Db, { thematic, topic }: ReturnType<typeof aliasFacetTables>) {
  const { questions, personas } = t;
  return {
    questionId: questions.id,
    position: questions.position,
    question: questions.text,
    questionType: questions.type,
    ...pick(questions, "promptKind", "country", "askedBrandId", "otherBrandId", "lookAlike", "attribute"),
    ...pick(questions, "tag", "asksProsCons", "thematicId"),
    thematic: thematic.name,
    topicId: questions.topicId,
    topic: topic.name,
    personaId: questions.personaId,
    persona: personas.name,
    funnelStage: questions.funnelStage,
  };
}

async function readAnswers({ db }: Tenant, range: AnswerRange) {
  const { q, t } = db;
  const columns = aliasFacetTables(db);
  return q
    .select({
      ...answerColumns(t),
      ...questionColumns(db, columns),
      ...pick(t.answers, "run", "prompt", "text", "results", "provider", "model", "locale", "costCredits"),
      ...pick(t.answers, "costUsd", "collectedAt", "isShown", "isRefusal", "isInformative", "readingVersion"),
      awareness: t.awareness.verdict,
      perception: t.perceptions.spans,
    })
    .from(t.answers)
    .innerJoin(t.questions, eq(t.questions.id, t.answers.questionId))
    .leftJoin(columns.thematic, eq(columns.thematic.id, t.questions.thematicId))
    .leftJoin(columns.topic, eq(columns.topic.id, t.questions.topicId))
    .leftJoin(t.personas, eq(t.personas.id, t.questions.personaId))
    .leftJoin(t.awareness, eq(t.awareness.answerKey, t.answers.key))
    .leftJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(answerRangeCondition(t, range))
    .orderBy(asc(t.answers.id));
}

export function exportedAnswers(tenant: Tenant, filters: ExportFilters) {
  return readBatches(tenant, filters, readAnswers, TEXTS_PER_READ);
}

async function readMentions({ db: { q, t }, workspaceId }: Tenant, range: AnswerRange) {
  const ranks = await q
    .select({
      ...answerColumns(t),
      answerKey: t.answers.key,
      brandNumber: t.places.brandNumber,
      brandId: t.brands.id,
      brand: t.brands.name,
      ...pick(t.places, "rank", "brandRank", "mentions", "url"),
    })
    .from(t.answers)
    .innerJoin(t.places, eq(t.places.answerKey, t.answers.key))
    .innerJoin(t.brands, matches(t.brands, { workspaceId, number: t.places.brandNumber }))
    .where(and(answerRangeCondition(t, range), selectedBrandsCondition(t, range)))
    .orderBy(asc(t.answers.id), asc(t.places.rank), asc(t.places.brandNumber));
  const spans = await q
    .select(pick(t.mentions, "answerKey", "brandNumber", "start", "end", "alias"))
    .from(t.answers)
    .innerJoin(t.mentions, eq(t.mentions.answerKey, t.answers.key))
    .where(answerRangeCondition(t, range))
    .orderBy(asc(t.answers.id), asc(t.mentions.start));
  const byPlace = new Map<string, { start: number; end: number; text: string }[]>();
  for (const { start, end, alias: text, ...of } of spans) {
    const own = byPlace.get(toAnswerBrandKey(of)) ?? [];
    own.push({ start, end, text });
    byPlace.set(toAnswerBrandKey(of), own);
  }
  return ranks.map(({ answerKey, ...place }) => {
    return { ...place, spans: byPlace.get(toAnswerBrandKey({ answerKey, brandNumber: place.brandNumber })) ?? [] };
  });
}

function toAnswerBrandKey({ answerKey, brandNumber }: { answerKey: number; brandNumber: number }): string {
  return `${answerKey} ${brandNumber}`;
}

export function iterateExportedMentions(tenant: Tenant, filters: ExportFilters) {
  return readBatches(tenant, filters, readMentions);
}

async function readCitations({ db: { q, t }, workspaceId }: Tenant, range: AnswerRange) {
  return q
    .select({
      ...answerColumns(t),
      ...pick(t.citations, "position", "isCited", "url", "title", "domain", "competitorType"),
      brandId: t.brands.id,
      brand: t.brands.name,
      spans: t.citations.spans,
    })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .leftJoin(t.brands, matches(t.brands, { workspaceId, number: t.citations.brandNumber }))
    .where(and(answerRangeCondition(t, range), selectedBrandsCondition(t, range)))
    .orderBy(asc(t.answers.id), asc(t.citations.position));
}

export function iterateExportedCitations(tenant: Tenant, filters: ExportFilters) {
  return readBatches(tenant, filters, readCitations);
}

async function readQueries({ db: { q, t } }: Tenant, range: AnswerRange) {
  return q
    .select({ ...answerColumns(t), position: t.queries.position, query: t.queries.text })
    .from(t.answers)
    .innerJoin(t.queries, eq(t.queries.answerKey, t.answers.key))
    .where(answerRangeCondition(t, range))
    .orderBy(asc(t.answers.id), asc(t.queries.position));
}

export function iterateExportedQueries(tenant: Tenant, filters: ExportFilters) {
  return readBatches(tenant, filters, readQueries);
}

async function readOpinions({ db: { q, t } }: Tenant, range: AnswerRange) {
  return q
    .select({ ...answerColumns(t), text: t.answers.text, said: t.perceptions.spans })
    .from(t.answers)
    .innerJoin(t.perceptions, eq(t.perceptions.answerKey, t.answers.key))
    .where(answerRangeCondition(t, range))
    .orderBy(asc(t.answers.id));
}

export function iterateExportedOpinions(tenant: Tenant, filters: ExportFilters) {
  return readBatches(tenant, filters, readOpinions, TEXTS_PER_READ);
}

export async function* exportedJobs(tenant: Tenant, filters: ExportFilters) {
  const { db } = tenant;
  const { q, t } = db;
  const columns = aliasFacetTables(db);
  const among = filters.sources && JOB_SOURCES.filter((one) => filters.sources?.includes(toSource(one)));
  const condition = among && inArray(t.jobs.source, among);
  for (const collect of await listExportedCollects(tenant, filters)) {
    for (let after = ""; ;) {
      const rows = await q
        .select({
          jobId: t.jobs.id,
          ...pick(t.jobs, "source", "run", "status", "attempts", "outcome", "failureReason", "finishedAt"),
          answerId: t.answers.id,
          ...questionColumns(db, columns),
        })
        .from(t.jobs)
        .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
        .leftJoin(columns.thematic, eq(columns.thematic.id, t.questions.thematicId))
        .leftJoin(columns.topic, eq(columns.topic.id, t.questions.topicId))
        .leftJoin(t.personas, eq(t.personas.id, t.questions.personaId))
        .leftJoin(
          t.answers,
          matches(t.answers, {
            ...pick(t.jobs, "collectId", "questionId", "run"),
            jobId: t.jobs.id,
          }),
        )
        .where(and(matches(t.jobs, { collectId: collect.collectId, id: greaterThan(after) }), condition))
        .orderBy(asc(t.jobs.id))
        .limit(ROWS_PER_READ);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield rows.map(({ source, ...row }) => ({
        ...row,
        ...collect,
        source: isSource(source) ? toSource(source) : source,
      }));
      after = last.jobId;
    }
  }
}

export async function* iterateExportedPages(tenant: Tenant, filters: ExportFilters) {
  const { q, t } = tenant.db;
  for (const collect of await listExportedCollects(tenant, filters)) {
    if (collect.analysisType !== "geo_audit") continue;
    for (let after = ""; ;) {
      const rows = await q
        .select({
          pageId: t.auditPages.pageId,
          url: t.questions.text,
          ...pick(t.auditPages, "title", "pageType", "typeConfidence"),
          correctedType: t.questions.pageType,
          ...pick(t.auditPages, "outcome", "skippedReason", "score", "scores", "outcomes", "changes"),
          ...pick(t.auditPages, "checksVersion", "fetchedAt"),
        })
        .from(t.auditPages)
        .innerJoin(t.questions, eq(t.questions.id, t.auditPages.pageId))
        .where(matches(t.auditPages, { collectId: collect.collectId, pageId: greaterThan(after) }))
        .orderBy(asc(t.auditPages.pageId))
        .limit(ROWS_PER_READ);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield rows.map((row) => ({ ...row, ...collect }));
      after = last.pageId;
    }
  }
}

export async function* iterateExportedBrands({ db: { q, t }, workspaceId }: Tenant, filters: ExportFilters) {
  for (let after = 0; ;) {
    const rows = await q
      .select()
      .from(t.brands)
      .where(
        and(matches(t.brands, { workspaceId, number: greaterThan(after) }), selectedBrandsCondition(t, { filters })),
      )
      .orderBy(asc(t.brands.number))
      .limit(ROWS_PER_READ);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.number;
  }
}

export async function* iterateExportedCatalogEvents({ db: { q, t }, workspaceId }: Tenant, filters: ExportFilters) {
  for (let after = ""; ;) {
    const rows = await q
      .select()
      .from(t.catalogEvents)
      .where(matches(t.catalogEvents, { workspaceId, id: greaterThan(after), brandId: filters.brand_ids }))
      .orderBy(asc(t.catalogEvents.id))
      .limit(ROWS_PER_READ);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}

/** Extracted rows reference brand numbers. */
export async function listNumberedBrands({ db: { q, t }, workspaceId }: Tenant) {
  const rows = await q
    .select({ number: t.brands.number, id: t.brands.id, name: t.brands.name })
    .from(t.brands)
    .where(eq(t.brands.workspaceId, workspaceId));
  return new Map(rows.map((row) => [row.number, row]));
}
