import {
  findAnswerKey,
  type CollectPerception,
  type AnswerRows,
} from "../../../core/metrics/facts/collect-perception.ts";
import type { StoredPerception } from "../../../core/metrics/facts/stored-perception.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { findQuotedAnswers } from "../../../db/metrics/perception-facts.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { toShownText } from "../../answers/shown-text.ts";
import { listIds } from "../selection/choose-collects.ts";
import { isInGroup, type PromptGroup, type Prompts } from "../selection/prompt-groups.ts";
import type { Opinions } from "../selection/open-prompts.ts";

export interface WantedQuote<Told> {
  key: number;
  find: (said: StoredPerception) => (Told & { start: number; end: number }) | undefined;
}

export function* listGroupPerceptions(
  group: PromptGroup,
  opinions: readonly Opinions[],
  { prompts, counted }: { prompts: Prompts; counted: readonly number[] },
): Generator<{ said: CollectPerception; questions: number[] }> {
  const { collects, source } = group;
  const isCounted = new Set(counted);
  const questions = prompts.questionsByPrompt
    .filter(({ prompt, slot }) => isCounted.has(prompt) && isInGroup(slot, group))
    .map(({ position }) => position);
  const ids = new Set(listIds(collects));
  for (const { collectId, source: from, facts: said } of opinions) {
    if (ids.has(collectId) && (source === undefined || from === source)) yield { said, questions };
  }
}

export function wantQuote<Told>(
  perception: CollectPerception,
  answer: AnswerRows,
  find: WantedQuote<Told>["find"],
): WantedQuote<Told> {
  return { key: findAnswerKey(perception, answer), find };
}

export function collectFamily(brands: readonly BrandName[], number: number): ReadonlySet<number> {
  const family = new Set([number]);
  const ids = new Set(brands.filter((one) => one.number === number).map(({ id }) => id));
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const one of brands) {
      if (one.parentId === null || !ids.has(one.parentId)) continue;
      ids.add(one.id);
      family.add(one.number);
    }
  }
  return family;
}

/** Omits answers that no longer contain the statement after re-extraction. */
export async function readQuotations<Told>(tenant: Tenant, rows: readonly (readonly WantedQuote<Told>[])[]) {
  const answers = await findQuotedAnswers(
    tenant,
    rows.flat().map(({ key }) => key),
  );
  return rows.map((row) =>
    row.flatMap(({ key, find }) => {
      const answer = answers.get(key);
      const found = answer && find(answer.spans);
      if (!answer || !found) return [];
      const { text, shift } = toShownText(answer.text);
      const [start, end] = [shift(found.start), shift(found.end)];
      return [{ ...found, answer_id: answer.id, source: answer.source, start, end, text: text.slice(start, end) }];
    }),
  );
}
