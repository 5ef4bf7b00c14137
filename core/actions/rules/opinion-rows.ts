import type { Evidence, Opinion } from "../action.ts";
import { evidenceRow, type Finding } from "../finding.ts";
import { intervalOf, shareOf, sharesBy, type Counted, type OpinionView } from "../opinion-view.ts";
import type { SaidAnswers, SaidPage } from "./said-answer.ts";

/** Max rows of each kind per action. */
const MOST_PAGES = 6;
const MOST_PROMPTS = 5;
const MOST_ANSWER_IDS = 5;

/** Common fields of all rows of one opinion. */
export interface RowOf {
  rule: NonNullable<Evidence["rule"]>;
  collectId: string;
  opinion: Pick<Opinion, "kind" | "about"> & Partial<Opinion>;
  opened: SaidAnswers;
  /** The own brand, for rows about its pages. */
  own: Pick<Evidence, "brand_id" | "brand">;
  /** Additional columns. */
  more?: Partial<Evidence>;
}

export function opinionRow(counted: readonly Counted[], of: RowOf): Evidence {
  const { n, x } = shareOf(counted);
  const prompts = sharesBy(counted, "prompt");
  const interval = intervalOf(prompts.values());
  return evidenceRow({
    rule: of.rule,
    collect_id: of.collectId,
    answers: n,
    occurrences: counted.filter(({ value }) => value === 1).length,
    answer_ids: idsOf(
      counted.filter(({ value }) => value === 1).map(({ key }) => key),
      of.opened,
    ),
    ...of.more,
    opinion: {
      ...NOTHING_SAID,
      prompts: prompts.size,
      value: n === 0 ? null : x / n,
      ci_low: interval?.low ?? null,
      ci_high: interval?.high ?? null,
      ...of.opinion,
    },
  });
}

export function sourceRows(counted: readonly Counted[], of: RowOf): Evidence[] {
  const sources = [...sharesBy(counted, "source").keys()];
  if (sources.length < 2) return [];
  return sources.map((source) => {
    const own = counted.filter((one) => one.source === source);
    return { ...opinionRow(own, of), source, counted: false };
  });
}

/**
 * Rows of the pages cited for an opinion. A row counts the opened answers that cite its page there.
 */
export function pageRows(
  pages: readonly SaidPage[],
  of: RowOf & { words: (key: number) => string | null },
): Evidence[] {
  return pages.slice(0, MOST_PAGES).map(({ url, domain, isOwn, keys }) =>
    evidenceRow({
      rule: of.rule,
      counted: false,
      collect_id: of.collectId,
      answers: keys.length,
      occurrences: keys.length,
      domain,
      url,
      ...(isOwn ? of.own : {}),
      answer_ids: idsOf(keys, of.opened),
      opinion: { ...NOTHING_SAID, ...of.opinion, said: of.words(keys[0] ?? 0) },
    }),
  );
}

/** Rows of the prompts with the most such answers; `row` builds the row of one prompt. */
export function promptRows(
  { prompts }: OpinionView,
  counted: readonly Counted[],
  row: (isOf: (one: Counted) => boolean) => Evidence,
): Evidence[] {
  return [...sharesBy(counted, "prompt")]
    .filter(([, { x }]) => x > 0)
    .toSorted(([a, one], [b, other]) => other.x - one.x || a - b)
    .slice(0, MOST_PROMPTS)
    .flatMap(([place]) => {
      const prompt = prompts[place];
      if (!prompt) return [];
      return [{ ...row((one) => one.prompt === place), keyword_id: prompt.id, keyword: prompt.text, counted: false }];
    });
}

/** Finding about an opinion. `counted` are the affected answers. */
export function opinionFinding(
  view: OpinionView,
  of: Pick<Finding, "rule" | "subject" | "about" | "evidence" | "gap" | "rival"> &
    Partial<Finding> & { counted: readonly Counted[] },
): Finding {
  const { counted, ...finding } = of;
  return {
    channel: "all",
    keywords: [],
    pValue: null,
    siteType: null,
    reach: view.prompts.length === 0 ? 0 : sharesBy(counted, "prompt").size / view.prompts.length,
    answers: finding.evidence[0]?.answers ?? 0,
    ...finding,
  };
}

function idsOf(keys: readonly number[], { answers }: SaidAnswers): string[] {
  return keys.flatMap((key) => answers.get(key)?.id ?? []).slice(0, MOST_ANSWER_IDS);
}

export const NOTHING_SAID: Omit<Opinion, "kind" | "about"> = {
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
