import { and, asc, avg, count, desc, eq, inArray, sql } from "drizzle-orm";
import { mergeKeywordData } from "../../core/analyses/keyword-data.ts";
import type { CitedSource } from "../../core/briefs/content-brief.ts";
import type { Source } from "../../core/sources/sources.ts";
import { answerToQuestionsCondition, type QuestionAnswers } from "../answers/question-answers.ts";
import { listCitedPages } from "../answers/cited-pages.ts";
import { keywordDataCondition } from "../analyses/keyword-data.ts";
import { readPromptClusters } from "../analyses/prompt-clusters.ts";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export const MAX_CONTENT_KEYWORDS = 50;

/** By descending search volume. By topic, prompts count as their first question. */
export async function listContentKeywords(
  { db }: Tenant,
  analysisId: string,
  filter: { ids?: readonly string[] | undefined; topic?: string | undefined },
) {
  const { q, t } = db;
  const clusters = filter.ids === undefined ? await readPromptClusters(db, analysisId) : null;
  const rows = await q
    .select({ question: t.questions, found: t.keywordFigures, topic: t.facets.name })
    .from(t.questions)
    .leftJoin(t.keywordFigures, await keywordDataCondition(db, analysisId))
    .leftJoin(t.facets, eq(t.facets.id, t.questions.topicId))
    .where(
      and(
        matches(t.questions, { analysisId, id: filter.ids }),
        filter.topic === undefined ? undefined : eq(t.facets.name, filter.topic),
        clusters === null ? undefined : inArray(t.questions.position, [...new Set(clusters.prompts)]),
      ),
    )
    .orderBy(
      desc(sql`coalesce(${t.questions.searchVolume}, ${t.keywordFigures.searchVolume}, 0)`),
      asc(t.questions.position),
    )
    .limit(MAX_CONTENT_KEYWORDS);
  return rows.map(({ question, found, topic }) => {
    const { id, text, funnelStage, personaId } = question;
    const { searchVolume, relatedQueries } = mergeKeywordData(question, found);
    return { id, text, topic, funnelStage, personaId, searchVolume, relatedQueries };
  });
}

export async function readPromptAnswers({ db }: Tenant, to: QuestionAnswers) {
  const { q, t } = db;
  const rows = await q
    .select({ id: t.answers.id, keywordId: t.answers.questionId })
    .from(t.answers)
    .where(answerToQuestionsCondition(db, to))
    .orderBy(asc(t.answers.id));
  const byKeyword = new Map<string, string[]>();
  for (const { id, keywordId } of rows) byKeyword.set(keywordId, [...(byKeyword.get(keywordId) ?? []), id]);
  return byKeyword;
}

/** Sub-brands and products are not counted separately. */
export async function listPromptBrands({ db }: Tenant, to: QuestionAnswers) {
  const { q, t } = db;
  return q
    .select({
      keywordId: t.answers.questionId,
      brandId: t.brands.id,
      brand: t.brands.name,
      occurrences: count(),
      averageRank: avg(t.places.rank).mapWith(Number),
    })
    .from(t.answers)
    .innerJoin(t.places, eq(t.places.answerKey, t.answers.key))
    .innerJoin(
      t.brands,
      matches(t.brands, {
        workspaceId: t.answers.workspaceId,
        number: t.places.brandNumber,
        parentId: null,
        archivedAt: null,
      }),
    )
    .where(answerToQuestionsCondition(db, to))
    .groupBy(t.answers.questionId, t.brands.id, t.brands.name)
    .orderBy(desc(count()), asc(t.brands.id));
}

const MAX_SITES = 15;

export async function listContentSources({ db }: Tenant, to: QuestionAnswers): Promise<CitedSource[]> {
  const sites = new Map<string, { urls: Map<string, number>; sources: Set<Source>; citedSource: CitedSource }>();
  for (const { domain, url, siteType, source, answers } of await listCitedPages(db, to)) {
    const citedSource = { domain, url, competitor_type: siteType, citations: 0, sources: [] };
    const known = sites.get(domain) ?? { urls: new Map<string, number>(), sources: new Set<Source>(), citedSource };
    sites.set(domain, known);
    known.urls.set(url, (known.urls.get(url) ?? 0) + answers);
    known.sources.add(source);
    known.citedSource.citations += answers;
  }
  return [...sites.values()]
    .map(({ urls, sources, citedSource: site }): CitedSource => {
      const [top] = [...urls].toSorted((a, b) => b[1] - a[1]);
      return { ...site, url: top?.[0] ?? site.url, sources: [...sources] };
    })
    .toSorted((a, b) => b.citations - a.citations)
    .slice(0, MAX_SITES);
}
