import type { VisibilityKeyword, MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { getChannel } from "../../../core/actions/finding.ts";
import { SOURCE_NAMES, type Source } from "../../../core/sources/sources.ts";

export const DIMENSIONS = [
  "source",
  "method",
  "channel",
  "collect",
  "topic",
  "thematic",
  "keyword",
  "persona",
  "country",
  "funnel_stage",
  "prompt_kind",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const ANSWER_DIMENSIONS: ReadonlySet<Dimension> = new Set(["source", "channel", "collect"]);

export interface Group {
  names: Partial<Record<Dimension, string>>;
  keywordId: string | null;
  sources: readonly Source[] | null;
  collects: readonly MeasuredCollect[];
  keywords: readonly number[];
}

interface LabelledKeywords {
  keywords: readonly VisibilityKeyword[];
  labels: ReadonlyMap<string, string>;
  country: string;
}

/** Keywords without a value, such as a topic, are in no group. */
export function listGroups(
  dimensions: readonly Dimension[],
  whole: {
    sources: readonly Source[] | null;
    asked: readonly Source[];
    collects: readonly MeasuredCollect[];
    positions: readonly number[];
  } & LabelledKeywords,
): Group[] {
  const { sources, collects, positions } = whole;
  const all: Group = { names: {}, keywordId: null, sources, collects, keywords: positions };
  let groups = [all];
  for (const dimension of dimensions) groups = groups.flatMap((group) => splitGroup(group, dimension, whole));
  return groups;
}

function splitGroup(group: Group, dimension: Dimension, whole: Parameters<typeof listGroups>[1]): Group[] {
  const named = (name: string, part: Partial<Group>): Group => {
    return { ...group, ...part, names: { ...group.names, [dimension]: name } };
  };
  const sources = group.sources ?? whole.asked;
  if (dimension === "source") return sources.map((source) => named(SOURCE_NAMES[source], { sources: [source] }));
  if (dimension === "channel") {
    const channels = [...new Set(sources.map(getChannel))];
    return channels.map((channel) => named(channel, { sources: sources.filter((one) => getChannel(one) === channel) }));
  }
  if (dimension === "collect") {
    return group.collects.map((collect) => named(String(collect.number), { collects: [collect] }));
  }
  const parts = new Map<string, number[]>();
  const ids = new Map<string, string>();
  const own = new Set(group.keywords);
  for (const keyword of whole.keywords) {
    if (!own.has(keyword.position)) continue;
    const name = getName(keyword, dimension, whole);
    if (name === undefined) continue;
    const known = parts.get(name);
    if (known) known.push(keyword.position);
    else parts.set(name, [keyword.position]);
    ids.set(name, keyword.id);
  }
  return [...parts].map(([name, positions]) => {
    const keywordId = dimension === "keyword" ? (ids.get(name) ?? null) : group.keywordId;
    return named(name, { keywords: positions, keywordId });
  });
}

function getName(
  keyword: VisibilityKeyword,
  dimension: Dimension,
  { labels, country }: LabelledKeywords,
): string | undefined {
  const label = (id: string | null) => (id === null ? undefined : labels.get(id));
  if (dimension === "keyword") return keyword.text;
  if (dimension === "topic") return label(keyword.topicId);
  if (dimension === "thematic") return label(keyword.thematicId);
  if (dimension === "persona") return label(keyword.personaId);
  if (dimension === "country") return keyword.country ?? country;
  return (dimension === "prompt_kind" ? keyword.promptKind : keyword.funnelStage) ?? undefined;
}
