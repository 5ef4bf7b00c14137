import { scoreOfValue } from "../../metrics/facts/preferences.ts";
import { SOURCE_NAMES } from "../../sources/sources.ts";
import type { Evidence, Opinion } from "../action.ts";
import { channelOf, ownColumns, type Finding, type RuleInput } from "../finding.ts";
import { opinionFinding, opinionRow, pageRows, promptRows, type RowOf } from "./opinion-rows.ts";
import { shareOf, type Counted, type OpinionView } from "../opinion-view.ts";
import { spokenWell } from "../count-opinions.ts";
import { scoreInterval, type Ground, type Lost } from "./preference-rule.ts";
import { pageAt, pagesOf, spread, wordsAt, type SaidAnswer, type SaidAnswers } from "./said-answer.ts";

/** Max fields, and max answers per field, that are opened. */
const MOST_LOST_OPENED = 10;
const MOST_ANSWERS_OPENED = 20;
const MOST_ELSEWHERE = 3;

/** Keys of the answers against the own brand that are opened. */
export function keysOfLost(lost: readonly Lost[]): number[] {
  return lost.slice(0, MOST_LOST_OPENED).flatMap((one) => spread(against(one), MOST_ANSWERS_OPENED));
}

/** Answers that prefer the competitor, or score the own brand low. */
function against({ compared, own }: Ground): number[] {
  const keys = [...compared, ...own].flatMap(({ value, key }) => (value < HALF ? [key] : []));
  return [...new Set(keys)];
}
const HALF = 0.5;

/**
 * One finding per field in which a competitor is preferred, with the fields in which the own brand
 * is.
 */
export function preferredCompetitors(
  input: RuleInput,
  view: OpinionView,
  facts: { lost: readonly Lost[]; opened: SaidAnswers; familyOf: (brandId: string) => ReadonlySet<number> },
): Finding[] {
  return facts.lost.map((one) => {
    const { about, source, rivalId, compared, own, rival } = one;
    const lossRate = one.comparison === "behind" ? 1 - meanOf(compared) : 0;
    const apart = one.score === "behind" ? meanOf(rival) - meanOf(own) : 0;
    const counted = [...compared, ...own];
    return opinionFinding(view, {
      rule: "competitor_preferred",
      subject: `brand:${rivalId}:${source === null ? `about:${about}` : `source:${source}`}`,
      about: source === null ? (about ?? "") : SOURCE_NAMES[source],
      channel: source === null ? "all" : channelOf(source),
      evidence: evidenceOf(input, view, one, facts),
      gap: Math.max(lossRate, apart),
      counted,
      answers: new Set(counted.map(({ key }) => key)).size,
      rival: input.brandNames.get(rivalId) ?? null,
    });
  });
}

function evidenceOf(
  input: RuleInput,
  view: OpinionView,
  lost: Lost,
  facts: Parameters<typeof preferredCompetitors>[2],
): Evidence[] {
  const { opened, familyOf } = facts;
  const [own, rival] = [familyOf(input.compared.ownId), familyOf(lost.rivalId)];
  const placeIn = (answer: SaidAnswer) => sentenceAgainst(answer, lost, { own, rival, nameOf: view.nameOf });
  const words = (key: number) => {
    const answer = opened.answers.get(key);
    const place = answer && placeIn(answer);
    return answer && place ? wordsAt(answer, place) : null;
  };
  const cited = against(lost).flatMap((key) => {
    const answer = opened.answers.get(key);
    const place = answer && placeIn(answer);
    return answer && place ? [{ key, url: pageAt(answer, place) }] : [];
  });
  const rows = rowsOf(input, lost, opened).map((row, at) => ({ ...row, counted: at === 0 }));
  const [first] = rows;
  const said =
    against(lost)
      .map(words)
      .find((one) => one !== null) ?? null;
  if (first?.opinion) first.opinion = { ...first.opinion, said };
  const elsewhere = lost.elsewhere
    .slice(0, MOST_ELSEWHERE)
    .flatMap((ground) => rowsOf(input, ground, opened).map((row) => ({ ...row, counted: false })));
  return [
    ...rows,
    ...elsewhere,
    ...pageRows(pagesOf(cited, opened.ownHosts), { ...comparisonOf(input, lost, opened), words }),
    ...(lost.comparison === "behind" ? promptsLost(input, view, lost, opened) : []),
  ];
}

