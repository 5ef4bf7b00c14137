import { rankWeight } from "../measuring/metrics.ts";
import {
  discoveries,
  LEAST_FOR_CHANGE,
  rankSumPValue,
  twoProportionPValue,
  type Histogram,
} from "../measuring/statistics.ts";
import type { Evidence } from "./action.ts";
import { countCells, meanRank, ownRanks, type CollectView, type SourceView } from "./collect-view.ts";
import {
  byTopic,
  channelOf,
  evidenceRow,
  SOURCE_CHANNELS,
  strongest,
  type ActionChannel,
  type Finding,
  type RuleInput,
  type RuleKeyword,
  type Steps,
} from "./finding.ts";

/** Smaller losses are not worth work, however sure they are: share of answers, and places in the ranking. */
const LEAST_PRESENCE_LOSS = 0.05;
const LEAST_RANK_LOSS = 0.5;

/** One source in both collects, with the keywords that both have answers to. */
interface Pair {
  now: SourceView;
  before: SourceView;
  asked: readonly RuleKeyword[];
}

/** A part of what was asked whose two collects are compared. */
interface Group {
  subject: string;
  channel: ActionChannel;
  about: string;
  /** Null if the group is a whole source. */
  topic: RuleKeyword | null;
  sources: readonly Pair[];
}

interface Change {
  group: Group;
  rule: "presence_lost" | "rank_lost";
  pValue: number;
  /** True if it is a loss that is large enough to matter. */
  matters: boolean;
  gap: number;
}

/**
 * Presence and ranks that fell between two collects by more than noise: per source, and per topic and channel. Sources
 * whose model or way of collecting changed are left out, because such a difference says nothing of the brand; so are
 * groups of fewer than ten answers. All tests of a collect are judged together, so that many groups cause no false positives.
 */
export function* losses(input: RuleInput, before: CollectView): Steps<Finding[]> {
  const changes: Change[] = [];
  for (const group of groupsOf(input, before)) {
    changes.push(...presenceChange(input, group), ...rankChange(input, group));
    yield;
  }
  const stands = discoveries(changes.map(({ pValue }) => pValue));
  const found: Finding[] = [];
  for (const change of changes.filter(({ matters }, at) => matters && stands[at])) {
    found.push(findingOf(input, before, change));
    yield;
  }
  return found;
}

/** Whether one loss that was found against `before` is still there, judged alone. */
export function remainingLoss(
  input: RuleInput,
  before: CollectView,
  of: Pick<Finding, "rule" | "subject">,
): Finding | undefined {
  const group = groupsOf(input, before).find(({ subject }) => subject === of.subject);
  if (!group) return undefined;
  const changes = of.rule === "presence_lost" ? presenceChange(input, group) : rankChange(input, group);
  const change = changes.find(({ matters, pValue }) => matters && discoveries([pValue])[0]);
  return change && findingOf(input, before, change);
}

function groupsOf({ collect, keywords }: RuleInput, before: CollectView): Group[] {
  const comparable = collect.sources.flatMap((now) => {
    const then = before.sources.find(({ source, method }) => source === now.source && method === now.method);
    return then ? [{ now, before: then }] : [];
  });
  const whole = comparable.map((pair): Group => {
    const { source } = pair.now;
    const of = { subject: `source:${source}`, channel: channelOf(source), about: source, topic: null };
    return { ...of, sources: [askedInBoth(pair, keywords)] };
  });
  const parts = [...byTopic(keywords).values()].flatMap((own) =>
    SOURCE_CHANNELS.flatMap((channel): Group[] => {
      const sources = comparable.filter(({ now }) => channelOf(now.source) === channel);
      const [topic] = own;
      if (!topic || sources.length === 0) return [];
      const of = { subject: `topic:${topic.topicId}:${channel}`, channel, about: topic.topic, topic };
      return [{ ...of, sources: sources.map((pair) => askedInBoth(pair, own)) }];
    }),
  );
  return [...whole, ...parts];
}

function askedInBoth(pair: { now: SourceView; before: SourceView }, keywords: readonly RuleKeyword[]): Pair {
  const asked = keywords.filter(
    ({ position }) => (pair.now.facts.answers[position] ?? 0) > 0 && (pair.before.facts.answers[position] ?? 0) > 0,
  );
  return { ...pair, asked };
}

function positionsOf({ asked }: Pair): number[] {
  return asked.map(({ position }) => position);
}

