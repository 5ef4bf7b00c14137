import type { CollectPerception } from "../../../core/metrics/facts/collect-perception.ts";
import {
  FOR,
  scoredFacts,
  scoreMoments,
  valuesIn,
  type ScoredAnswer,
} from "../../../core/metrics/facts/scored-facts.ts";
import { estimateOf, type Estimate, type Moments } from "../../../core/statistics/interval.ts";
import { KEEPS_NOTHING } from "../../../db/engine/sqlite/kept.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listPerceptionFacts } from "../../../db/metrics/perception-facts.ts";
import { idsOf } from "../selection/choose-collects.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { keyOf, listCounted, namedGroup, type OpenedPrompts, type Opinions } from "../selection/open-prompts.ts";
import { changesOfParts } from "../selection/prompt-changes.ts";
import { slicesIn, slicesOf, type PromptGroup, type PromptSlice } from "../selection/prompt-groups.ts";

// Figures of some answers, such as of those that name a brand. Of what `openPrompts` opened, read once what its answers say with
// `readOpinions`. Then give `scoreParts` a part for each row and figure: its `group`, what each answer counts for, and a `figure` that no
// other way of counting has. What a part's answers come to is kept by that name, so it must say all that `scored` depends on: the figure, and the numbers
// of the brands. Of the share that comes back, a figure of another range is made by who shows it.

/** Answers of a group, each of which counts for a value between 0 and 1, or not at all. */
export interface ScoredPart {
  group: PromptGroup;
  figure: string;
  /** At most once for each question and run, in any order. */
  scored: (said: CollectPerception) => Iterable<ScoredAnswer>;
  /** Prompts that it is of: their places in `prompts.first`. */
  prompts: readonly number[];
  /** Whether its change is judged by itself: that of the own brand as a whole is one question. */
  isAlone: boolean;
}

/** What a part comes to. */
export interface ScoredShare extends Estimate {
  /** Answers that count, and prompts that have one. */
  n: number;
  prompts: number;
  /** The sum of their values. */
  x: number;
  /** Sums of the values by prompt, and how many places in the answers they rest on. */
  moments: Moments;
  places: number;
  /** Answers that count for 1, for 0, and for something between. */
  values: { whole: number; none: number; part: number };
  /** Of the share; null where it is not judged. */
  change: ChangeRow | null;
}

/** What the answers say that are counted of some prompts: of the same kind, from the same sources, of all collects that are needed. */
export async function readOpinions({ db }: Tenant, opened: OpenedPrompts): Promise<Opinions[]> {
  return listCounted(opened, (collectId) => listPerceptionFacts(db, collectId, null));
}

/** What parts are scored with. */
export interface ScoredWith {
  opened: OpenedPrompts;
  opinions: readonly Opinions[];
  /** Changes are of a figure that is shown as `scale` times the share, by default once; null judges none. */
  scale?: number | null;
}

/** What each part comes to, in their order. Changes are judged over all of them. Kept for the next requests for the same. */
export async function scoreParts(
  tenant: Tenant,
  parts: readonly ScoredPart[],
  of: ScoredWith,
): Promise<readonly ScoredShare[]> {
  return tenant.db.kept.get(`shares ${partsKey(parts, of)}`, async () => {
    const value = await scoreEach(parts, of);
    return { value, bytes: value.length * SHARE_BYTES };
  });
}
const SHARE_BYTES = 1000;

/** Stands for all that shares and changes depend on. */
function partsKey(parts: readonly ScoredPart[], { opened, opinions, scale = 1 }: ScoredWith): string {
  const lists = new Map(parts.map(({ prompts }, at) => [prompts, at]));
  return keyOf([
    [opened.key, scale],
    opinions.map(({ collectId, source, digest }) => [collectId, source, digest]),
    [...lists.keys()],
    parts.map(({ group, figure, isAlone, prompts }) => [namedGroup(group), figure, isAlone, lists.get(prompts)]),
  ]);
}

async function scoreEach(
  parts: readonly ScoredPart[],
  { opened, opinions, scale = 1 }: ScoredWith,
): Promise<ScoredShare[]> {
  const { isJudged } = opened;
  const figures = new Map<string, PromptSlice[]>();
  const judged = [];
  for (const part of parts) {
    const slices = figures.get(part.figure) ?? (await slicesFor(part, { opened, opinions }));
    figures.set(part.figure, slices);
    judged.push({ ...part, number: FOR, slices: slicesIn(slices, part.group) });
  }
  const changes = isJudged && scale !== null ? await changesOfParts(judged, opened, { compared: "score", scale }) : [];
  return judged.map(({ group, slices, prompts }, at) => {
    const ids = idsOf(group.collects);
    const facts = slices.filter(({ collectId }) => ids.includes(collectId)).map((slice) => slice.facts);
    const moments = scoreMoments(facts, prompts);
    const { n, x, prompts: having } = moments;
    return {
      n,
      x,
      prompts: having,
      moments,
      ...estimateOf(moments, { sources: group.asking }),
      ...countValues(valuesIn(facts, prompts)),
      change: changes[at] ?? null,
    };
  });
}

/**
 * Facts by prompt of a figure, of every collect, source, country and persona. What they come to is kept, and they are not: those of eleven
 * brands in two large collects would push out all that they are made of.
 */
async function slicesFor(
  { figure, scored }: ScoredPart,
  { opened: { project, prompts }, opinions }: { opened: OpenedPrompts; opinions: readonly Opinions[] },
): Promise<PromptSlice[]> {
  const all = opinions.map(({ digest, facts, ...one }) => {
    return { ...one, digest: `${digest} ${figure}`, read: () => scoredFacts(facts, scored(facts)) };
  });
  return slicesOf(KEEPS_NOTHING, project.id, all, prompts);
}

function countValues(all: ReturnType<typeof valuesIn>): Pick<ScoredShare, "places" | "values"> {
  const counted = { places: 0, values: { whole: 0, none: 0, part: 0 } };
  for (const { value, places } of all) {
    counted.places += places;
    counted.values[value === 1 ? "whole" : value === 0 ? "none" : "part"] += 1;
  }
  return counted;
}