/** Prompts whose answers prefer the competitor most. */
function promptsLost(input: RuleInput, view: OpinionView, lost: Lost, opened: SaidAnswers): Evidence[] {
  const reversed = lost.compared.map((one) => ({ ...one, value: 1 - one.value }));
  return promptRows(view, reversed, (isOf) => {
    const compared = lost.compared.filter(isOf);
    return opinionRow(compared, comparisonOf(input, { ...lost, compared }, opened));
  });
}

function rowsOf(input: RuleInput, ground: Ground, opened: SaidAnswers): Evidence[] {
  const comparison = ground.comparison && opinionRow(ground.compared, comparisonOf(input, ground, opened));
  const score = ground.score && scoreRow(input, ground, opened);
  return [comparison, score].flatMap((row) => row ?? []);
}

function comparisonOf(input: RuleInput, ground: Ground, opened: SaidAnswers): RowOf {
  const { compared, about, source, rivalId } = ground;
  const losing = compared.filter(({ value }) => value === 0);
  return {
    rule: "competitor_preferred",
    collectId: input.collect.id,
    opinion: { kind: "comparison", about },
    opened,
    own: ownColumns(input),
    more: {
      source,
      brand_id: rivalId,
      brand: input.brandNames.get(rivalId) ?? null,
      brand_occurrences: losing.length,
      answer_ids: losing.flatMap(({ key }) => opened.answers.get(key)?.id ?? []).slice(0, 5),
    },
  };
}

/** Row of both scores; its answers score the own brand, its occurrences score it above zero. */
function scoreRow(input: RuleInput, ground: Ground, opened: SaidAnswers): Evidence {
  const { own, rival, about, rivalId } = ground;
  return opinionRow(own.map(spokenWell), {
    rule: "competitor_preferred",
    collectId: input.collect.id,
    opinion: { kind: "score", about, ...scores(own, ""), ...scores(rival, "brand_") },
    opened,
    own: ownColumns(input),
    more: { brand_id: rivalId, brand: input.brandNames.get(rivalId) ?? null },
  });
}

function scores(scored: readonly Counted[], of: "" | "brand_"): Partial<Opinion> {
  const interval = scoreInterval(scored);
  return {
    [`${of}value`]: rounded(scoreOfValue(meanOf(scored))),
    [`${of}ci_low`]: interval && rounded(scoreOfValue(interval.low)),
    [`${of}ci_high`]: interval && rounded(scoreOfValue(interval.high)),
  };
}

function rounded(value: number): number {
  return Math.round(1e6 * value) / 1e6;
}

/** The sentence that prefers the competitor, or the own brand's lowest-scored clause. */
function sentenceAgainst(
  { spans }: SaidAnswer,
  { about }: Lost,
  of: { own: ReadonlySet<number>; rival: ReadonlySet<number>; nameOf: OpinionView["nameOf"] },
): { start: number; end: number } | undefined {
  const isAbout = (aspect: string | null) => about === null || (aspect !== null && of.nameOf(aspect) === about);
  const preferred = spans.comparisons.find(
    ({ better, worse, aspect }) => of.rival.has(better) && of.own.has(worse) && isAbout(aspect),
  );
  const [worst] = spans.attributes
    .filter(({ brand, attribute }) => of.own.has(brand) && attribute === about)
    .toSorted((a, b) => a.score - b.score);
  return preferred ?? worst;
}

function meanOf(counted: readonly Counted[]): number {
  const { n, x } = shareOf(counted);
  return n === 0 ? 0 : x / n;
}
