import { listCatalogEvents } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { listBrandNames, listComparedBrandIds, type BrandName } from "../../db/measuring/projects.ts";
import {
  listKeywordLabels,
  listKeywordPositions,
  listVisibilityKeywords,
  type KeywordFilter,
  type MeasuredCollect,
} from "../../db/measuring/search-metrics.ts";
import { findAnalysis } from "../../db/measuring/analyses.ts";
import { invalidInput } from "../../core/errors.ts";
import { openCounting } from "../../core/measuring/count-facts.ts";
import type { Counts, Sums } from "../../core/measuring/metrics.ts";
import { promptsIn, type KeywordMask, type Prompt, type PromptClusters } from "../../core/measuring/prompt-clusters.ts";
import { openSumming } from "../../core/measuring/sum-facts.ts";
import { placeOf } from "../../core/place.ts";
import { KEYWORD_TYPES, type Source } from "../../core/sources.ts";
import { basisOf, type CountedAnswers } from "../search-metrics/basis.ts";
import { chooseCollects, idsOf } from "../search-metrics/choose-collects.ts";
import { chosenSources, chosenTypes, familiesOf, keywordFilter, namedFilters } from "../search-metrics/selection.ts";
import { countSelected, readFacts, type BrandSelection, type CountedFacts } from "../search-metrics/sum-brands.ts";
import type { VisibilityInput } from "./get-visibility.ts";
import { readStoredFigures } from "./stored-figures.ts";
import { sumPublished } from "./published-sums.ts";
import { MOST_BEFORE, seriesTo } from "./selection-changes.ts";
import { withChanges, type Candidate, type ChosenSeries } from "./visibility-changes.ts";
import { hasMoved, ordered } from "./visibility-order.ts";
import { DIMENSIONS, groupsOf, OF_ANSWERS, type Dimension, type Group } from "./visibility-groups.ts";
import { figuresOf, rankUncertainty, uncertaintyOf, type Figure, type VisibilityRow } from "./visibility-row.ts";

const FIGURES =
  "presence_rate = occurrences / answers, 0 to 1; average_rank where present, 1 is best; visibility_score = 100 × mean of 1 / log2(1 + rank), 0 where absent; share_of_voice = weights / those of all tracked brands; ci = 95 % for prompts like these";

/** Events that one answer shows. */
const MOST_EVENTS = 50;

/** All rows that a request asks for, in their order. */
export async function readVisibility(tenant: Tenant, project: { id: string; brandId: string }, input: VisibilityInput) {
  const { db } = tenant;
  const dimensions = DIMENSIONS.filter((dimension) => input.group_by.includes(dimension));
  refuseMixtures(input, dimensions);
  const filter = visibilityFilter(input);
  const brands = await listBrandNames(tenant);
  const selection: BrandSelection = {
    projectId: project.id,
    filter,
    isHeadline: !input.keyword_types?.length && !namesKeywords(input),
    sources: chosenSources(input.sources),
    isSimulated: input.kind === "simulated" ? true : undefined,
    families: familiesOf(brands),
  };
  const collects = await chooseForRows(tenant, project.id, input);
  const shown = brandsShown(input, brands, project.brandId);
  const stored =
    input.statistics || input.as_published
      ? undefined
      : await readStoredFigures(db, selection, { ...collects, dimensions });
  const counted = stored?.whole ?? (await countSelected(db, selection, idsOf(collects.current)));
  const kind = { ...selection, isSimulated: counted.isSimulated };
  const facts = stored
    ? { counted: [], mask: null, clusters: null, answers: stored.counted }
    : await readFacts(db, kind, idsOf(collects.needed)).then((read) => ({ ...read, answers: read.counted }));
  const whole = {
    sources: selection.sources,
    asked: askedSources(facts.answers, collects.current),
    collects: collects.current,
    ...(stored
      ? NO_KEYWORDS
      : await readKeywords(tenant, { projectId: project.id, filter, mask: facts.mask, dimensions })),
  };
  const groups = groupsOf(dimensions, whole);
  const compared = new Set(await listComparedBrandIds(tenant, project));
  const only = input.group_by.includes("brand") ? undefined : new Set(shown.map(({ number }) => number));
  const sumsOf: SumsOf = input.as_published
    ? await sumPublished(db, kind, collects.current)
    : (stored?.sumsOf ??
      passesOf(facts.counted, { families: selection.families, clusters: facts.clusters, only, input }));
  const families = brands.filter(({ parentId }) => parentId === null).length;
  const named = new Set(input.brands);
  // Naming brands narrows the rows, and no family of tests.
  const isNarrowed = named.size > 0 && input.group_by.includes("brand") && input.statistics;
  const judged = isNarrowed ? brands.filter((brand) => brand.parentId === null || named.has(brand.id)) : shown;
  const candidates = groups.flatMap((group): Candidate[] => {
    const sums = sumsOf(group, group.collects);
    if (sums.total === 0) return [];
    const previous = previousOf(group, collects, (of) => sumsOf(group, of));
    return judged
      .filter((brand) => named.has(brand.id) || compared.has(brand.id) || sums.brands.has(brand.number))
      .map((brand) => {
        const row = rowOf({ group, brand, sums, previous, families, asked: whole.asked, input, project });
        return { group, brand, row };
      });
  });
  const all =
    input.statistics && !input.as_published
      ? await withChanges(tenant, candidates, {
          input,
          facts: facts.counted,
          collects,
          project,
          brands,
          dimensions,
        })
      : candidates.map(({ row }) => row);
  const rows = isNarrowed ? all.filter(({ brand_id }) => named.has(brand_id)) : all;
  const basis = await basisOf(tenant, FIGURES, collects, {
    sums: counted,
    isSimulated: counted.isSimulated,
    leftOut: counted.leftOut,
    current: counted.counted,
    previous: facts.answers.filter(({ collectId }) => idsOf(collects.previous).includes(collectId)),
    families,
    filters: namedFilters(input),
  });
  const events = dimensions.includes("collect") ? await listCatalogEvents(tenant, MOST_EVENTS) : [];
  return {
    rows: ordered(input.only === "moved" ? rows.filter(hasMoved) : rows, input, dimensions),
    events: events.map(({ version, ...event }) => ({ ...event, catalog_version: version })),
    basis,
  };
}

