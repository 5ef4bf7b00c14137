import type { z } from "zod";
import type { AppError } from "../../../core/shared/errors.ts";
import type { Analysis } from "../../../tools/analyses/analysis.ts";
import type { Collect } from "../../../tools/collects/collect.ts";
import type { getProjectFilters } from "../../../tools/metrics/get-project-filters.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { formatDay } from "../../http/pages/format-day.ts";
import { truncateName } from "./format-metrics.ts";
import { renderHiddenSortFields } from "./table-sort.ts";
import { updateQuery, type WorkspaceIds } from "./page-addresses.ts";

export type ShownAnalysis = z.output<typeof Analysis>;
export type ShownCollect = z.output<typeof Collect>;
export type Filters = Omit<z.output<typeof getProjectFilters.output>, "brands">;

export interface MetricsView {
  ids: WorkspaceIds;
  query: URLSearchParams;
  analyses: readonly ShownAnalysis[];
  analysis: ShownAnalysis;
  filters: Filters;
  /** Collects with answers, newest first. */
  measured: readonly [ShownCollect, ...ShownCollect[]];
}

export const FILTER_NAMES = ["source", "topic", "persona", "country", "stage"] as const;

export function parseMetricFilters(query: URLSearchParams) {
  const one = (name: (typeof FILTER_NAMES)[number]) => query.get(name) || undefined;
  const [source, topic, persona, country, stage] = FILTER_NAMES.map(one);
  return {
    ...(source === undefined ? {} : { sources: [source] }),
    ...(topic === undefined ? {} : { topics: [topic] }),
    ...(persona === undefined ? {} : { personas: [persona] }),
    ...(country === undefined ? {} : { countries: [country] }),
    ...(stage === undefined ? {} : { funnel_stages: [stage] }),
  };
}

/** A select of a form; `any` labels the empty option. */
export interface Choice {
  name: string;
  label: string;
  any?: string | undefined;
  options: readonly (readonly [value: string, shown: string])[];
  /** True if there are too many to list: a name is typed, and `options` label the chosen value. */
  isTyped?: boolean | undefined;
}

const collectDay = ({ collected_to: to, finished_at: at }: ShownCollect) => formatDay(to ?? at);

export type BrandChoices = Pick<Choice, "options" | "isTyped">;

export function analysisChoices({ analyses, measured }: MetricsView): [analysis: Choice, collect: Choice] {
  return [
    { name: "analysis", label: "Analysis", options: toOptions(analyses) },
    {
      name: "collect",
      label: "Run",
      any: `Latest, ${collectDay(measured[0])}`,
      options: measured.map((one) => [one.id, `${one.number}: ${collectDay(one)}`] as const),
    },
  ];
}

function toOptions(list: readonly { id: string; name: string }[]) {
  return list.map(({ id, name }) => [id, name] as const);
}

const STAGE_NAMES: Readonly<Record<Filters["funnel_stages"][number], string>> = {
  ToFu: "Top of funnel",
  MoFu: "Middle of funnel",
  BoFu: "Bottom of funnel",
};

/** Filter selects, limited to values that occur in the analysis. */
export function filterChoices(
  { source_names, topics, personas, countries, funnel_stages }: Filters,
  names: readonly (typeof FILTER_NAMES)[number][] = FILTER_NAMES,
): Choice[] {
  const all: (Choice & { name: (typeof FILTER_NAMES)[number] })[] = [
    {
      name: "source",
      label: "Source",
      any: "All",
      options: source_names.map(({ source, name }) => [source, name] as const),
    },
    { name: "topic", label: "Topic", any: "All", options: toOptions(topics) },
    { name: "persona", label: "Persona", any: "All", options: toOptions(personas) },
    { name: "country", label: "Country", any: "All", options: toOptions(countries) },
    {
      name: "stage",
      label: "Funnel stage",
      any: "All",
      options: funnel_stages.map((one) => [one, STAGE_NAMES[one]] as const),
    },
  ];
  return all.filter(({ name, options }) => names.includes(name) && options.length > 0);
}

/** The choices become the URL, which can be shared. Keeps the sort order. */
export function filterForm(
  path: string,
  query: URLSearchParams,
  choices: readonly Choice[],
  options: {
    defaults: Readonly<Record<string, string>>;
    held?: Readonly<Record<string, string>>;
    searchField?: { name: string; label: string };
  },
): Html {
  const { defaults, held = {}, searchField } = options;
  return html`<form method="get" action="${path}" class="choices">
    ${Object.entries(held).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${renderHiddenSortFields(query)}
    ${
      searchField &&
      html`<label class="field"
        >${searchField.label}
        <input type="search" name="${searchField.name}" maxlength="200" value="${query.get(searchField.name) ?? ""}" />
      </label>`
    }
    ${choices.map((choice) => renderSelect(choice, query.get(choice.name) ?? defaults[choice.name] ?? ""))}
    <button class="secondary">Apply</button>
  </form>`;
}

export const MAX_OPTIONS = 200;

function renderSelect({ name, label, any, options, isTyped = options.length > MAX_OPTIONS }: Choice, chosen: string) {
  if (any !== undefined && isTyped) {
    const typed = options.find(([value]) => value === chosen)?.[1] ?? chosen;
    return html`<label class="field"
      >${label} <input name="${name}" value="${typed}" placeholder="${any}" autocomplete="off" maxlength="200"
    /></label>`;
  }
  return html`<label class="field"
    >${label}
    <select name="${name}">
      ${any !== undefined && html`<option value="">${any}</option>`}
      ${options.map(([value, shown]) => html`<option value="${value}" ${value === chosen && html` selected`}>${truncateName(shown)}</option>`)}
    </select></label
  >`;
}

const FILTER_LABELS: Readonly<Record<string, string>> = {
  sources: "source",
  topics: "topic",
  personas: "persona",
  countries: "country",
  funnel_stages: "funnel stage",
  collect_id: "run",
  collect_ids: "run",
};

/** Shown if the URL is truncated or names deleted items. */
export function renderInvalidFiltersNotice(error: AppError, path: string, { id }: Pick<ShownAnalysis, "id">): Html {
  const names = (error.fields ?? []).map((field) => field.path.replace(/\.\d+$/, ""));
  const words = [...new Set(names)].map(
    (name) => FILTER_LABELS[name] ?? name.replace(/_ids?$/, "").replaceAll("_", " "),
  );
  return html`<div class="empty" role="alert">
    <p>
      ${words.length > 0 ? `This link has filters that do not exist: ${words.join(", ")}.` : error.message} The link may
      be cut off, or the items were deleted.
    </p>
    <a class="button secondary" href="${path}?analysis=${id}">Clear filters</a>
  </div>`;
}

export function noMatchesNotice(words: string, path: string, { analysis }: MetricsView): Html {
  return html`<div class="empty">
    <p>${words}</p>
    <a class="button secondary" href="${path}?analysis=${analysis.id}">Clear filters</a>
  </div>`;
}

/** Undefined for a single page. `name` is the cursor parameter. */
export function cursorPager(path: string, query: URLSearchParams, next: string | null, name = "cursor") {
  if (!query.has(name) && next === null) return undefined;
  return html`<p class="pager">
    ${query.has(name) && html`<a href="${path}${updateQuery(query, { [name]: undefined })}">First</a>`}
    ${next !== null && html`<a href="${path}${updateQuery(query, { [name]: next })}">Next</a>`}
  </p>`;
}
