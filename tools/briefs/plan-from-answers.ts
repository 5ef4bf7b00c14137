import { requireOwnBrand, type AnalysisRow } from "../../db/analyses/analyses.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import {
  listContentKeywords,
  listContentSources,
  listPromptBrands,
  readPromptAnswers,
} from "../../db/briefs/content-material.ts";
import { listPromptQuestions } from "../../db/briefs/prompt-questions.ts";
import { extractionSettings } from "../../db/analyses/prompt-context.ts";
import { listCountedMethods } from "../../db/metrics/methods.ts";
import { findPersona } from "../../db/catalog/personas.ts";
import type { ActionRow } from "../../db/actions/recommended-actions.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import type { NamedEntity } from "../../core/briefs/content-brief.ts";
import { COLLECTION_METHODS, isResultPageSource } from "../../core/sources/sources.ts";
import { planContent, toPromptEvidence } from "../../core/briefs/plan-content.ts";
import { listLatestCollects } from "../metric-reads/selection/latest-collects.ts";

interface BriefOrigin {
  analysis: AnalysisRow;
  action: ActionRow | undefined;
  ids: readonly string[] | undefined;
  topic: string | undefined;
  personaId: string | undefined;
}

const MAX_ENTITIES = 20;

/** Throws CONFLICT before the first collect completes, VALIDATION_FAILED for unusable inputs. */
export async function planFromAnswers(tenant: Tenant, origin: BriefOrigin) {
  const { analysis, action } = origin;
  const ownId = requireOwnBrand(analysis);
  const [collect] = await listLatestCollects(tenant, analysis.id);
  if (!collect) throw new AppError("CONFLICT", "No collect of the analysis has completed yet. Try again when one has.");
  const keywords = await findTargetKeywords(tenant, origin);
  const ids = keywords.map(({ id }) => id);
  // An action counts a prompt over all of its countries and personas.
  const questions = action ? await listPromptQuestions(tenant, analysis.id, ids) : new Map(ids.map((id) => [id, [id]]));
  const counted = await listCountedMethods(tenant.db, collect.id);
  const named = counted.filter(({ source }) => !isResultPageSource(source));
  // Result pages rank sites and do not name brands, so metrics count them separately.
  const ways = named.length > 0 ? named : counted;
  const scope = { collectId: collect.id, questionIds: [...questions.values()].flat(), ways };
  const byQuestion = await readPromptAnswers(tenant, scope);
  const answers = new Map(
    Array.from(questions, ([id, own]) => [id, own.flatMap((question) => byQuestion.get(question) ?? [])]),
  );
  const brands = sumByKeyword(await listPromptBrands(tenant, scope), questions);
  const prompts = keywords.map(({ id, text, funnelStage, searchVolume, relatedQueries }) => ({
    keyword_id: id,
    keyword: text,
    funnel_stage: funnelStage,
    search_volume: searchVolume,
    answers: answers.get(id)?.length ?? 0,
    occurrences: brands.find((row) => row.keywordId === id && row.brandId === ownId)?.occurrences ?? 0,
    relatedQueries: (relatedQueries ?? []).flatMap(({ query }) => query ?? []),
  }));
  const persona = await findPersonaFor(tenant, origin, keywords);
  const sources = await listContentSources(tenant, scope);
  const entities = toEntities(brands, ownId);
  const own = (await findBrand(tenant, ownId))?.name ?? "";
  const isWide = action !== undefined && action.evidence.every((row) => row.topic === null);
  const { category } = extractionSettings(analysis.setup);
  const subject = (isWide ? undefined : (origin.topic ?? keywords[0]?.topic)) ?? category ?? analysis.name;
  return {
    ...planContent({
      own,
      subject,
      prompts,
      persona,
      sources,
      entities,
      answerNoun: named.length > 0 ? "AI answers" : "result pages",
    }),
    collectId: collect.id,
    collectionMethods: COLLECTION_METHODS.filter((method) => ways.some((way) => way.method === method)),
    targetPrompts: prompts.map(({ relatedQueries: _related, ...prompt }) => prompt),
    citedSources: sources,
    entities,
    evidence:
      action?.evidence ??
      prompts.map((prompt) => {
        const rival = brands.find((row) => row.keywordId === prompt.keyword_id && row.brandId !== ownId);
        return toPromptEvidence(prompt, {
          collect_id: collect.id,
          brand_id: rival?.brandId ?? null,
          brand: rival?.brand ?? null,
          brand_occurrences: rival?.occurrences ?? null,
          answer_ids: (answers.get(prompt.keyword_id) ?? []).slice(0, 5),
        });
      }),
  };
}

