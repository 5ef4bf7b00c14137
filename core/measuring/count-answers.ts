import type { CollectFacts } from "./collect-facts.ts";
import { noAnswerCounts, type AnswerCounts } from "./metrics.ts";
import { questionsOf, type AskedPrompts, type Prompt } from "./prompt-clusters.ts";

/** Counts the answers to some prompts, and no brands. */
export function countAnswers(all: readonly CollectFacts[], prompts: readonly Prompt[]): AnswerCounts {
  const counts = noAnswerCounts();
  addAnswers(counts, all, questionsOf(prompts));
  return counts;
}

/** Adds the answers to prompts that were not added before. */
export function addAnswers(
  counts: AnswerCounts,
  all: readonly CollectFacts[],
  { questions, promptOf, count }: AskedPrompts,
): void {
  const isAnswered = new Uint8Array(count);
  for (const { answers, notShown, informative } of all) {
    for (let asked = 0; asked < questions.length; asked += 1) {
      const question = questions[asked] ?? 0;
      const own = answers[question] ?? 0;
      counts.not_shown += notShown[question] ?? 0;
      if (own === 0) continue;
      isAnswered[promptOf[asked] ?? 0] = 1;
      counts.total += own;
      counts.runs_least = counts.runs_least === 0 ? own : Math.min(counts.runs_least, own);
      counts.runs_most = Math.max(counts.runs_most, own);
      counts.informative += informative[question] ?? 0;
    }
  }
  for (const one of isAnswered) counts.keywords += one;
}
