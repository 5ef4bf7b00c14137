import { toScore } from "../../metrics/facts/preferences.ts";
import { SOURCE_NAMES } from "../../sources/sources.ts";
import type { Evidence, OpinionEvidence } from "../action.ts";
import { getChannel, ownColumns, type ActionFinding, type RuleInput } from "../finding.ts";
import {
  buildOpinionFinding,
  opinionRow,
  buildPageRows,
  buildPromptRows,
  type OpinionRowContext,
} from "./opinion-rows.ts";
import { sumShare, type CountedAnswer, type OpinionView } from "../opinion-view.ts";
import { toPositiveShare } from "../count-opinions.ts";
import { computeScoreInterval, type ComparisonField, type LostField } from "./preference-rule.ts";
import {
  findCitedPageAt,
  groupCitedPages,
  sampleEvenly,
  extractExcerpt,
  type OpenedAnswer,
  type OpenedAnswers,
} from "./opened-answer.ts";

const MAX_FIELDS_OPENED = 10;
const MAX_ANSWERS_OPENED = 20;
const MAX_WON_FIELDS = 3;

export function selectAnswersToOpen(lost: readonly LostField[]): number[] {
  return lost
    .slice(0, MAX_FIELDS_OPENED)
    .flatMap((one) => sampleEvenly(listAnswersAgainstOwn(one), MAX_ANSWERS_OPENED));
}

/** Answers that prefer the competitor, or score the own brand low. */
function listAnswersAgainstOwn({ compared, own }: ComparisonField): number[] {
  const keys = [...compared, ...own].flatMap(({ value, key }) => (value < NEUTRAL_VALUE ? [key] : []));
  return [...new Set(keys)];
}
const NEUTRAL_VALUE = 0.5;

/** One finding per field in which a competitor is preferred, with fields the own brand wins. */
export function findPreferredCompetitors(
  input: RuleInput,
  view: OpinionView,
  facts: {
    lostFields: readonly LostField[];
    opened: OpenedAnswers;
    familyOf: (brandId: string) => ReadonlySet<number>;
  },
): ActionFinding[] {
  return facts.lostFields.map((lostField) => {
    const { about, source, rivalId, compared, own, rivalScores } = lostField;
    const lossRate = lostField.comparison === "behind" ? 1 - computeMean(compared) : 0;
    const apart = lostField.scoreStanding === "behind" ? computeMean(rivalScores) - computeMean(own) : 0;
    const counted = [...compared, ...own];
    return buildOpinionFinding(view, {
      rule: "competitor_preferred",
      subject: `brand:${rivalId}:${source === null ? `about:${about}` : `source:${source}`}`,
      subjectName: source === null ? (about ?? "") : SOURCE_NAMES[source],
      channel: source === null ? "all" : getChannel(source),
      evidence: buildEvidence(input, view, lostField, facts),
      gap: Math.max(lossRate, apart),
      counted,
      answers: new Set(counted.map(({ key }) => key)).size,
      rival: input.brandNames.get(rivalId) ?? null,
    });
  });
}

function buildEvidence(
  input: RuleInput,
  view: OpinionView,
  field: LostField,
  facts: Parameters<typeof findPreferredCompetitors>[2],
): Evidence[] {
  const { opened, familyOf } = facts;
  const [family, rival] = [familyOf(input.compared.ownId), familyOf(field.rivalId)];
  const placeIn = (answer: OpenedAnswer) =>
    findSentenceAgainst(answer, field, { ownNumbers: family, rival, nameOf: view.canonicalAspect });
  const words = (key: number) => {
    const answer = opened.answers.get(key);
    const place = answer && placeIn(answer);
    return answer && place ? extractExcerpt(answer, place) : null;
  };
  const cited = listAnswersAgainstOwn(field).flatMap((key) => {
    const answer = opened.answers.get(key);
    const place = answer && placeIn(answer);
    return answer && place ? [{ key, url: findCitedPageAt(answer, place) }] : [];
  });
  const rows = toEvidenceRows(input, field, opened).map((row, at) => ({ ...row, counted: at === 0 }));
  const [first] = rows;
  const sentence =
    listAnswersAgainstOwn(field)
      .map(words)
      .find((one) => one !== null) ?? null;
  if (first?.opinion) first.opinion = { ...first.opinion, said: sentence };
  const elsewhere = field.otherFields
    .slice(0, MAX_WON_FIELDS)
    .flatMap((ground) => toEvidenceRows(input, ground, opened).map((row) => ({ ...row, counted: false })));
  return [
    ...rows,
    ...elsewhere,
    ...buildPageRows(groupCitedPages(cited, opened.ownHosts), {
      ...buildComparisonContext(input, field, opened),
      words,
    }),
    ...(field.comparison === "behind" ? buildLostPromptRows(input, view, field, opened) : []),
  ];
}

