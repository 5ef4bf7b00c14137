import { AWARENESS_VERDICTS, type AwarenessVerdict } from "../../reading/capture.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  addShownAnswer,
  createKeywordAnswers,
  createSourceMap,
  type FactRow,
  type KeywordAnswers,
} from "./collect-facts.ts";

// Awareness is packed like ranks, with a verdict's number instead of a brand's, so that the same
// functions sum and compare it.

export function toVerdictNumber(verdict: AwarenessVerdict): number {
  return AWARENESS_VERDICTS.indexOf(verdict) + 1;
}

/** `question` is the position in the analysis. */
interface AidedAnswer {
  question: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  /** Null if extraction failed. */
  verdict: AwarenessVerdict | null;
}

interface SourceAwareness {
  source: Source;
  method: CollectionMethod;
  answers: KeywordAnswers[];
  rows: FactRow[];
}

/** Add answers by question, then by run. */
export interface AwarenessGatherer {
  add(answer: AidedAnswer): void;
  sources(): SourceAwareness[];
}

/** `questions` counts all questions, including those that are not aided. */
export function createAwarenessGatherer(questions: number): AwarenessGatherer {
  const sources = createSourceMap((of): SourceAwareness => {
    return { ...of, answers: Array.from({ length: questions }, createKeywordAnswers), rows: [] };
  });
  return {
    sources: sources.all,
    add({ question, source, collectionMethod: method, model, isShown, verdict }) {
      if (!isShown || verdict === null) return;
      const { answers, rows } = sources.at(source, method);
      const runIndex = addShownAnswer(answers, question, { method, model });
      rows.push({ keyword: question, runIndex, brand: toVerdictNumber(verdict), rank: 1, brandRank: 1, mentions: 1 });
    },
  };
}
