import type { CollectPerception } from "../../../core/metrics/facts/collect-perception.ts";
import type { ScoredAnswer } from "../../../core/metrics/facts/scored-facts.ts";
import { STANCES, type Stance } from "../../../core/reading/capture.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { OpenedPrompts, Opinions } from "../selection/open-prompts.ts";
import { scoreParts, type ScoredPart, type ScoredShare } from "./scored-parts.ts";

interface BrandOpinion {
  stance: Stance | undefined;
  /** Null if the answer's clauses were not scored. */
  points: { pros: number; cons: number } | null;
}

/** Undefined if the answer does not count. */
type AnswerValue = (opinion: BrandOpinion) => number | undefined;

const ANSWER_VALUES = {
  recommended: ({ stance }) => Number(stance === "recommended"),
  caveated: ({ stance }) => Number(stance === "caveated"),
  pro_rate: ({ points }) => (points ? Number(points.pros > 0) : undefined),
  con_rate: ({ points }) => (points ? Number(points.cons > 0) : undefined),
  // Maps sentiment from -1…1 to a share of 0…1; a balanced answer scores one half.
  sentiment: ({ points }) =>
    points && points.pros + points.cons > 0 ? (1 + Math.sign(points.pros - points.cons)) / 2 : undefined,
} as const satisfies Record<string, AnswerValue>;
type OpinionMetric = keyof typeof ANSWER_VALUES;

export type SharesByMetric = Record<OpinionMetric, readonly ScoredShare[]>;

/** Factor from the share to the displayed value; null reports no change. */
const SCALE_BY_METRIC = {
  recommended: 1,
  caveated: 1,
  pro_rate: null,
  con_rate: 1,
  sentiment: 2,
} as const satisfies Record<OpinionMetric, number | null>;

/** Shares of answers with an opinion, with changes. */
export async function scoreShares(
  tenant: Tenant,
  parts: readonly (Pick<ScoredPart, "group" | "isAlone"> & { brand: BrandName })[],
  options: { opened: OpenedPrompts; opinions: readonly Opinions[] },
): Promise<SharesByMetric> {
  const prompts = options.opened.prompts.firstQuestions.map((_, at) => at);
  const score = async (figure: OpinionMetric) =>
    scoreParts(
      tenant,
      parts.map(({ group, brand, isAlone }): ScoredPart => {
        const scored: ScoredPart["scored"] = (said) => scoreAnswers(said, brand.number, ANSWER_VALUES[figure]);
        return { group, metricKey: `${figure} ${brand.number}`, scored, prompts, isAlone };
      }),
      { ...options, scale: SCALE_BY_METRIC[figure] },
    );
  return {
    recommended: await score("recommended"),
    caveated: await score("caveated"),
    pro_rate: await score("pro_rate"),
    con_rate: await score("con_rate"),
    sentiment: await score("sentiment"),
  };
}

function* scoreAnswers(
  { opinions: { rowStarts, runIndexes, brands, stanceIndexes, proCounts, conCounts, judgedFlags } }: CollectPerception,
  brand: number,
  valueOf: AnswerValue,
): Generator<ScoredAnswer> {
  for (let question = 0; question + 1 < rowStarts.length; question += 1) {
    for (let at = rowStarts[question] ?? 0; at < (rowStarts[question + 1] ?? 0); at += 1) {
      if (brands[at] !== brand) continue;
      const points = judgedFlags[at] === 1 ? { pros: proCounts[at] ?? 0, cons: conCounts[at] ?? 0 } : null;
      const value = valueOf({ stance: STANCES[stanceIndexes[at] ?? 0], points });
      if (value !== undefined) yield { question, runIndex: runIndexes[at] ?? 0, value };
    }
  }
}
