import { z } from "zod";
import { type Dimension, DIMENSIONS } from "./visibility-groups.ts";
import { FIGURE_COLUMNS, type VisibilityRow } from "../../metrics/visibility-row.ts";
import type { Families } from "../../../core/metrics/share-of-voice.ts";
import {
  analysisPath,
  FunnelStageField,
  Id,
  KeywordTypeField,
  listQuery,
  unlisted,
  SortDirectionField,
} from "../../../core/shared/fields.ts";
import { PROMPT_KINDS } from "../../../core/prompts/brand-prompt.ts";
import { nameOrId } from "../../name-or-id.ts";
import { invalidInput } from "../../../core/shared/errors.ts";
import { KEYWORD_TYPES, type CollectionMethod } from "../../../core/sources/sources.ts";
import type { BrandName } from "../../../db/analyses/projects.ts";
import type { KeywordFilter } from "../../../db/metrics/search-metrics.ts";
import { dateQuery } from "../selection/date-window.ts";
import {
  chosenTypes,
  countriesField,
  keywordFilter,
  kindQuery,
  personasField,
  sourcesField,
  topicsField,
} from "../selection/selection.ts";
import { buildSelection, type BrandSelection } from "../selection/sum-brands.ts";
import type { ChosenSeries } from "../selection/prompt-selection.ts";
import { COMPARABLE_METRICS } from "../../../core/metrics/comparable-metrics.ts";

const VISIBILITY_SORTS = [
  "presence",
  "top_3",
  "visibility",
  "share_of_voice",
  "rank",
  "answers",
  "citations",
  "change",
] as const;

export const VisibilityInput = z.strictObject({
  ...analysisPath,
  group_by: z
    .array(z.enum(["brand", ...DIMENSIONS]))
    .min(1)
    .max(2)
    .default(["brand"])
    .describe("Up to two; without brand: yours."),
  brands: z.array(nameOrId("brand")).max(1000).optional().describe("Names or ids."),
  versus: nameOrId("brand").optional().describe("Rival: adds the gap to it."),
  figure: z.enum(COMPARABLE_METRICS).default("presence").describe("Metric of verdicts and order."),
  statistics: unlisted(z.boolean().default(false).describe("Add intervals and verdicts.")),
  only: z.enum(["moved", "intervals"]).optional().describe("moved: significant or possible; intervals: all rows."),
  sort: z.enum(VISIBILITY_SORTS).optional().describe("Default: figure; runs by time."),
  sort_direction: unlisted(SortDirectionField.optional()),
  sources: sourcesField,
  collect_ids: z.array(Id).max(100).optional().describe("Runs, as one; default: latest."),
  prev_collect_ids: unlisted(z.array(Id).max(4).optional().describe("Default: the previous run.")),
  ...dateQuery,
  keywords: z.array(nameOrId("keyword")).max(1000).optional().describe("Texts or ids."),
  thematics: z.array(nameOrId("thematic")).max(1000).optional().describe("Names or ids."),
  topics: topicsField,
  personas: personasField,
  countries: countriesField,
  funnel_stages: z.array(FunnelStageField).max(100).optional().describe("From get_project_filters."),
  prompt_kinds: unlisted(z.array(z.enum(PROMPT_KINDS)).max(100).optional().describe("Prompts of brand analyses.")),
  keyword_types: z.array(KeywordTypeField).max(100).optional().describe("Brand: with your name; default: Generic."),
  ...kindQuery,
  as_published: unlisted(z.boolean().default(false).describe("Values as first published, before brands changed.")),
  ...listQuery,
});
/** Input of one read. Grouping by method reads each method separately, so `method` can be null. */
export type VisibilityInput = Omit<z.output<typeof VisibilityInput>, "method"> & {
  method?: CollectionMethod | null | undefined;
};

/** Fields of the selection; the rest describes rows. */
type VisibilityFilters = Omit<VisibilityInput, "figure" | "statistics" | "as_published" | "prev_collect_ids">;

export function buildVisibilitySelection(
  analysis: { id: string },
  input: VisibilityFilters,
  families: Families,
): BrandSelection {
  return {
    ...buildSelection(analysis.id, buildVisibilityFilter(input), input),
    isHeadline: !input.keyword_types?.length && !namesKeywords(input),
    families,
  };
}

export function buildVisibilityFilter(input: VisibilityFilters): KeywordFilter {
  const usual = namesKeywords(input) ? KEYWORD_TYPES : (["Generic"] as const);
  const lists = { ...input, topic_ids: input.topics, persona_ids: input.personas };
  return keywordFilter(lists, chosenTypes(input.keyword_types, usual));
}

/** Named keywords or prompt kinds count whatever the keyword type. */
function namesKeywords({ keywords, prompt_kinds: kinds, group_by: by }: VisibilityFilters): boolean {
  return (keywords?.length ?? 0) > 0 || (kinds?.length ?? 0) > 0 || by.includes("prompt_kind");
}

