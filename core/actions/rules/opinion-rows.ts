import type { Evidence, OpinionEvidence } from "../action.ts";
import { evidenceRow, type ActionFinding } from "../finding.ts";
import { estimateInterval, sumShare, groupShares, type CountedAnswer, type OpinionView } from "../opinion-view.ts";
import type { OpenedAnswers, OpinionPage } from "./opened-answer.ts";

/** Max rows of each kind per action. */
const MAX_PAGES = 6;
const MAX_PROMPTS = 5;
const MAX_ANSWER_IDS = 5;

export interface OpinionRowContext {
  rule: NonNullable<Evidence["rule"]>;
  collectId: string;
  opinion: Pick<OpinionEvidence, "kind" | "about"> & Partial<OpinionEvidence>;
  opened: OpenedAnswers;
  /** The own brand, for rows about its pages. */
  own: Pick<Evidence, "brand_id" | "brand">;
  /** Columns added to each row. */
  more?: Partial<Evidence>;
}

export function opinionRow(counted: readonly CountedAnswer[], context: OpinionRowContext): Evidence {
  const { n, x } = sumShare(counted);
  const prompts = groupShares(counted, "prompt");
  const interval = estimateInterval(prompts.values());
  return evidenceRow({
    rule: context.rule,
    collect_id: context.collectId,
    answers: n,
    occurrences: counted.filter(({ value }) => value === 1).length,
    answer_ids: listAnswerIds(
      counted.filter(({ value }) => value === 1).map(({ key }) => key),
      context.opened,
    ),
    ...context.more,
    opinion: {
      ...EMPTY_OPINION,
      prompts: prompts.size,
      value: n === 0 ? null : x / n,
      ci_low: interval?.low ?? null,
      ci_high: interval?.high ?? null,
      ...context.opinion,
    },
  });
}

export function buildSourceRows(counted: readonly CountedAnswer[], context: OpinionRowContext): Evidence[] {
  const sources = [...groupShares(counted, "source").keys()];
  if (sources.length < 2) return [];
  return sources.map((source) => {
    const own = counted.filter((one) => one.source === source);
    return { ...opinionRow(own, context), source, counted: false };
  });
}

/** Rows of the pages cited for an opinion, each counting the opened answers that cite its page. */
export function buildPageRows(
  pages: readonly OpinionPage[],
  context: OpinionRowContext & { words: (key: number) => string | null },
): Evidence[] {
  return pages.slice(0, MAX_PAGES).map(({ url, domain, isOwn, keys }) =>
    evidenceRow({
      rule: context.rule,
      counted: false,
      collect_id: context.collectId,
      answers: keys.length,
      occurrences: keys.length,
      domain,
      url,
      ...(isOwn ? context.own : {}),
      answer_ids: listAnswerIds(keys, context.opened),
      opinion: { ...EMPTY_OPINION, ...context.opinion, said: context.words(keys[0] ?? 0) },
    }),
  );
}

/** Rows of the prompts with the most affected answers; `row` builds the row of one prompt. */
export function buildPromptRows(
  { prompts }: OpinionView,
  counted: readonly CountedAnswer[],
  row: (isOf: (one: CountedAnswer) => boolean) => Evidence,
): Evidence[] {
  return [...groupShares(counted, "prompt")]
    .filter(([, { x }]) => x > 0)
    .toSorted(([a, one], [b, other]) => other.x - one.x || a - b)
    .slice(0, MAX_PROMPTS)
    .flatMap(([place]) => {
      const prompt = prompts[place];
      if (!prompt) return [];
      return [{ ...row((one) => one.prompt === place), keyword_id: prompt.id, keyword: prompt.text, counted: false }];
    });
}

/** Finding about an opinion. `counted` are the affected answers. */
export function buildOpinionFinding(
  view: OpinionView,
  of: Pick<ActionFinding, "rule" | "subject" | "subjectName" | "evidence" | "gap" | "rival"> &
    Partial<ActionFinding> & { counted: readonly CountedAnswer[] },
): ActionFinding {
  const { counted, ...finding } = of;
  return {
    channel: "all",
    keywords: [],
    pValue: null,
    siteType: null,
    reach: view.prompts.length === 0 ? 0 : groupShares(counted, "prompt").size / view.prompts.length,
    answers: finding.evidence[0]?.answers ?? 0,
    ...finding,
  };
}

function listAnswerIds(keys: readonly number[], { answers }: OpenedAnswers): string[] {
  return keys.flatMap((key) => answers.get(key)?.id ?? []).slice(0, MAX_ANSWER_IDS);
}

export const EMPTY_OPINION: Omit<OpinionEvidence, "kind" | "about"> = {
  fact_id: null,
  prompts: 0,
  said: null,
  declared: null,
  value: null,
  ci_low: null,
  ci_high: null,
  brand_value: null,
  brand_ci_low: null,
  brand_ci_high: null,
};
