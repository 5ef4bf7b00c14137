import { judgeDifference, type Change } from "../../statistics/change.ts";
import { adjustPValues, judgeChange } from "../../statistics/verdict.ts";
import type { Source } from "../../sources/sources.ts";
import type { Evidence } from "../action.ts";
import {
  countCells,
  meanRank,
  haveSameCollectionWay,
  type CollectView,
  type ComparedBrands,
  type SourceView,
} from "../collect-view.ts";
import { compareViews, type ViewComparison, type SourceKeywords } from "../compare-views.ts";
import {
  groupByTopic,
  getChannel,
  evidenceRow,
  listPositions,
  SOURCE_CHANNELS,
  selectStrongest,
  toTopicColumns,
  buildTopicSubject,
  type ActionChannel,
  type ActionFinding,
  type RuleInput,
  type RuleKeyword,
  type Steps,
} from "../finding.ts";

/** Min loss that matters, as share of answers and as ranks. */
const MIN_PRESENCE_LOSS = 0.05;
const MIN_RANK_LOSS = 0.5;

interface SourcePair {
  now: SourceView;
  before: SourceView;
  asked: readonly { keyword: RuleKeyword; questions: readonly number[] }[];
}

interface QuestionGroup {
  subject: string;
  channel: ActionChannel;
  about: string;
  /** Topic of the loss; null for a whole source. */
  topic: RuleKeyword | null;
  /** Compared questions, including those of only one collect. */
  parts: readonly SourceKeywords[];
  /** Questions answered in the same way in both collects, shown as evidence. */
  sources: readonly SourcePair[];
}

const LOSS_RULES = ["presence_lost", "rank_lost"] as const;
type LossRule = (typeof LOSS_RULES)[number];

interface GroupChange {
  group: QuestionGroup;
  rule: LossRule;
  change: Change;
  comparison: ViewComparison;
  isAboveMinimum: boolean;
  gap: number;
}

/**
 * Losses of presence and rank by the verdicts of measurement.md section 3, per source and per topic
 * and channel. Compares with the previous collect, or with the one before it if the previous
 * collect gave a first sign. All groups of a collect are judged together. `earlier` has the latest
 * collect first.
 */
export function* findLosses(input: RuleInput, earlier: readonly CollectView[]): Steps<ActionFinding[]> {
  const findings: ActionFinding[] = [];
  const [previous, first] = earlier;
  if (!previous) return findings;
  for (const fall of yield* measureChangesSince(previous, input)) {
    if (isSignificant(fall)) findings.push(toFinding(input, previous, fall));
    yield;
  }
  if (!first) return findings;
  const signs = yield* measureChangesSince(first, { ...input, collect: previous });
  for (const fall of yield* measureChangesSince(first, input)) {
    const sign = signs.find(({ rule, group }) => rule === fall.rule && group.subject === fall.group.subject);
    const isNew = !findings.some(({ rule, subject }) => rule === fall.rule && subject === fall.group.subject);
    if (isNew && sign && isEarlySign(sign) && isSignificant(fall, sign.change))
      findings.push(toFinding(input, first, fall));
    yield;
  }
  return findings;
}

/** Returns an earlier loss against `before` if it persists, judged alone. */
export function* findRemainingLoss(
  input: RuleInput,
  before: CollectView,
  finding: Pick<ActionFinding, "rule" | "subject">,
): Steps<ActionFinding | undefined> {
  const group = buildGroups(input, before).find(({ subject }) => subject === finding.subject);
  const rule = LOSS_RULES.find((one) => one === finding.rule);
  if (!group || !rule) return undefined;
  const fall = yield* measureChange(group, rule, { input, before });
  return fall.isAboveMinimum && isEarlySign(fall) ? toFinding(input, before, fall) : undefined;
}

function* measureChangesSince(before: CollectView, input: RuleInput): Steps<GroupChange[]> {
  const falls: GroupChange[] = [];
  for (const group of buildGroups(input, before)) {
    for (const rule of LOSS_RULES) falls.push(yield* measureChange(group, rule, { input, before }));
    yield;
  }
  const adjusted = adjustPValues(falls.map(({ change }) => change.p));
  return falls.map((fall, at) => ({ ...fall, change: { ...fall.change, p: adjusted[at] ?? null } }));
}

function isSignificant({ isAboveMinimum, change, comparison }: GroupChange, neighbour: Change | null = null): boolean {
  const { obstacle } = comparison;
  return isAboveMinimum && judgeChange(change, { obstacle, neighbour }) === "moved" && !comparison.withField();
}

function isEarlySign({ change, comparison: { obstacle } }: GroupChange): boolean {
  const verdict = judgeChange(change, { obstacle });
  return change.delta < 0 && (verdict === "first_sign" || verdict === "moved");
}

function buildGroups({ collect, keywords }: RuleInput, before: CollectView): QuestionGroup[] {
  const named = new Set([...before.sources, ...collect.sources].map(({ source }) => source));
  const pairs = collect.sources.flatMap((now) => {
    const then = before.sources.find(({ source }) => source === now.source);
    return then ? [{ now, before: then }] : [];
  });
  const groups = pairs.map((pair): QuestionGroup => {
    const { source } = pair.now;
    const of = { subject: `source:${source}`, channel: getChannel(source), about: source, topic: null };
    return { ...of, parts: toSourceKeywords([source], keywords), sources: listComparablePairs([pair], keywords) };
  });
  const topics = [...groupByTopic(keywords).values()].flatMap((own) =>
    SOURCE_CHANNELS.flatMap((channel): QuestionGroup[] => {
      const [topic] = own;
      if (!topic) return [];
      const among = pairs.filter(({ now }) => getChannel(now.source) === channel);
      const common = { subject: `${buildTopicSubject(topic)}:${channel}`, channel, about: topic.topic, topic };
      const parts = toSourceKeywords(
        [...named].filter((source) => getChannel(source) === channel),
        own,
      );
      return [{ ...common, parts, sources: listComparablePairs(among, own) }];
    }),
  );
  return [...groups, ...topics].filter(({ sources }) => sources.length > 0);
}

