import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { AWARENESS_VERDICTS, type AwarenessVerdict } from "../../../core/reading/capture.ts";
import type { Source } from "../../../core/sources/sources.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAwareAnswers, type AwareAnswer, type KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { toShownText } from "../../answers/shown-text.ts";
import { listIds } from "../selection/choose-collects.ts";
import type { AwarenessRow } from "../../metrics/awareness-row.ts";
import type { PromptGroup, Prompts } from "../selection/prompt-groups.ts";

export interface AwarenessQuote {
  collectId: string;
  question: KindQuestion;
  source: Source;
  verdict: AwarenessVerdict;
  brand: string;
}

export function selectAwarenessQuotes(
  { group, brand, prompts }: { group: PromptGroup; brand: BrandName; prompts: Prompts },
  aware: readonly { collectId: string; source: Source; facts: CollectFacts }[],
): AwarenessQuote[] {
  const ids = listIds(group.collects);
  const quotes = new Map<string, AwarenessQuote>();
  for (const { question, position } of prompts.questionsByPrompt) {
    if (question.promptKind !== "aided" || question.askedBrandId !== brand.id) continue;
    if (group.country !== undefined && question.country !== group.country) continue;
    if (group.personaId !== undefined && question.personaId !== group.personaId) continue;
    for (const { collectId, source, facts } of aware) {
      if (!ids.includes(collectId) || (group.source !== undefined && source !== group.source)) continue;
      for (let at = facts.rowStarts[position] ?? 0; at < (facts.rowStarts[position + 1] ?? 0); at += 1) {
        const verdict = AWARENESS_VERDICTS[(facts.brands[at] ?? 0) - 1];
        if (verdict === undefined) continue;
        const key = `${question.lookAlike !== null} ${verdict}`;
        if (!quotes.has(key)) quotes.set(key, { collectId, question, source, verdict, brand: brand.name });
      }
    }
  }
  return [...quotes.values()];
}

export async function readQuotations(
  tenant: Tenant,
  rows: readonly (readonly AwarenessQuote[])[],
): Promise<AwarenessRow["quotations"][]> {
  const wanted = rows.flat().map(({ question, ...one }) => ({ ...one, questionId: question.id }));
  const answers = await findAwareAnswers(tenant, wanted);
  let at = 0;
  return rows.map((quotes) => quotes.flatMap((quote) => toQuotation(quote, answers[at++])));
}

function toQuotation({ question, source, verdict, brand }: AwarenessQuote, answer: AwareAnswer) {
  if (!answer) return [];
  const { text, shift } = toShownText(answer.text);
  const [start, end] = [shift(answer.start), shift(answer.end)];
  return [
    {
      answer_id: answer.id,
      source,
      name: question.lookAlike ?? brand,
      is_look_alike: question.lookAlike !== null,
      verdict,
      start,
      end,
      text: text.slice(start, end),
    },
  ];
}
