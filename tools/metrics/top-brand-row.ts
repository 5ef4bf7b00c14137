import { z } from "zod";
import type { BrandName } from "../../db/analyses/projects.ts";
import { getBrandCompetitorType } from "../../core/brands/competitor-type.ts";
import { CompetitorTypeField } from "../../core/shared/fields.ts";
import { intervalFields, rateField, roundMetric } from "../../core/metrics/metric-fields.ts";
import { computeBrandMetrics, type Sums } from "../../core/metrics/metrics.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

const countField = (what: string) => z.number().optional().describe(what);
const figureField = (what: string) => z.number().optional().describe(`${what} Absent if it cannot be computed.`);

const COUNTS = { count: "occurrences", total: "total", noun: "answers", prompts: "prompts" };
const PREVIOUS_COUNTS = { count: "occurrences_prev_collect", total: "total_prev_collect", noun: "answers" };

/** Row of interface.md 2.6. Fields that end in prev_collect are absent without a previous collect. */
export const TopBrand = z
  .object({
    brand: z.string().optional(),
    nb_keywords: countField("Keywords in whose answers the brand appears."),
    total_mentions: countField("Its mentions."),
    visibility_score: figureField("100 × sum of 1 / log2(1 + rank) / total: 0 to 100."),
    average_rank: figureField("Average rank in the answers that mention the brand; 1 is best."),
    presence_rate: rateField({ of: COUNTS, interval: ["ci_low", "ci_high"] })
      .optional()
      .describe("occurrences / total: 0 to 1. Absent if it cannot be computed."),
    total: countField("Answers of the selection."),
    occurrences: countField("Answers in which the brand appears."),
    is_my_brand: z.boolean().optional(),
    competitor_type: CompetitorTypeField.optional().describe("Kind of site of the brand's first known domain."),
    nb_keywords_prev_collect: countField("nb_keywords over the previous collect."),
    total_mentions_prev_collect: countField("total_mentions over the previous collect."),
    average_rank_prev_collect: figureField("average_rank over the previous collect."),
    presence_rate_prev_collect: rateField({ of: PREVIOUS_COUNTS })
      .optional()
      .describe("presence_rate in the previous run. Absent if it cannot be computed."),
    total_prev_collect: countField("total over the previous collect."),
    occurrences_prev_collect: countField("occurrences over the previous collect."),
    n: countField("With statistics: answers."),
    prompts: countField("With statistics: keywords with an answer."),
    ...intervalFields("presence_rate"),
    change: ChangeField.nullable()
      .optional()
      .describe("Change of presence_rate; null if several runs are measured as one."),
  })
  .meta({ id: "TopBrand" });
export type TopBrand = z.output<typeof TopBrand>;

export interface RankedBrand {
  brand: BrandName;
  figures: Omit<TopBrand, "brand" | "is_my_brand" | "competitor_type" | "change">;
}

export function buildRankedBrand(brand: BrandName, current: Sums, previous: Sums | undefined): RankedBrand {
  const now = computeBrandMetrics(current.brands.get(brand.number), current.total);
  const before = previous && computeBrandMetrics(previous.brands.get(brand.number), previous.total);
  return {
    brand,
    figures: {
      nb_keywords: now.nb_keywords,
      total_mentions: now.total_mentions,
      ...toKnownField("visibility_score", now.visibility_score),
      ...toKnownField("average_rank", now.average_rank),
      ...toKnownField("presence_rate", now.presence_rate),
      total: current.total,
      occurrences: now.occurrences,
      ...(before && {
        nb_keywords_prev_collect: before.nb_keywords,
        total_mentions_prev_collect: before.total_mentions,
        ...toKnownField("average_rank_prev_collect", before.average_rank),
        ...toKnownField("presence_rate_prev_collect", before.presence_rate),
        total_prev_collect: previous.total,
        occurrences_prev_collect: before.occurrences,
      }),
    },
  };
}

/** Omits a value that cannot be computed: fields of the specification are numbers, never null. */
function toKnownField<K extends keyof TopBrand>(field: K, value: number | null): { [P in K]?: number } {
  // The computed key widens to string; it is K.
  return value === null ? {} : ({ [field]: roundMetric(value) } as { [P in K]: number });
}

export function shapeTopBrand({ brand, figures }: RankedBrand, domains: string[], ownBrandId: string): TopBrand {
  return {
    brand: brand.name,
    ...figures,
    is_my_brand: brand.relationship === "mine" || brand.id === ownBrandId,
    competitor_type: getBrandCompetitorType({ domains }),
  };
}