/** The keywords that a request narrows to. */
export function visibilityFilter(input: VisibilityInput): KeywordFilter {
  const usual = namesKeywords(input) ? KEYWORD_TYPES : (["Generic"] as const);
  const lists = { ...input, topic_ids: input.topics, persona_ids: input.personas };
  return keywordFilter(lists, chosenTypes(input.keyword_types, usual));
}

/** Who names a keyword means it, whatever its type; so does who names kinds of prompts, or asks by them. */
function namesKeywords({ keywords, prompt_kinds: kinds, group_by: by }: VisibilityInput): boolean {
  return (keywords?.length ?? 0) > 0 || (kinds?.length ?? 0) > 0 || by.includes("prompt_kind");
}

function refuseMixtures(input: VisibilityInput, dimensions: readonly Dimension[]): void {
  if (dimensions.includes("collect") && !input.collect_ids?.length && input.prev_collect_ids?.length) {
    throw invalidInput([
      { path: "prev_collect_ids", message: "needs collect_ids, or one would be compared with itself" },
    ]);
  }
  const byKeywords = dimensions.some((one) => one !== "source" && one !== "collect");
  const { keywords, topics, thematics, personas, funnel_stages: stages, prompt_kinds: kinds } = input;
  const narrowed = [keywords, topics, thematics, personas, stages, kinds].some((one) => (one?.length ?? 0) > 0);
  if (input.as_published && (byKeywords || narrowed || (input.sources?.length ?? 0) > 1)) {
    const message = "is kept by brand, source and collect: leave out other dimensions and filters, or name one source";
    throw invalidInput([{ path: "as_published", message }]);
  }
  if (input.only === "moved" && !input.statistics) {
    throw invalidInput([{ path: "only", message: "needs statistics: true, which says what moved" }]);
  }
  if (input.sort === "change" && !input.statistics) {
    throw invalidInput([{ path: "sort", message: "needs statistics: true, which says what changed" }]);
  }
}

interface Chosen extends ChosenSeries {
  /** All whose facts are read. */
  needed: MeasuredCollect[];
}

/** Where rows are collects, all of the kind of the default one are asked for. */
async function chooseForRows(tenant: Tenant, projectId: string, input: VisibilityInput): Promise<Chosen> {
  const named = { collect_ids: input.collect_ids, prev_collect_ids: input.prev_collect_ids, kind: input.kind };
  const chosen = await chooseCollects(tenant, projectId, named);
  const last = chosen.current.at(-1);
  const series = last ? seriesTo(chosen.measured, last) : [];
  const isSeries = input.group_by.includes("collect") && !input.collect_ids?.length;
  const current = isSeries ? series : chosen.current;
  // Also the previous one of each row is, where rows are collects.
  const isBeside = input.statistics || input.group_by.includes("collect");
  const before = isSeries || !isBeside ? [] : series.slice(-MOST_BEFORE);
  const needed = new Map([...before, ...current, ...chosen.previous].map((collect) => [collect.id, collect]));
  const oldestFirst = chosen.measured.filter(({ id }) => needed.has(id));
  return { ...chosen, current, series, needed: oldestFirst };
}

function askedSources(facts: readonly CountedAnswers[], current: readonly MeasuredCollect[]): Source[] {
  const ids = new Set(idsOf(current));
  return [...new Set(facts.filter(({ collectId }) => ids.has(collectId)).map(({ source }) => source))];
}

function brandsShown(input: VisibilityInput, brands: readonly BrandName[], ownId: string): BrandName[] {
  if (input.brands && input.brands.length > 0) {
    const named = new Set(input.brands);
    const found = brands.filter(({ id }) => named.has(id));
    if (!input.group_by.includes("brand") && found.length > 1) {
      throw invalidInput([{ path: "brands", message: "name one brand, or add brand to group_by" }]);
    }
    return found;
  }
  if (!input.group_by.includes("brand")) return brands.filter(({ id }) => id === ownId);
  return brands.filter(({ parentId }) => parentId === null);
}