export function rejectMixtures(input: VisibilityInput, dimensions: readonly Dimension[]): void {
  if (dimensions.includes("collect") && !input.collect_ids?.length && input.prev_collect_ids?.length) {
    throw invalidInput([
      { path: "prev_collect_ids", message: "requires collect_ids, because a collect would be compared with itself" },
    ]);
  }
  const byKeywords = dimensions.some((one) => one !== "source" && one !== "collect");
  const { keywords, topics, thematics, personas, countries, funnel_stages: stages, prompt_kinds: kinds } = input;
  const lists = [keywords, topics, thematics, personas, countries, stages, kinds];
  const narrowed = lists.some((one) => (one?.length ?? 0) > 0);
  if (input.as_published && (byKeywords || narrowed || (input.sources?.length ?? 0) > 1)) {
    const message =
      "is stored by brand, source and collect only: leave out other dimensions and filters, or name one source";
    throw invalidInput([{ path: "as_published", message }]);
  }
  if (input.as_published && input.versus !== undefined) {
    throw invalidInput([{ path: "versus", message: "cannot be tested on published values: leave out as_published" }]);
  }
  if (input.as_published && input.method != null) {
    throw invalidInput([
      { path: "as_published", message: "is stored for the analysis's first method only: leave out method" },
    ]);
  }
  if (input.only !== undefined && !input.statistics) {
    throw invalidInput([{ path: "only", message: "requires statistics: true, which computes changes" }]);
  }
}

/** Rejects sorting by changes that no row has. Prompts have no verdict, but earlier values. */
export function rejectUnsortable(
  input: VisibilityInput,
  rows: { collects: ChosenSeries; dimensions: readonly Dimension[]; familyCount: number },
): void {
  if (input.sort !== "change") return;
  const isByPrompt = rows.dimensions.includes("keyword");
  const message = (isByPrompt ? null : explainMissingChange(input, rows)) ?? explainMissingRun(rows);
  if (message !== null) throw invalidInput([{ path: "sort", message }]);
}

export function explainMissingChange(
  input: VisibilityInput,
  { collects, dimensions, familyCount }: Parameters<typeof rejectUnsortable>[1],
): string | null {
  if (!input.statistics) return "requires statistics: true, which computes changes";
  if (input.only === "intervals") return "has no changes to sort by with only: intervals";
  if (input.as_published) return "has no changes to sort by: published values are not compared";
  if (input.figure === "share_of_voice" && familyCount < 2) return "needs a second brand to compare shares of voice";
  if (dimensions.includes("collect") || collects.current.length < 2) return null;
  return "has no changes to sort by: several runs are measured as one; name one run, or group by collect too";
}

function explainMissingRun({ collects, dimensions }: Parameters<typeof rejectUnsortable>[1]): string | null {
  const hasEarlier = dimensions.includes("collect") ? collects.series.length > 1 : collects.previous.length > 0;
  return hasEarlier ? null : "has no changes to sort by: there is no earlier run";
}

export function judgesChanges({ statistics, only, as_published: asPublished }: VisibilityInput): boolean {
  return statistics && only !== "intervals" && !asPublished;
}

/** Naming brands filters rows, not tests; the own brand alone is a single test. */
export function judgesAllBrands(
  input: VisibilityInput,
  { ownId, dimensions }: { ownId: string; dimensions: readonly Dimension[] },
): boolean {
  const named = new Set(input.brands);
  const isOwnAlone = named.size === 1 && named.has(ownId) && dimensions.every((one) => one === "collect");
  const judgesRows = judgesChanges(input) || input.versus !== undefined;
  return judgesRows && named.size > 0 && input.group_by.includes("brand") && !isOwnAlone;
}

export function selectRowBrands(input: VisibilityInput, brands: readonly BrandName[], ownId: string): BrandName[] {
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

const MOVED: ReadonlySet<string> = new Set(["moved", "moved_with_field", "first_sign"]);

/** Rows with a change or first sign; all rows if none of them can be judged. */
export function selectMoved(rows: readonly VisibilityRow[]): readonly VisibilityRow[] {
  const verdicts = rows.map(({ change }) => change?.verdict ?? "");
  if (!verdicts.some((verdict) => verdict === "within_noise" || MOVED.has(verdict))) return rows;
  return rows.filter((_, at) => MOVED.has(verdicts[at] ?? ""));
}

const SORT_COLUMNS = {
  ...FIGURE_COLUMNS,
  rank: "average_rank",
  answers: "answers",
} as const;

export function sortRows(
  rows: readonly VisibilityRow[],
  input: VisibilityInput,
  dimensions: readonly Dimension[],
): VisibilityRow[] {
  const sort = input.sort ?? (dimensions.includes("collect") ? undefined : input.figure);
  if (sort === undefined) return input.sort_direction === "desc" ? rows.toReversed() : [...rows];
  const figure = FIGURE_COLUMNS[input.figure];
  const change = (row: VisibilityRow) =>
    row.change?.delta ?? (row.keyword_id === undefined ? null : subtract(row[figure], row.previous));
  const value = (row: VisibilityRow) => (sort === "change" ? change(row) : row[SORT_COLUMNS[sort]]);
  const falling = (input.sort_direction ?? (sort === "rank" ? "asc" : "desc")) === "desc";
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (falling ? right - left : left - right) || 0;
  });
}

function subtract(after: number | null, before: number | null): number | null {
  return after === null || before === null ? null : after - before;
}
