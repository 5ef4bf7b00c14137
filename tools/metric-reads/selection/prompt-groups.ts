import { groupFactsByPrompt } from "../../../core/metrics/facts/group-facts-by-prompt.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { buildPromptClusters } from "../../../core/metrics/prompt-clusters.ts";
import { hashPacked } from "../../../core/metrics/packed-columns.ts";
import { SOURCE_NAMES, type Source } from "../../../core/sources/sources.ts";
import type { KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import type { ReadCache } from "../../../db/engine/sqlite/read-cache.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { countSourcesIn } from "./choose-collects.ts";
import type { SeriesCollect } from "../../../core/metrics/changes/changes.ts";

export const PROMPT_DIMENSIONS = ["source", "country", "persona", "collect"] as const;
export type PromptDimension = (typeof PROMPT_DIMENSIONS)[number];

/** Undefined fields do not filter. */
export interface PromptGroup {
  names: Partial<Record<PromptDimension, string>>;
  source?: Source;
  country?: string;
  personaId?: string;
  collects: readonly MeasuredCollect[];
  /** Number of sources with answers; intervals take it as the number of runs of each prompt. */
  sourceCount: number;
}

type PromptGroupPart = Omit<PromptGroup, "sourceCount">;

/** Questions without a persona are in no persona group. */
export function buildPromptGroups(
  dimensions: readonly PromptDimension[],
  whole: {
    sources: readonly Source[];
    counted: readonly { collectId: string; source: Source }[];
    collects: readonly MeasuredCollect[];
    questions: readonly KindQuestion[];
    labelsById: ReadonlyMap<string, string>;
  },
): PromptGroup[] {
  const { sources, counted, collects, questions, labelsById } = whole;
  const parts: Record<PromptDimension, () => ({ name: string } & Partial<PromptGroupPart>)[]> = {
    source: () => sources.map((source) => ({ name: SOURCE_NAMES[source], source })),
    country: () => listDistinct(questions.map(({ country }) => country)).map((country) => ({ name: country, country })),
    persona: () =>
      listDistinct(questions.map(({ personaId }) => personaId)).map((personaId) => {
        return { name: labelsById.get(personaId) ?? personaId, personaId };
      }),
    collect: () => collects.map((collect) => ({ name: String(collect.number), collects: [collect] })),
  };
  let groups: PromptGroupPart[] = [{ names: {}, collects }];
  for (const dimension of dimensions) {
    groups = groups.flatMap((group) =>
      parts[dimension]().map(({ name, ...part }) => {
        return { ...group, ...part, names: { ...group.names, [dimension]: name } };
      }),
    );
  }
  return groups.map((group) => {
    return { ...group, sourceCount: group.source === undefined ? countSourcesIn(counted, group.collects) : 1 };
  });
}

function listDistinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null);
}

export function rowNames<Names extends { collect?: string }>(
  group: { names: Names; collects: readonly MeasuredCollect[] },
  brand: BrandName,
  analysis: { brandId: string },
) {
  const { collect, ...names } = group.names;
  const [one] = group.collects;
  return {
    brand: brand.name,
    brand_id: brand.id,
    is_my_brand: brand.relationship === "mine" || brand.id === analysis.brandId,
    ...names,
    ...(collect === undefined || !one
      ? {}
      : { collect: one.number, collect_id: one.id, collected_to: one.collectedTo ?? one.finishedAt }),
  };
}

export interface Prompts {
  questionsByPrompt: readonly { position: number; prompt: number; slot: string; question: KindQuestion }[];
  firstQuestions: readonly KindQuestion[];
  /** Stable, because a stored question never changes. */
  key: string;
}

export function groupByPrompt(questions: readonly KindQuestion[]): Prompts {
  const clusters = buildPromptClusters(questions);
  const indexes = new Map<number, number>();
  const firstQuestions: KindQuestion[] = [];
  const questionsByPrompt = questions.map((question) => {
    const { position } = question;
    const cluster = clusters?.prompts[position] ?? position;
    const prompt = indexes.get(cluster) ?? firstQuestions.push(question) - 1;
    indexes.set(cluster, prompt);
    return { position, prompt, slot: buildSlotKey(question), question };
  });
  const places = Uint32Array.from(questionsByPrompt.flatMap(({ position, prompt }) => [position, prompt]));
  return { questionsByPrompt, firstQuestions, key: hashPacked(new Uint8Array(places.buffer)) };
}

function buildSlotKey({ country, personaId }: Pick<KindQuestion, "country" | "personaId">): string {
  return `${country ?? ""} ${personaId ?? ""}`;
}

export interface PromptSlice {
  collectId: string;
  source: Source;
  slot: string;
  facts: CollectFacts;
}

export async function sliceFacts(
  cache: ReadCache,
  analysisId: string,
  all: readonly { collectId: string; source: Source; digest: string; read: () => CollectFacts }[],
  { questionsByPrompt, key }: Prompts,
): Promise<PromptSlice[]> {
  const slices: PromptSlice[] = [];
  for (const { collectId, source, digest, read } of all) {
    const cut = await cache.get(`slices ${digest} ${analysisId} ${key}`, async () => {
      const own = groupFactsByPrompt(read(), questionsByPrompt);
      return { value: own, bytes: countBytes(own.values()) };
    });
    for (const [slot, own] of cut) slices.push({ collectId, source, slot, facts: own });
  }
  return slices;
}

function countBytes(all: Iterable<CollectFacts>): number {
  let bytes = 0;
  for (const { rowStarts, brands } of all) bytes += EMPTY_FACTS_BYTES + rowStarts.length * 8 + brands.length * 8;
  return bytes;
}
const EMPTY_FACTS_BYTES = 2000;

export function selectSlices(slices: readonly PromptSlice[], group: PromptGroup): PromptSlice[] {
  const { source } = group;
  return slices.filter((slice) => (source === undefined || slice.source === source) && isInGroup(slice.slot, group));
}

export function isInGroup(slot: string, { country, personaId }: PromptGroup): boolean {
  const [ownCountry, ownPersona] = slot.split(" ");
  return (country === undefined || ownCountry === country) && (personaId === undefined || ownPersona === personaId);
}

/** A comparison cell is a prompt at one source, country and persona. */
export function buildSeriesFromSlices(
  collects: readonly MeasuredCollect[],
  slices: readonly PromptSlice[],
): SeriesCollect[] {
  return collects.map((collect) => {
    const own = slices.filter(({ collectId }) => collectId === collect.id);
    // Comparisons need only a distinct key per cell in place of the source.
    return {
      collect,
      collectSide: { sources: new Map(own.map((one) => [`${one.source} ${one.slot}` as Source, one.facts])) },
    };
  });
}
