import { z } from "zod";
import type { BrandName } from "../../db/analyses/projects.ts";
import { brandCompetitorType } from "../../core/brands/competitor-type.ts";
import { CompetitorTypeField } from "../../core/shared/fields.ts";
import { intervalFields, rateField, rounded } from "../../core/metrics/figure-fields.ts";
import { brandMetrics, type Sums } from "../../core/metrics/metrics.ts";
import { ChangeField } from "../../core/metrics/changes/change-row.ts";

const count = (what: string) => z.number().optional().describe(what);
const figure = (what: string) => z.number().optional().describe(`${what} Left out where nothing can be computed.`);

const COUNTS = { count: "occurrences", total: "total", noun: "answers", prompts: "prompts" };
const PREVIOUS = { count: "occurrences_prev_collect", total: "total_prev_collect", noun: "answers" };

/** Row of interface.md 2.6. `_prev_collect` fields are absent without a previous collect. */
export const TopBrand = z
  .object({
    brand: z.string().optional(),
    nb_keywords: count("Keywords in whose answers the brand appears."),
    total_mentions: count("Its mentions."),
    visibility_score: figure("100 × sum of 1 / log2(1 + rank) / total: 0 to 100."),
    average_rank: figure("Mean rank where present; 1 is best."),
    presence_rate: rateField({ of: COUNTS, interval: ["ci_low", "ci_high"] })
      .optional()
      .describe("occurrences / total: 0 to 1. Left out where nothing can be computed."),
    total: count("Answers of the selection."),
    occurrences: count("Answers in which the brand appears."),
    is_my_brand: z.boolean().optional(),
    competitor_type: CompetitorTypeField.optional().describe("Kind of site that the brand's first known domain is."),
    nb_keywords_prev_collect: count("nb_keywords over the previous collect."),
    total_mentions_prev_collect: count("total_mentions over the previous collect."),
    average_rank_prev_collect: figure("average_rank over the previous collect."),
    presence_rate_prev_collect: rateField({ of: PREVIOUS })
      .optional()
      .describe("presence_rate over the previous collect. Left out where nothing can be computed."),
    total_prev_collect: count("total over the previous collect."),
    occurrences_prev_collect: count("occurrences over the previous collect."),
    n: count("With statistics: answers."),
    prompts: count("With statistics: keywords with an answer."),
    ...intervalFields("presence_rate"),
    change: ChangeField.nullable().optional().describe("Of presence_rate; null where collects are measured as one."),
  })
  .meta({ id: "TopBrand" });
export type TopBrand = z.output<typeof TopBrand>;

export interface RankedBrand {
  brand: BrandName;
  figures: Omit<TopBrand, "brand" | "is_my_brand" | "competitor_type" | "change">;
}

export function rankBrand(brand: BrandName, current: Sums, previous: Sums | undefined): RankedBrand {
  const now = brandMetrics(current.brands.get(brand.number), current.total);
  const before = previous && brandMetrics(previous.brands.get(brand.number), previous.total);
  return {
    brand,
    figures: {
      nb_keywords: now.nb_keywords,
      total_mentions: now.total_mentions,
      ...known("visibility_score", now.visibility_score),
      ...known("average_rank", now.average_rank),
      ...known("presence_rate", now.presence_rate),
      total: current.total,
      occurrences: now.occurrences,
      ...(before && {
        nb_keywords_prev_collect: before.nb_keywords,
        total_mentions_prev_collect: before.total_mentions,
        ...known("average_rank_prev_collect", before.average_rank),
        ...known("presence_rate_prev_collect", before.presence_rate),
        total_prev_collect: previous.total,
        occurrences_prev_collect: before.occurrences,
      }),
    },
  };
}

/** Omits a value that cannot be computed: fields of the specification are numbers, never null. */
function known<K extends keyof TopBrand>(field: K, value: number | null): { [P in K]?: number } {
  // The computed key widens to string; it is K.
  return value === null ? {} : ({ [field]: rounded(value) } as { [P in K]: number });
}

export function shapeTopBrand({ brand, figures }: RankedBrand, domains: string[], ownBrandId: string): TopBrand {
  return {
    brand: brand.name,
    ...figures,
    is_my_brand: brand.relationship === "mine" || brand.id === ownBrandId,
    competitor_type: brandCompetitorType({ domains }),
  };
}