function toSourceKeywords(sources: readonly Source[], keywords: readonly RuleKeyword[]): SourceKeywords[] {
  return sources.map((source) => ({ source, keywords: keywords.flatMap(listPositions) }));
}

function listComparablePairs(
  pairs: readonly Omit<SourcePair, "asked">[],
  keywords: readonly RuleKeyword[],
): SourcePair[] {
  return pairs.flatMap((pair) => {
    const asked = keywords.flatMap((keyword) => {
      const questions = listPositions(keyword).filter((position) =>
        haveSameCollectionWay(pair.now, pair.before, position),
      );
      return questions.length === 0 ? [] : [{ keyword, questions }];
    });
    return asked.length === 0 ? [] : [{ ...pair, asked }];
  });
}

function listQuestions({ asked }: SourcePair): number[] {
  return asked.flatMap(({ questions }) => questions);
}

/** Rank is judged by visibility, because mean ranks have no verdict. */
function* measureChange(
  group: QuestionGroup,
  rule: LossRule,
  { input, before }: { input: RuleInput; before: CollectView },
): Steps<GroupChange> {
  const { collect, compared, promptClusters } = input;
  const metric = rule === "presence_lost" ? ("presence" as const) : ("visibility" as const);
  const comparison = yield* compareViews({ before, after: collect }, group.parts, { compared, promptClusters, metric });
  const change = judgeDifference(comparison.difference);
  const gap = -change.delta;
  const least =
    rule === "presence_lost" ? gap >= MIN_PRESENCE_LOSS : computeRanksLost(group, compared) >= MIN_RANK_LOSS;
  return { group, rule, comparison, change, isAboveMinimum: gap > 0 && least, gap };
}

/** Ranks lost on average, over answers with the brand on both sides. */
function computeRanksLost({ sources }: QuestionGroup, compared: ComparedBrands): number {
  const computeMean = (side: "now" | "before") => {
    const counts = sources.map((pair) => countCells([pair[side]], listQuestions(pair), compared).ownBrand);
    const sum = (column: "occurrences" | "rankSum") => counts.reduce((all, count) => all + count[column], 0);
    return meanRank({ brandId: compared.ownId, occurrences: sum("occurrences"), rankSum: sum("rankSum") });
  };
  const [now, then] = [computeMean("now"), computeMean("before")];
  return now === null || then === null ? 0 : now - then;
}

function toFinding(input: RuleInput, before: CollectView, { group, rule, change, gap }: GroupChange): ActionFinding {
  const rows = group.sources.map((pair) => buildLossRow(input, before, { rule, group, pair }));
  const details = group.sources.flatMap((pair) =>
    pair.asked
      .map((asked) => buildLossRow(input, before, { rule, group, pair, asked }))
      .filter((row) => computeLoss(row) > 0),
  );
  const evidence = selectStrongest([...rows, ...details], (row) => (row.counted ? 1e9 : computeLoss(row)));
  const positions = [...new Set(group.sources.flatMap(listQuestions))];
  const rival = countCells(
    group.sources.map(({ now }) => now),
    positions,
    input.compared,
  ).rival;
  return {
    rule,
    subject: group.subject,
    channel: group.channel,
    subjectName: group.about,
    evidence,
    keywords: [...new Set(group.sources.flatMap((pair) => pair.asked.map(({ keyword }) => keyword.position)))],
    gap,
    reach: null,
    answers: rows.reduce((sum, row) => sum + row.answers, 0),
    pValue: change.p,
    rival: rival === null ? null : (input.brandNames.get(rival.brandId) ?? null),
    siteType: null,
  };
}

function buildLossRow(
  { collect, compared, brandNames }: RuleInput,
  before: CollectView,
  loss: { rule: LossRule; group: QuestionGroup; pair: SourcePair; asked?: SourcePair["asked"][number] },
): Evidence {
  const { rule, group, pair, asked } = loss;
  const keyword = asked?.keyword;
  const about = keyword ?? group.topic;
  const positions = asked?.questions ?? listQuestions(pair);
  const now = countCells([pair.now], positions, compared);
  const then = countCells([pair.before], positions, compared);
  return evidenceRow({
    rule,
    counted: keyword === undefined,
    collect_id: collect.id,
    previous_collect_id: before.id,
    keyword_id: keyword?.id ?? null,
    keyword: keyword?.text ?? null,
    ...(about === null ? {} : toTopicColumns(about)),
    source: pair.now.source,
    search_volume: keyword?.searchVolume ?? null,
    answers: now.answers,
    occurrences: now.ownBrand.occurrences,
    previous_answers: then.answers,
    previous_occurrences: then.ownBrand.occurrences,
    rank: meanRank(now.ownBrand),
    previous_rank: meanRank(then.ownBrand),
    brand_id: now.rival?.brandId ?? null,
    brand: now.rival === null ? null : (brandNames.get(now.rival.brandId) ?? null),
    brand_occurrences: now.rival?.occurrences ?? null,
    brand_rank: now.rival === null ? null : meanRank(now.rival),
  });
}

/** Loss of a row: share of answers, or ranks. */
function computeLoss(row: Evidence): number {
  if (row.rule === "rank_lost") return (row.rank ?? 0) - (row.previous_rank ?? row.rank ?? 0);
  return (row.previous_occurrences ?? 0) / (row.previous_answers || 1) - row.occurrences / (row.answers || 1);
}
