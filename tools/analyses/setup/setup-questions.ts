import { insertQuestions, listAllQuestions, listFacets, type QuestionRows } from "../../../db/analyses/questions.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { AppError } from "../../../core/shared/errors.ts";
import type { MeasuredKind } from "../kinds/analysis-kind.ts";

/** Over all setups of one analysis: metrics allocate one slot per question. */
const MAX_QUESTIONS = 20_000;

/** Reuses rows of unchanged questions, with their history. Returns positions in setup order. */
export async function storeSetupQuestions(
  tenant: Tenant,
  kind: MeasuredKind,
  asked: { analysisId: string; setup: object; questionCount: number; newId: () => string },
): Promise<number[]> {
  const { analysisId, setup, newId } = asked;
  const part = { analysisId, first: 0, limit: asked.questionCount, facetRows: await listFacets(tenant, analysisId) };
  const { facets, questions } = kind.buildQuestions(setup, part, newId);
  const existing = await listAllQuestions(tenant, analysisId);
  const known = new Map(existing.map((row) => [buildQuestionKey(row), row.position]));
  const added: QuestionRows["questions"] = [];
  const positions = questions.map((question) => {
    const found = known.get(buildQuestionKey(question));
    if (found !== undefined) return found;
    const position = existing.length + added.length;
    added.push({ ...question, position });
    return position;
  });
  if (existing.length + added.length > MAX_QUESTIONS) {
    throw new AppError(
      "CONFLICT",
      `The setups of one analysis can have ${MAX_QUESTIONS} questions over time. Duplicate the analysis instead.`,
    );
  }
  await insertQuestions(tenant, { facets, questions: added });
  return positions;
}

function buildQuestionKey(question: QuestionRows["questions"][number]): string {
  return JSON.stringify([
    question.text,
    question.type,
    question.funnelStage ?? null,
    question.thematicId ?? null,
    question.topicId ?? null,
    question.personaId ?? null,
    question.strengthId ?? null,
    question.weaknessId ?? null,
    question.relatedProductId ?? null,
    question.subBrandId ?? null,
    question.intent,
    question.searchVolume ?? null,
    question.trends ?? null,
    question.searchInterestTrends ?? null,
    question.relatedQueries ?? null,
    question.promptKind ?? null,
    question.country ?? null,
    question.askedBrandId ?? null,
    question.otherBrandId ?? null,
    question.lookAlike ?? null,
    question.attribute ?? null,
    question.asksProsCons ?? false,
    question.tag ?? null,
    question.template ?? null,
  ]);
}
