import { eq, sql } from "drizzle-orm";
import type { Evidence } from "../../core/actions/action.ts";
import type { BriefMaterial } from "../../core/briefs/write-brief.ts";
import type { QuestionAnswers } from "../answers/question-answers.ts";
import { listCitedPages } from "../answers/cited-pages.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { listPromptQuestions } from "./prompt-questions.ts";

const MAX_QUOTE_LENGTH = 1000;

/** An analysis without a brand is described by its own name. */
export async function findBriefToWrite({ db: { q, t }, workspaceId }: Tenant, taskId: string) {
  const [row] = await q
    .select({
      brief: t.briefs,
      task: t.actionTasks,
      action: t.recommendedActions,
      own: sql<string>`coalesce(${t.brands.name}, ${t.analyses.name})`,
      ownId: t.brands.id,
      collect: pick(t.collects, "number", "finishedAt", "collectionMethods"),
    })
    .from(t.briefs)
    .innerJoin(t.actionTasks, eq(t.actionTasks.id, t.briefs.taskId))
    .innerJoin(t.recommendedActions, eq(t.recommendedActions.id, t.actionTasks.actionId))
    .innerJoin(t.analyses, eq(t.analyses.id, t.recommendedActions.analysisId))
    .leftJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .innerJoin(t.collects, eq(t.collects.id, t.recommendedActions.collectId))
    .where(matches(t.briefs, { workspaceId, taskId }));
  return row;
}

export async function listAnswerExcerpts({ db: { q, t }, workspaceId }: Tenant, answerIds: readonly string[]) {
  if (answerIds.length === 0) return [];
  const rows = await q
    .select({
      answerId: t.answers.id,
      source: t.answers.source,
      prompt: t.answers.prompt,
      text: sql<string>`substr(${t.answers.text}, 1, ${MAX_QUOTE_LENGTH})`,
    })
    .from(t.answers)
    .where(matches(t.answers, { workspaceId, id: answerIds }));
  const byId = new Map(rows.map((row) => [row.answerId, row]));
  return answerIds.flatMap((id) => byId.get(id) ?? []);
}

const MAX_PAGES = 10;

type BriefPage = BriefMaterial["pages"][number];

export async function listBriefPages({ db }: Tenant, to: QuestionAnswers, ownId: string | null): Promise<BriefPage[]> {
  const pages = new Map<string, BriefPage>();
  for (const { domain, url, answers } of await listCitedPages(db, to, ownId ?? undefined)) {
    pages.set(url, { domain, url, answers: answers + (pages.get(url)?.answers ?? 0) });
  }
  const perSite = new Map<string, BriefPage>();
  for (const page of [...pages.values()].toSorted((a, b) => b.answers - a.answers)) {
    if (!perSite.has(page.domain)) perSite.set(page.domain, page);
  }
  return [...perSite.values()].slice(0, MAX_PAGES);
}

/** A named prompt includes its questions for every country and persona. */
export async function listEvidenceQuestions(
  tenant: Tenant,
  { analysisId, evidence }: { analysisId: string; evidence: readonly Evidence[] },
): Promise<string[]> {
  const named = [...new Set(evidence.flatMap(({ keyword_id }) => keyword_id ?? []))];
  return [...(await listPromptQuestions(tenant, analysisId, named)).values()].flat();
}