/** Sums of a group over some collects; its counts where no intervals are asked for. */
type SumsOf = (group: Group, of: readonly MeasuredCollect[]) => Counts | Sums;

/**
 * Sums groups from packed facts. What groups of the same collects and sources are added up in is made once, however many they are, and what
 * one group was summed to serves the one whose previous collect it is.
 */
function passesOf(
  facts: readonly CountedFacts[],
  of: {
    families: Uint8Array;
    clusters: PromptClusters;
    only: ReadonlySet<number> | undefined;
    input: VisibilityInput;
  },
): SumsOf {
  const { families, clusters, only, input } = of;
  const begin = input.statistics ? openSummingAll : openCounting;
  const open = new Map<string, { pass: ReturnType<typeof begin>; taken: Map<readonly number[], Counts> }>();
  return ({ sources, keywords }, collects) => {
    const ids = new Set(idsOf(collects));
    const key = JSON.stringify([[...ids], sources]);
    let opened = open.get(key);
    if (!opened) {
      const isAmong = ({ collectId, source }: CountedFacts) =>
        ids.has(collectId) && (sources === null || sources.includes(source));
      const all = facts.filter(isAmong).map((one) => one.facts);
      open.set(key, (opened = { pass: begin(all, families), taken: new Map() }));
    }
    const { pass, taken } = opened;
    const known = taken.get(keywords);
    if (known) return known;
    pass.add(promptsIn(keywords, clusters));
    const sums = pass.take(only);
    taken.set(keywords, sums);
    return sums;
  };
}

function openSummingAll(...of: Parameters<typeof openSumming>) {
  const { add, take } = openSumming(...of);
  return { add: (prompts: readonly Prompt[]) => prompts.forEach(add), take };
}

const NO_KEYWORDS = { positions: [], keywords: [], labels: new Map<string, string>(), country: "" };

/** The keywords of a selection, with what rows by them are called. */
async function readKeywords(
  tenant: Tenant,
  of: { projectId: string; filter: KeywordFilter; mask: KeywordMask; dimensions: readonly Dimension[] },
) {
  const { projectId, filter, mask, dimensions } = of;
  const isCounted = (position: number) => mask === null || mask[position] === 1;
  if (dimensions.every((one) => OF_ANSWERS.has(one))) {
    return { ...NO_KEYWORDS, positions: (await listKeywordPositions(tenant.db, projectId, filter)).filter(isCounted) };
  }
  const keywords = await listVisibilityKeywords(tenant.db, projectId, filter);
  const counted = keywords.filter(({ position }) => isCounted(position));
  return {
    positions: counted.map(({ position }) => position),
    keywords: counted,
    labels: await listKeywordLabels(tenant, projectId),
    country: placeOf((await findAnalysis(tenant, projectId))?.setup ?? {}).country,
  };
}

/** The plain sums of the collect before; of a row that is a collect, the one before that. */
function previousOf(
  group: Group,
  { series, previous, current }: Chosen,
  sumOf: (of: readonly MeasuredCollect[]) => Counts,
) {
  const [own] = group.collects;
  const isOne = group.names.collect !== undefined && own !== undefined;
  const before = isOne ? series[series.findIndex(({ id }) => id === own.id) - 1] : undefined;
  const of = isOne ? (before ? [before] : []) : previous;
  return of.length === 0 || current.length === 0 ? undefined : sumOf(of);
}

function rowOf(of: {
  group: Group;
  brand: BrandName;
  sums: Counts | Sums;
  previous: Counts | undefined;
  families: number;
  asked: readonly Source[];
  input: VisibilityInput;
  project: { brandId: string };
}): VisibilityRow {
  const { group, brand, sums, previous, families, asked, input, project } = of;
  const own = sums.brands.get(brand.number);
  const sources = group.sources?.length ?? asked.length;
  const before =
    previous && previous.total > 0 ? figuresOf(previous, previous.brands.get(brand.number), families) : null;
  const { collect, ...names } = group.names;
  const [one] = group.collects;
  return {
    brand: brand.name,
    brand_id: brand.id,
    is_my_brand: brand.relationship === "mine" || brand.id === project.brandId,
    ...names,
    ...(group.keywordId === null ? {} : { keyword_id: group.keywordId }),
    ...(collect === undefined || !one
      ? {}
      : { collect: one.number, collect_id: one.id, collected_to: one.collectedTo ?? one.finishedAt }),
    ...figuresOf(sums, own, families),
    previous: before?.presence_rate ?? null,
    ...(input.statistics && "nn" in sums ? intervalsOf(sums, { brand, figure: input.figure, sources }) : {}),
  };
}

function intervalsOf(sums: Sums, of: { brand: BrandName; figure: Figure; sources: number }) {
  const own = sums.brands.get(of.brand.number);
  return { ...uncertaintyOf(sums, own, of.figure, of.sources), ...rankUncertainty(own) };
}