function buildLostPromptRows(input: RuleInput, view: OpinionView, lost: LostField, opened: OpenedAnswers): Evidence[] {
  const reversed = lost.compared.map((one) => ({ ...one, value: 1 - one.value }));
  return buildPromptRows(view, reversed, (isOf) => {
    const compared = lost.compared.filter(isOf);
    return opinionRow(compared, buildComparisonContext(input, { ...lost, compared }, opened));
  });
}

function toEvidenceRows(input: RuleInput, ground: ComparisonField, opened: OpenedAnswers): Evidence[] {
  const comparison = ground.comparison && opinionRow(ground.compared, buildComparisonContext(input, ground, opened));
  const score = ground.scoreStanding && scoreRow(input, ground, opened);
  return [comparison, score].flatMap((row) => row ?? []);
}

function buildComparisonContext(input: RuleInput, ground: ComparisonField, opened: OpenedAnswers): OpinionRowContext {
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
function scoreRow(input: RuleInput, ground: ComparisonField, opened: OpenedAnswers): Evidence {
  const { own, rivalScores, about, rivalId } = ground;
  return opinionRow(own.map(toPositiveShare), {
    rule: "competitor_preferred",
    collectId: input.collect.id,
    opinion: { kind: "score", about, ...scoreColumns(own, ""), ...scoreColumns(rivalScores, "brand_") },
    opened,
    own: ownColumns(input),
    more: { brand_id: rivalId, brand: input.brandNames.get(rivalId) ?? null },
  });
}

function scoreColumns(scored: readonly CountedAnswer[], prefix: "" | "brand_"): Partial<OpinionEvidence> {
  const interval = computeScoreInterval(scored);
  return {
    [`${prefix}value`]: rounded(toScore(computeMean(scored))),
    [`${prefix}ci_low`]: interval && rounded(toScore(interval.low)),
    [`${prefix}ci_high`]: interval && rounded(toScore(interval.high)),
  };
}

function rounded(value: number): number {
  return Math.round(1e6 * value) / 1e6;
}

/** The sentence that prefers the competitor, or the own brand's lowest-scored clause. */
function findSentenceAgainst(
  { spans }: OpenedAnswer,
  { about }: LostField,
  sides: { ownNumbers: ReadonlySet<number>; rival: ReadonlySet<number>; nameOf: OpinionView["canonicalAspect"] },
): { start: number; end: number } | undefined {
  const isAbout = (aspect: string | null) =>
    about === null ? aspect === null : aspect !== null && sides.nameOf(aspect) === about;
  const preferred = spans.comparisons.find(
    ({ better, worse, aspect, isDraw }) =>
      !isDraw && sides.rival.has(better) && sides.ownNumbers.has(worse) && isAbout(aspect),
  );
  const [worst] = spans.attributes
    .filter(({ brand, attribute }) => sides.ownNumbers.has(brand) && attribute === about)
    .toSorted((a, b) => a.score - b.score);
  return preferred ?? worst;
}

function computeMean(counted: readonly CountedAnswer[]): number {
  const { n, x } = sumShare(counted);
  return n === 0 ? 0 : x / n;
}
