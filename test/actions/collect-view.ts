import {
  createKeywordAnswers,
  unpackFacts,
  packFacts,
  decodeWays,
  type CollectionWay,
} from "../../core/metrics/facts/collect-facts.ts";
import type { CollectView } from "../../core/actions/collect-view.ts";
import type { RuleInput, RuleKeyword, Steps } from "../../core/actions/finding.ts";
import type { Source } from "../../core/sources/sources.ts";

export const OWN = "own";
export const RIVAL = "rival";
export const OTHER_RIVAL = "other-rival";
const NAMES = new Map([
  [OWN, "Own"],
  [RIVAL, "Rival"],
  [OTHER_RIVAL, "Other rival"],
  ["stranger", "Stranger"],
]);

/** Answers of one source to one keyword, with ranks by brand. */
export interface Cell {
  keyword: number;
  source: Source;
  answers: number;
  /** Brand, rank, times. */
  ranks?: [string, number, number][];
}

/** A collect with packed facts for these cells. */
export function createCollectView(
  collectNumber: number,
  cells: readonly Cell[],
  { method = "api", model = "model-1" }: Partial<CollectionWay> = {},
): CollectView {
  const keywords = 1 + Math.max(0, ...cells.map((cell) => cell.keyword));
  const sources = [...new Set(cells.map(({ source }) => source))].map((source) => {
    const own = cells.filter((cell) => cell.source === source);
    const answers = Array.from({ length: keywords }, (_, at) => {
      return {
        ...createKeywordAnswers(),
        answers: own.find((cell) => cell.keyword === at)?.answers ?? 0,
        way: { method, model },
      };
    });
    const brandIds = [undefined, ...NAMES.keys()];
    const rows = own.flatMap(({ keyword: at, ranks = [] }) =>
      ranks.flatMap(([brandId, rank, times]) =>
        Array.from({ length: times }, (_, runIndex) => {
          return { keyword: at, runIndex, brand: brandIds.indexOf(brandId), rank, brandRank: rank, mentions: 1 };
        }),
      ),
    );
    const facts = unpackFacts(packFacts(answers, rows));
    return { source, facts, brandIds, provenances: decodeWays(facts) };
  });
  return { id: `collect-${collectNumber}`, collectNumber, sources, collectionMethods: ["api"] };
}

export function keyword(position: number, change: Partial<RuleKeyword> = {}): RuleKeyword {
  const text = `keyword ${position}`;
  const topic = { topicId: "topic-1", topic: "Topic 1" };
  const questions = [{ id: `k${position}`, position }];
  return { id: `k${position}`, position, questions, text, ...topic, funnelStage: null, searchVolume: null, ...change };
}

export function createRuleInput(collect: CollectView, keywords: readonly RuleKeyword[]): RuleInput {
  const compared = { ownId: OWN, rivalIds: new Set([RIVAL, OTHER_RIVAL]) };
  return { collect, keywords, promptClusters: null, compared, brandNames: NAMES };
}

/** Does all of the work at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
