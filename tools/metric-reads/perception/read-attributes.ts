import { z } from "zod";
import { nameOr } from "../../name-or.ts";
import { brandMetricsQuery, isUnasked } from "../selection/prompt-selection.ts";
import {
  attributeScores,
  LEAST_SCORE,
  scoreOfValue,
  scoresIn,
  SCORES_OF_ONE,
  type BrandAttribute,
} from "../../../core/metrics/facts/preferences.ts";
import { type CollectPerception, answersIn } from "../../../core/metrics/facts/collect-perception.ts";
import type { ScoredAnswer } from "../../../core/metrics/facts/scored-facts.ts";
import { PROMPT_KINDS } from "../../../core/prompts/brand-prompt.ts";
import { gradeOf, meanInterval } from "../../../core/statistics/interval.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listAttributes } from "../../../db/metrics/attributes.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import { rounded } from "../../../core/metrics/figure-fields.ts";
import type { AttributeRow } from "../../metrics/attribute-row.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { openPrompts } from "../selection/open-prompts.ts";
import { namesOf, type PromptGroup } from "../selection/prompt-groups.ts";
import { familyOf, readSaid, saidIn, wantedOf, type Wanted } from "./said-quotations.ts";
import { readOpinions, scoreParts, type ScoredShare } from "./scored-parts.ts";

export const AttributesInput = z.strictObject({
  ...brandMetricsQuery,
  attributes: z.array(nameOr("attribute")).max(100).optional().describe("Such as price."),
});
export type AttributesInput = z.output<typeof AttributesInput>;

const FIGURES =
  "score = mean of what answers say of an attribute, -5 to 5, each answer once, null below 10 clauses; ci = 95 % for prompts like these; others = mean score of the other compared brands";

/** Min clauses about a brand for a score. */
const LEAST_SPANS = 10;

interface Part {
  group: PromptGroup;
  brand: BrandName;
  attribute: string;
  isShown: boolean;
}

/** Best brand first within each part and attribute. Only rows of the page are `quoted`. */
export async function readAttributeRows(
  tenant: Tenant,
  project: { id: string; brandId: string },
  input: AttributesInput,
) {
  const opened = await openPrompts(tenant, project, { input, kinds: PROMPT_KINDS, isCounted: isUnasked });
  const opinions = await readOpinions(tenant, opened);
  const { prompts, brands, groups, shown } = opened;
  const counted = [...prompts.first.keys()];
  const attributes = await listAttributes(tenant, project.id);
  const parts = groups.flatMap((group) =>
    attributes.flatMap((attribute) => shown.map((one): Part => ({ ...one, group, attribute }))),
  );
  const scores = await scoreParts(
    tenant,
    parts.map(({ group, brand, attribute }) => ({
      group,
      figure: `attribute ${brand.number} ${attribute}`,
      scored: (said) => attributeScores(said, { brand: brand.number, attribute }),
      prompts: counted,
      // With several attributes, the own brand's changes are several tests.
      isAlone: opened.isWhole && brand.id === project.brandId && attributes.length === 1,
    })),
    { opened, opinions, scale: SCORES_OF_ONE },
  );
  const judged = await scoreParts(
    tenant,
    parts.map(({ group, brand: { number } }) => {
      return {
        group,
        figure: `judged ${number}`,
        scored: (said) => judgedAnswers(said, number),
        prompts: counted,
        isAlone: false,
      };
    }),
    { opened, opinions, scale: null },
  );
  const rows = parts.flatMap((part, at) => {
    const [score, named] = [scores[at], judged[at]];
    return score && named ? [{ part, row: rowOf(part, { score, named, input, project }) }] : [];
  });
  const told = rows.map(({ part, row }) => ({ part, row: { ...row, others: othersOf(part, rows) } }));
  const isWanted = ({ part }: { part: Part }) => {
    const { attributes: wanted } = input;
    return part.isShown && (!wanted?.length || wanted.includes(part.attribute));
  };
  const isAnswered = opened.sources.length > 0;
  return {
    rows: isAnswered ? bestFirst(told.filter(isWanted)) : [],
    basis: await opened.basis(FIGURES, { opinions }),
    quoted: async (page: readonly (typeof told)[number][]): Promise<AttributeRow[]> => {
      const quotations = await readSaid(
        tenant,
        page.map(({ part: { group, brand, attribute } }) =>
          extremesOf(
            saidIn(group, opinions, { prompts, counted }),
            { brand: brand.number, attribute },
            familyOf(brands, brand.number),
          ),
        ),
      );
      return page.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] }));
    },
  };
}

