import { z } from "zod";
import { nameOrId } from "../../name-or-id.ts";
import { brandMetricsQuery, isUnsolicited } from "../selection/prompt-selection.ts";
import {
  iterateAttributeScores,
  MIN_SCORE,
  toScore,
  findScores,
  SCORES_PER_VALUE,
  type BrandAttribute,
} from "../../../core/metrics/facts/preferences.ts";
import { type CollectPerception, iterateAnswers } from "../../../core/metrics/facts/collect-perception.ts";
import type { ScoredAnswer } from "../../../core/metrics/facts/scored-facts.ts";
import { PROMPT_KINDS } from "../../../core/prompts/brand-prompt.ts";
import { gradeRate, computeMeanInterval } from "../../../core/statistics/interval.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listAttributes } from "../../../db/metrics/attributes.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { roundMetric } from "../../../core/metrics/metric-fields.ts";
import type { AttributeRow } from "../../metrics/attribute-row.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { openPrompts } from "../selection/open-prompts.ts";
import { rowNames, type PromptGroup } from "../selection/prompt-groups.ts";
import {
  collectFamily,
  readQuotations,
  listGroupPerceptions,
  wantQuote,
  type WantedQuote,
} from "./perception-quotations.ts";
import { readOpinions, scoreParts, type ScoredShare } from "./scored-parts.ts";

export const AttributesInput = z.strictObject({
  ...brandMetricsQuery,
  attributes: z.array(nameOrId("attribute")).max(100).optional().describe("Attributes, such as price."),
});
export type AttributesInput = z.output<typeof AttributesInput>;

const ATTRIBUTES_LEGEND =
  "score = average rating of an attribute in answers, -5 to 5, each answer counts once, null below 10 clauses; ci = 95 % confidence interval for prompts like these; score_of_others = average score of the other compared brands, without the brand of the row";

/** Min clauses about a brand for a score. */
const MIN_SPANS = 10;

interface AttributePart {
  group: PromptGroup;
  brand: BrandName;
  attribute: string;
  isShown: boolean;
}

/** Best brand first within each part and attribute. Only rows of the page are `quoted`. */
export async function readAttributeRows(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: AttributesInput,
) {
  const opened = await openPrompts(tenant, analysis, { input, kinds: PROMPT_KINDS, isCounted: isUnsolicited });
  const opinions = await readOpinions(tenant, opened);
  const { prompts, brands, groups, shown } = opened;
  const counted = [...prompts.firstQuestions.keys()];
  const attributes = await listAttributes(tenant, analysis.id);
  const parts = groups.flatMap((group) =>
    attributes.flatMap((attribute) => shown.map((one): AttributePart => ({ ...one, group, attribute }))),
  );
  const scores = await scoreParts(
    tenant,
    parts.map(({ group, brand, attribute }) => ({
      group,
      metricKey: `attribute ${brand.number} ${attribute}`,
      scored: (said) => iterateAttributeScores(said, { brand: brand.number, attribute }),
      prompts: counted,
      // With several attributes, the own brand's changes are several tests.
      isAlone: opened.isWhole && brand.id === analysis.brandId && attributes.length === 1,
    })),
    { opened, opinions, scale: SCORES_PER_VALUE },
  );
  const judged = await scoreParts(
    tenant,
    parts.map(({ group, brand: { number } }) => {
      return {
        group,
        metricKey: `judged ${number}`,
        scored: (said) => iterateJudgedAnswers(said, number),
        prompts: counted,
        isAlone: false,
      };
    }),
    { opened, opinions, scale: null },
  );
  const rows = parts.flatMap((part, at) => {
    const [score, named] = [scores[at], judged[at]];
    return score && named ? [{ part, row: buildRow(part, { score, named, input, analysis }) }] : [];
  });
  const rowsWithOthers = rows.map(({ part, row }) => ({
    part,
    row: { ...row, score_of_others: row.score === null ? null : averageOtherBrands(part, rows) },
  }));
  const isWanted = ({ part }: { part: AttributePart }) => {
    const { attributes: wanted } = input;
    return part.isShown && (!wanted?.length || wanted.includes(part.attribute));
  };
  const isAnswered = opened.sources.length > 0;
  return {
    rows: isAnswered ? sortBestFirst(rowsWithOthers.filter(isWanted)) : [],
    basis: await opened.basis(ATTRIBUTES_LEGEND, { opinions }),
    quoted: async (page: readonly (typeof rowsWithOthers)[number][]): Promise<AttributeRow[]> => {
      const quotations = await readQuotations(
        tenant,
        page.map(({ part: { group, brand, attribute } }) =>
          findExtremes(
            listGroupPerceptions(group, opinions, { prompts, counted }),
            { brand: brand.number, attribute },
            collectFamily(brands, brand.number),
          ),
        ),
      );
      return page.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] }));
    },
  };
}