type NamedBrands = Awaited<ReturnType<typeof listPromptBrands>>;

function sumByKeyword(named: NamedBrands, questions: ReadonlyMap<string, readonly string[]>): NamedBrands {
  const keywordOf = new Map([...questions].flatMap(([id, own]) => own.map((question) => [question, id] as const)));
  const sums = new Map<string, NamedBrands[number]>();
  for (const row of named) {
    const keywordId = keywordOf.get(row.keywordId) ?? row.keywordId;
    const key = `${keywordId} ${row.brandId}`;
    const known = sums.get(key);
    const occurrences = row.occurrences + (known?.occurrences ?? 0);
    const ranks = row.occurrences * row.averageRank + (known ? known.occurrences * known.averageRank : 0);
    sums.set(key, { ...row, keywordId, occurrences, averageRank: ranks / occurrences });
  }
  return [...sums.values()].toSorted((a, b) => b.occurrences - a.occurrences || (a.brandId < b.brandId ? -1 : 1));
}

type ContentKeywords = Awaited<ReturnType<typeof listContentKeywords>>;

async function findTargetKeywords(
  tenant: Tenant,
  { analysis, action, ids, topic }: BriefOrigin,
): Promise<ContentKeywords> {
  const named = action?.evidence.flatMap(({ keyword_id }) => keyword_id ?? []);
  const topics = [...new Set(action?.evidence.flatMap((row) => row.topic ?? []))];
  // Covers all prompts for an action about a site or a whole source, which names no keyword.
  const filter = action ? (named && named.length > 0 ? { ids: named } : { topic: topics[0] }) : { ids, topic };
  const keywords = await listContentKeywords(tenant, analysis.id, filter);
  const missing = filter.ids && !action && keywords.length < new Set(filter.ids).size;
  if (missing) throw invalidInput([{ path: "keyword_ids", message: "must be prompts (keywords) of this analysis" }]);
  if (keywords.length === 0) throw invalidInput([{ path: "topic", message: "must be a topic of this analysis" }]);
  return keywords;
}

async function findPersonaFor(tenant: Tenant, { personaId }: BriefOrigin, keywords: ContentKeywords) {
  const times = new Map<string, number>();
  for (const { personaId: id } of keywords) if (id !== null) times.set(id, (times.get(id) ?? 0) + 1);
  const [most] = [...times].toSorted((a, b) => b[1] - a[1]);
  const id = personaId ?? most?.[0];
  const row = id === undefined ? undefined : await findPersona(tenant, id);
  if (!row && personaId !== undefined) {
    throw invalidInput([{ path: "persona_id", message: "must be a persona of this workspace" }]);
  }
  if (!row) return null;
  const { name, description, motivations, painPoints, coreQuestions } = row;
  return { persona_id: row.id, name, description, motivations, pain_points: painPoints, coreQuestions };
}

function toEntities(brands: NamedBrands, ownId: string): NamedEntity[] {
  const sums = new Map<string, { brand: string; occurrences: number; rankSum: number }>();
  for (const { brandId, brand, occurrences, averageRank } of brands) {
    const sum = sums.get(brandId) ?? { brand, occurrences: 0, rankSum: 0 };
    sum.occurrences += occurrences;
    sum.rankSum += occurrences * averageRank;
    sums.set(brandId, sum);
  }
  return [...sums]
    .map(([brand_id, { brand, occurrences, rankSum }]) => {
      return { brand_id, brand, own: brand_id === ownId, occurrences, average_rank: rankSum / occurrences };
    })
    .toSorted((a, b) => b.occurrences - a.occurrences || (a.brand_id < b.brand_id ? -1 : 1))
    .slice(0, MAX_ENTITIES);
}