function* judgedAnswers({ opinions }: CollectPerception, brand: number): Generator<ScoredAnswer> {
  for (const { question, run, from, to } of answersIn(opinions)) {
    for (let at = from; at < to; at += 1) {
      if (opinions.brands[at] === brand) yield { question, run, value: opinions.judged[at] ?? 0 };
    }
  }
}

type UnquotedRow = Omit<AttributeRow, "quotations" | "others">;

function rowOf(
  { group, brand, attribute }: Part,
  of: {
    score: ScoredShare;
    named: ScoredShare;
    input: AttributesInput;
    project: { brandId: string };
  },
): UnquotedRow {
  const { score, named, input, project } = of;
  const spans = score.places;
  const isTold = spans >= LEAST_SPANS && score.share !== null;
  const unjudged = named.n - named.x;
  const interval = isTold ? meanInterval(score.moments, { least: 0, most: 1, step: 1 / SCORES_OF_ONE }) : null;
  return {
    ...namesOf(group, brand, project),
    attribute,
    spans,
    answers: score.n,
    prompts: score.prompts,
    score: isTold ? shownScore(score.share) : null,
    reason: isTold ? null : named.n > 0 && unjudged === named.n ? "no_lexicon_for_language" : "too_few_spans",
    ...(input.statistics
      ? {
          ci_low: shownScore(interval?.low ?? null),
          ci_high: shownScore(interval?.high ?? null),
          grade: gradeOf(score.share ?? 0, interval, score.prompts),
          change: isTold ? changeOfScore(score.change) : null,
        }
      : {}),
    named: named.n,
    unjudged,
  };
}

function changeOfScore(change: ChangeRow | null): ChangeRow | null {
  if (change === null) return null;
  const { before, after } = change;
  const [scoreBefore = null, scoreAfter = null] = [before, after].map((points) => {
    return points === null ? null : rounded(points + LEAST_SCORE);
  });
  return { ...change, before: scoreBefore, after: scoreAfter };
}

function shownScore(share: number | null): number | null {
  return share === null ? null : rounded(scoreOfValue(share));
}

function othersOf({ group, brand, attribute }: Part, rows: readonly { part: Part; row: UnquotedRow }[]): number | null {
  const scores = rows.flatMap(({ part, row }) => {
    const isBeside = part.group === group && part.attribute === attribute && part.brand !== brand;
    return isBeside && row.score !== null ? [row.score] : [];
  });
  return scores.length === 0 ? null : rounded(sumOf(scores, (score) => score) / scores.length);
}

function sumOf<One>(all: Iterable<One>, value: (one: One) => number): number {
  let sum = 0;
  for (const one of all) sum += value(one);
  return sum;
}

function bestFirst<Row extends { part: Part; row: UnquotedRow }>(rows: readonly Row[]): Row[] {
  const at = (row: Row) => row.row.score ?? LEAST_SCORE - 1;
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

function extremesOf(
  all: ReturnType<typeof saidIn>,
  of: BrandAttribute,
  family: ReadonlySet<number>,
): Wanted<{ score: number }>[] {
  let [best, worst]: { score: number; wanted: Wanted<{ score: number }> }[] = [];
  for (const { said, questions } of all) {
    for (const answer of answersIn(said.attributes, questions)) {
      for (const score of scoresIn(said, answer, of)) {
        const wanted = () => ({
          score,
          wanted: wantedOf(said, answer, (read) => {
            const found = read.attributes.find(
              (one) => Math.round(one.score) === score && one.attribute === of.attribute && family.has(one.brand),
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
  return best.score === worst.score ? [best.wanted] : [best.wanted, worst.wanted];
}