function* iterateJudgedAnswers({ opinions }: CollectPerception, brand: number): Generator<ScoredAnswer> {
  for (const { question, runIndex, from, to } of iterateAnswers(opinions)) {
    for (let at = from; at < to; at += 1) {
      if (opinions.brands[at] === brand) yield { question, runIndex, value: opinions.judgedFlags[at] ?? 0 };
    }
  }
}

type UnquotedRow = Omit<AttributeRow, "quotations" | "score_of_others">;

function buildRow(
  { group, brand, attribute }: AttributePart,
  scores: {
    score: ScoredShare;
    named: ScoredShare;
    input: AttributesInput;
    analysis: { brandId: string };
  },
): UnquotedRow {
  const { score, named, input, analysis } = scores;
  const spans = score.places;
  const hasScore = spans >= MIN_SPANS && score.share !== null;
  const unjudged = named.n - named.scoreSum;
  const interval = hasScore ? computeMeanInterval(score.moments, { min: 0, max: 1, step: 1 / SCORES_PER_VALUE }) : null;
  return {
    ...rowNames(group, brand, analysis),
    attribute,
    spans,
    answers: score.n,
    prompts: score.promptCount,
    score: hasScore ? roundScore(score.share) : null,
    reason: hasScore ? null : named.n > 0 && unjudged === named.n ? "no_lexicon_for_language" : "too_few_spans",
    ...(input.statistics
      ? {
          ci_low: roundScore(interval?.low ?? null),
          ci_high: roundScore(interval?.high ?? null),
          grade: gradeRate(score.share ?? 0, interval, score.promptCount),
          change: hasScore ? toScoreChange(score.change) : null,
        }
      : {}),
    named: named.n,
    unjudged,
  };
}

function toScoreChange(change: ChangeRow | null): ChangeRow | null {
  if (change === null) return null;
  const { before, after } = change;
  const [scoreBefore = null, scoreAfter = null] = [before, after].map((points) => {
    return points === null ? null : roundMetric(points + MIN_SCORE);
  });
  return { ...change, before: scoreBefore, after: scoreAfter };
}

function roundScore(share: number | null): number | null {
  return share === null ? null : roundMetric(toScore(share));
}

function averageOtherBrands(
  { group, brand, attribute }: AttributePart,
  rows: readonly { part: AttributePart; row: UnquotedRow }[],
): number | null {
  const scores = rows.flatMap(({ part, row }) => {
    const isOtherBrand = part.group === group && part.attribute === attribute && part.brand !== brand;
    return isOtherBrand && row.score !== null ? [row.score] : [];
  });
  return scores.length === 0 ? null : roundMetric(sumBy(scores, (score) => score) / scores.length);
}

function sumBy<One>(all: Iterable<One>, value: (one: One) => number): number {
  let sum = 0;
  for (const one of all) sum += value(one);
  return sum;
}

function sortBestFirst<Row extends { part: AttributePart; row: UnquotedRow }>(rows: readonly Row[]): Row[] {
  const at = (row: Row) => row.row.score ?? MIN_SCORE - 1;
  const sorted: Row[] = [];
  for (let from = 0; from < rows.length;) {
    const { group, attribute } = rows[from]?.part ?? {};
    let to = from;
    while (rows[to] && rows[to]?.part.group === group && rows[to]?.part.attribute === attribute) to += 1;
    sorted.push(...rows.slice(from, to).toSorted((a, b) => at(b) - at(a)));
    from = to;
  }
  return sorted;
}

function findExtremes(
  all: ReturnType<typeof listGroupPerceptions>,
  attribute: BrandAttribute,
  family: ReadonlySet<number>,
) {
  let [best, worst]: { score: number; wantedQuote: WantedQuote<{ score: number }> }[] = [];
  for (const { said, questions } of all) {
    for (const answer of iterateAnswers(said.attributes, questions)) {
      for (const score of findScores(said, answer, attribute)) {
        const wanted = () => ({
          score,
          wantedQuote: wantQuote(said, answer, (read) => {
            const found = read.attributes.find(
              (one) =>
                Math.round(one.score) === score && one.attribute === attribute.attribute && family.has(one.brand),
            );
            return found && { score, start: found.start, end: found.end };
          }),
        });
        if (!best || score > best.score) best = wanted();
        if (!worst || score < worst.score) worst = wanted();
      }
    }
  }
  if (!best || !worst) return [];
  return best.score === worst.score ? [best.wantedQuote] : [best.wantedQuote, worst.wantedQuote];
}
