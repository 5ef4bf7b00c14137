import { rankWeight } from "../metrics.ts";
import { discoveries, LEAST_FOR_CHANGE, rankSumPValue, twoProportionPValue, type Histogram } from "../statistics.ts";
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
} from "./finding.ts";

/** Smaller losses are not worth work, however sure they are: share of answers, and places in the ranking. */
const LEAST_PRESENCE_LOSS = 0.05;
const LEAST_RANK_LOSS = 0.5;

/** A part of what was asked whose two collects are compared. */
interface Group {
  subject: string;
  channel: ActionChannel;
  about: string;
  /** Null where the group is a whole source. */
  topic: RuleKeyword | null;
  keywords: readonly RuleKeyword[];
  sources: readonly { now: SourceView; before: SourceView }[];
}

interface Change {
  group: Group;
  rule: "presence_lost" | "rank_lost";
  pValue: number;
  /** True where it is a loss that is large enough to matter. */
  matters: boolean;
  gap: number;
}

/**
 * Presence and ranks that fell between two collects by more than noise: per source, and per topic and channel. Sources
 * whose model or way of collecting changed are left out, because such a difference says nothing of the brand; so are
 * groups of fewer than ten answers. All tests of a collect are judged together, so that many groups make no false alarm.
 */
export function losses(input: RuleInput, before: CollectView): Finding[] {
  const changes = groupsOf(input, before).flatMap((group) => [
    ...presenceChange(input, group),
    ...rankChange(input, group),
  ]);
  const found = discoveries(changes.map(({ pValue }) => pValue));
  return changes.filter(({ matters }, at) => matters && found[at]).map((change) => findingOf(input, before, change));
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
    return {
      subject: `source:${source}`,
      channel: channelOf(source),
      about: source,
      topic: null,
      keywords,
      sources: [pair],
    };
  });
  const parts = [...byTopic(keywords).values()].flatMap((own) =>
    SOURCE_CHANNELS.flatMap((channel): Group[] => {
      const sources = comparable.filter(({ now }) => channelOf(now.source) === channel);
      const [topic] = own;
      if (!topic || sources.length === 0) return [];
      return [
        { subject: `topic:${topic.topicId}:${channel}`, channel, about: topic.topic, topic, keywords: own, sources },
      ];
    }),
  );
  return [...whole, ...parts];
}

/** Positions that both collects have eligible answers to, of one source. */
function askedInBoth(pair: Group["sources"][number], keywords: readonly RuleKeyword[]): number[] {
  return keywords
    .map(({ position }) => position)
    .filter((at) => (pair.now.facts.answers[at] ?? 0) > 0 && (pair.before.facts.answers[at] ?? 0) > 0);
}

function presenceChange(input: RuleInput, group: Group): Change[] {
  const now = { occurrences: 0, total: 0 };
  const then = { occurrences: 0, total: 0 };
  for (const pair of group.sources) {
    const asked = askedInBoth(pair, group.keywords);
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
    addedUp(group.sources.map((pair) => ownRanks([pair[side]], askedInBoth(pair, group.keywords), compared.ownId)));
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
    askedInBoth(pair, group.keywords).flatMap((position) => {
      const keyword = group.keywords.find((one) => one.position === position);
      const row = keyword && lossRow(input, before, { rule, group, pair, keyword });
      return row && fell(row) ? [row] : [];
    }),
  );
  const shown = strongest([...rows, ...details], (row) => (row.counted ? 1e9 : fallOf(row)));
  const asked = group.sources.flatMap((pair) => askedInBoth(pair, group.keywords));
  const rival = countCells(
    group.sources.map(({ now }) => now),
    new Set(asked),
    input.compared,
  ).rival;
  return {
    rule,
    subject: group.subject,
    channel: group.channel,
    about: group.about,
    evidence: shown,
    keywords: [...new Set(asked)],
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
  of: { rule: "presence_lost" | "rank_lost"; group: Group; pair: Group["sources"][number]; keyword?: RuleKeyword },
): Evidence {
  const { rule, group, pair, keyword } = of;
  const positions = keyword ? [keyword.position] : askedInBoth(pair, group.keywords);
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
