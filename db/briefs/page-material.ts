import { and, asc, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { toComparableUrl } from "../../core/reading/citations.ts";
import { registrableDomain } from "../../core/identity/domains.ts";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export async function findNewestPage({ db: { q, t }, workspaceId }: Tenant, pageId: string) {
  const [row] = await q
    .select({
      analysis: t.analyses,
      collectId: t.auditPages.collectId,
      isSimulated: t.audits.isSimulated,
      url: t.questions.text,
      title: t.auditPages.title,
      pageType: t.auditPages.pageType,
      correctedType: t.questions.pageType,
      outcomes: t.auditPages.outcomes,
    })
    .from(t.questions)
    .innerJoin(t.analyses, eq(t.analyses.id, t.questions.analysisId))
    .innerJoin(t.auditPages, eq(t.auditPages.pageId, t.questions.id))
    .innerJoin(t.audits, eq(t.audits.collectId, t.auditPages.collectId))
    .innerJoin(t.collects, eq(t.collects.id, t.auditPages.collectId))
    .where(and(eq(t.questions.id, pageId), eq(t.analyses.workspaceId, workspaceId), isNotNull(t.audits.summary)))
    .orderBy(desc(t.collects.number))
    .limit(1);
  return row;
}

export async function listQuestionsCitingPage({ db: { q, t } }: Tenant, collectId: string, url: string) {
  const rows = await q
    .selectDistinct({ id: t.questions.id, position: t.questions.position, cited: t.citations.url })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .innerJoin(t.questions, eq(t.questions.id, t.answers.questionId))
    .where(and(matches(t.answers, { collectId, isShown: true }), eq(t.citations.domain, registrableDomain(url))))
    .orderBy(asc(t.questions.position));
  const page = toComparableUrl(url);
  return [...new Set(rows.filter(({ cited }) => toComparableUrl(cited) === page).map(({ id }) => id))];
}

export async function listTopicQuestions({ db: { q, t } }: Tenant, analysisIds: readonly string[]) {
  return q
    .select({ id: t.questions.id, analysisId: t.questions.analysisId, topic: t.facets.name })
    .from(t.questions)
    .innerJoin(t.facets, eq(t.facets.id, t.questions.topicId))
    .where(inArray(t.questions.analysisId, [...analysisIds]))
    .orderBy(asc(t.questions.analysisId), asc(t.questions.position));
}
