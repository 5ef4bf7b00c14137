import { AWARENESS_VERDICTS, type AwarenessVerdict } from "../../reading/capture.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import { countShown, noAnswers, openSources, type FactRow, type KeywordAnswers } from "./collect-facts.ts";

// What answers to aided prompts know is packed as places of brands are, so that the same functions sum and compare it: in the place
// of a brand's number stands that of a verdict.

/** What stands for a verdict where places have the number of a brand. */
export function verdictNumber(verdict: AwarenessVerdict): number {
  return AWARENESS_VERDICTS.indexOf(verdict) + 1;
}

/** An answer to an aided prompt. `question` is its position in the analysis. */
interface AidedAnswer {
  question: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  /** Null where it could not be read. */
  verdict: AwarenessVerdict | null;
}

interface SourceAwareness {
  source: Source;
  method: CollectionMethod;
  /** By question. */
  answers: KeywordAnswers[];
  rows: FactRow[];
}

/** Answers to aided prompts as they are read: questions in their order, answers to one in the order of the runs. */
export interface AwarenessGathering {
  add(answer: AidedAnswer): void;
  sources(): SourceAwareness[];
}

/** Starts gathering the answers to `questions` questions, those that are not aided among them. */
export function gatherAwareness(questions: number): AwarenessGathering {
  const sources = openSources((of): SourceAwareness => {
    return { ...of, answers: Array.from({ length: questions }, noAnswers), rows: [] };
  });
  return {
    sources: sources.all,
    add({ question, source, collectionMethod: method, model, isShown, verdict }) {
      if (!isShown || verdict === null) return;
      const { answers, rows } = sources.at(source, method);
      const run = countShown(answers, question, { method, model });
      rows.push({ keyword: question, run, brand: verdictNumber(verdict), rank: 1, brandRank: 1, mentions: 1 });
    },
  };
}