function presenceChange(input: RuleInput, group: Group): Change[] {
  const now = { occurrences: 0, total: 0 };
  const then = { occurrences: 0, total: 0 };
  for (const pair of group.sources) {
    const asked = positionsOf(pair);
    for (const [sum, view] of [[now, pair.now] as const, [then, pair.before] as const]) {
      const { answers, own } = countCells([view], asked, input.compared);
      sum.total += answers;
      sum.occurrences += own.occurrences;
    }
  }
  const pValue = twoProportionPValue(then, now);
  if (pValue === null || Math.min(now.total, then.total) < LEAST_FOR_CHANGE) return [];
  const gap = then.occurrences / then.total - now.occurrences / now.total;
  return [{ group, rule: "presence_lost", pValue, matters: gap >= LEAST_PRESENCE_LOSS, gap }];
}

function rankChange({ compared }: RuleInput, group: Group): Change[] {
  const ranks = (side: "now" | "before") =>
    addedUp(group.sources.map((pair) => ownRanks([pair[side]], positionsOf(pair), compared.ownId)));
  const [now, then] = [ranks("now"), ranks("before")];
  const pValue = rankSumPValue(then, now);
  if (pValue === null || Math.min(timesOf(now), timesOf(then)) < LEAST_FOR_CHANGE) return [];
  const lost = meanOf(now, (rank) => rank) - meanOf(then, (rank) => rank);
  const gap = meanOf(then, rankWeight) - meanOf(now, rankWeight);
  return [{ group, rule: "rank_lost", pValue, matters: lost >= LEAST_RANK_LOSS, gap: Math.max(0, gap) }];
}

function findingOf(input: RuleInput, before: CollectView, { group, rule, pValue, gap }: Change): Finding {
  const rows = group.sources.map((pair) => lossRow(input, before, { rule, group, pair }));
  const details = group.sources.flatMap((pair) =>
    pair.asked.map((keyword) => lossRow(input, before, { rule, group, pair, keyword })).filter(fell),
  );
  const shown = strongest([...rows, ...details], (row) => (row.counted ? 1e9 : fallOf(row)));
  const asked = [...new Set(group.sources.flatMap(positionsOf))];
  const rival = countCells(
    group.sources.map(({ now }) => now),
    asked,
    input.compared,
  ).rival;
  return {
    rule,
    subject: group.subject,
    channel: group.channel,
    about: group.about,
    evidence: shown,
    keywords: asked,
    gap,
    answers: rows.reduce((sum, row) => sum + row.answers, 0),
    pValue,
    rival: rival === null ? null : (input.brandNames.get(rival.brandId) ?? null),
    siteType: null,
  };
}

/** The counts of a group and source, or of one keyword of it, in both collects. */
function lossRow(
  { collect, compared, brandNames }: RuleInput,
  before: CollectView,
  of: { rule: "presence_lost" | "rank_lost"; group: Group; pair: Pair; keyword?: RuleKeyword },
): Evidence {
  const { rule, group, pair, keyword } = of;
  const positions = keyword ? [keyword.position] : positionsOf(pair);
  const now = countCells([pair.now], positions, compared);
  const then = countCells([pair.before], positions, compared);
  return evidenceRow({
    rule,
    counted: keyword === undefined,
    collect_id: collect.id,
    previous_collect_id: before.id,
    keyword_id: keyword?.id ?? null,
    keyword: keyword?.text ?? null,
    topic_id: keyword?.topicId ?? group.topic?.topicId ?? null,
    topic: keyword?.topic ?? group.topic?.topic ?? null,
    source: pair.now.source,
    search_volume: keyword?.searchVolume ?? null,
    answers: now.answers,
    occurrences: now.own.occurrences,
    previous_answers: then.answers,
    previous_occurrences: then.own.occurrences,
    rank: meanRank(now.own),
    previous_rank: meanRank(then.own),
    brand_id: now.rival?.brandId ?? null,
    brand: now.rival === null ? null : (brandNames.get(now.rival.brandId) ?? null),
    brand_occurrences: now.rival?.occurrences ?? null,
    brand_rank: now.rival === null ? null : meanRank(now.rival),
  });
}

/** By how much a row fell: in share of answers, or in places. */
function fallOf(row: Evidence): number {
  if (row.rule === "rank_lost") return (row.rank ?? 0) - (row.previous_rank ?? row.rank ?? 0);
  return (row.previous_occurrences ?? 0) / (row.previous_answers || 1) - row.occurrences / (row.answers || 1);
}

function fell(row: Evidence): boolean {
  return fallOf(row) > 0;
}

function addedUp(histograms: readonly Histogram[]): Histogram {
  const sum = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [rank, times] of histogram) sum.set(rank, (sum.get(rank) ?? 0) + times);
  }
  return sum;
}

function timesOf(ranks: Histogram): number {
  return [...ranks.values()].reduce((sum, times) => sum + times, 0);
}

function meanOf(ranks: Histogram, value: (rank: number) => number): number {
  let sum = 0;
  for (const [rank, times] of ranks) sum += times * value(rank);
  return sum / timesOf(ranks);
}
