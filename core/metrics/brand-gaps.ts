import { z } from "zod";
import type { PairMoments } from "../statistics/difference.ts";
import { estimateGap, GAP_VERDICTS, judgeGap } from "../statistics/gap.ts";
import { adjustPValues } from "../statistics/verdict.ts";
import { COMPARISON_METHODS, type ComparedMetric, type ComparisonMethod } from "./comparable-metrics.ts";
import type { CollectFacts } from "./facts/collect-facts.ts";
import { gapField, roundMetric } from "./metric-fields.ts";
import type { PromptPositions } from "./prompt-clusters.ts";
import type { Families } from "./share-of-voice.ts";

export const GapField = gapField(
  z.object({
    versus: z.string().describe("The other brand."),
    versus_value: z.number().nullable().describe("Its value over the same answers."),
    gap: z
      .number()
      .nullable()
      .describe("Value of the brand minus versus_value. Null, like all fields up to p, if verdict is too_little_data."),
    ci_low: z.number().nullable().describe("95 % interval of gap."),
    ci_high: z.number().nullable(),
    p: z
      .number()
      .nullable()
      .describe("Probability of a gap this large by chance alone; for several rows, adjusted for their number."),
    verdict: z
      .enum(GAP_VERDICTS)
      .describe("ahead, behind: significant; too_little_data: fewer than six prompts differ between the brands."),
    n: z.int().describe("Answers compared."),
    prompts: z.int().describe("Prompts of these answers."),
  }),
).meta({ id: "Gap" });
export type GapRow = z.input<typeof GapField>;

/** Sums of gaps over the same answers. */
export interface GapSums {
  /** Value of the other brand; null without a denominator. */
  versusValue: number | null;
  momentsByBrand: ReadonlyMap<number, PairMoments>;
}

/** Sums the gaps of brands to `versus` by prompt. */
export function sumGaps(
  all: readonly CollectFacts[],
  prompts: readonly PromptPositions[],
  of: { metric: ComparedMetric; families: Families; brands: readonly number[]; versus: number },
): GapSums {
  const method = COMPARISON_METHODS[of.metric];
  const { marks } = method.families ?? of.families;
  const common = { promptCount: 0, n: 0, nn: 0, versus: 0 };
  const sums = new Map(of.brands.map((brand) => [brand, { d: 0, dd: 0, dn: 0, differing: 0 }]));
  for (const prompt of prompts) {
    const { answers, values } = readPrompt(all, prompt, method);
    if (answers === 0) continue;
    const weights = [...values].map(([brand, value]) => (marks[brand] === 1 ? value : 0));
    const n = method.isShare ? weights.reduce((sum, weight) => sum + weight, 0) : answers;
    const versus = values.get(of.versus) ?? 0;
    common.promptCount += 1;
    common.n += n;
    common.nn += n * n;
    common.versus += versus;
    for (const [brand, own] of sums) {
      const d = (values.get(brand) ?? 0) - versus;
      if (Math.abs(d) < 1e-9) continue;
      own.d += d;
      own.dd += d * d;
      own.dn += d * n;
      own.differing += 1;
    }
  }
  const { versus, ...shared } = common;
  return {
    versusValue: shared.n === 0 ? null : versus / shared.n,
    momentsByBrand: new Map([...sums].map(([brand, own]) => [brand, { ...shared, ...own }])),
  };
}

/** Answers to a prompt, and the sum of each brand's values over them. */
function readPrompt(
  all: readonly CollectFacts[],
  prompt: PromptPositions,
  { valueOf, countsCited }: ComparisonMethod,
): { answers: number; values: Map<number, number> } {
  const values = new Map<number, number>();
  let answers = 0;
  for (const facts of all) {
    const starts = countsCited ? facts.citedStarts : facts.rowStarts;
    const brands = countsCited ? facts.citedBrands : facts.brands;
    for (const question of prompt) {
      answers += facts.answers[question] ?? 0;
      for (let at = starts[question] ?? 0; at < (starts[question + 1] ?? 0); at += 1) {
        const brand = brands[at] ?? 0;
        values.set(brand, (values.get(brand) ?? 0) + valueOf(facts.ranks[at] ?? 0));
      }
    }
  }
  return { answers, values };
}

export interface UnjudgedGap extends Pick<GapRow, "versus" | "versus_value" | "n" | "prompts"> {
  moments: PairMoments;
}

/**
 * Judges gaps shown together: those for which `alone` is true individually, all others with
 * adjusted p-values. Values are multiplied by `scale` and rounded here.
 */
export function judgeGaps(
  gaps: readonly (UnjudgedGap | undefined)[],
  alone: (index: number) => boolean,
  scale = 1,
): (GapRow | null)[] {
  const estimates = gaps.map((gap) => gap && estimateGap(gap.moments));
  const adjusted = adjustPValues(estimates.map((one, index) => (!one || alone(index) ? null : one.p)));
  const shown = (value: number | null) => (value === null ? null : roundMetric(value * scale));
  return gaps.map((gap, index) => {
    const estimate = estimates[index];
    if (!gap || !estimate) return null;
    const { moments: _moments, versus_value, ...rest } = gap;
    const p = alone(index) ? estimate.p : (adjusted[index] ?? null);
    return {
      ...rest,
      versus_value: shown(versus_value),
      gap: p === null ? null : shown(estimate.delta),
      ci_low: shown(estimate.ci_low),
      ci_high: shown(estimate.ci_high),
      p: roundMetric(p),
      verdict: judgeGap({ ...estimate, p }),
    };
  });
}
