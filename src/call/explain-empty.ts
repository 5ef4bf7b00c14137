import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { chooseCollects } from "../../tools/metric-reads/selection/choose-collects.ts";
import { hasDates } from "../../tools/metric-reads/selection/date-window.ts";
import { keywordFilter, keywordQuery } from "../../tools/metric-reads/selection/selection.ts";
import { findAnalysis, type AnalysisRow } from "../../db/analyses/analyses.ts";
import { listCollectNumbers } from "../../db/analyses/collects.ts";
import { listMeasuredSources } from "../../db/analyses/projects.ts";
import { listKeywordPositions, listMeasuredCollects } from "../../db/metrics/search-metrics.ts";
import { KEYWORD_TYPES, SOURCE_NAMES, type Source } from "../../core/sources/sources.ts";
import { toToolName, type AnyEndpoint, type Context } from "../../tools/endpoint.ts";

type Fields = Record<string, unknown>;

export interface EmptyRead {
  endpoint: AnyEndpoint;
  input: Fields;
  result: Fields;
  context: Context;
}

/** True for a list without rows, or an audit without a run or without an audited page. */
export function isEmpty({ data, run, pages }: Fields): boolean {
  if (Array.isArray(data)) return data.length === 0;
  return run === null || (run !== undefined && (pages as Fields | null)?.["audited"] === 0);
}

/** Reason why a result is empty, with the tool or page that helps. */
export async function explainEmpty(read: EmptyRead): Promise<string> {
  const { endpoint, input, context } = read;
  const analysisId = input["analysis_id"] ?? input["project_id"];
  const analysis = typeof analysisId === "string" ? await findAnalysis(context.tenant, analysisId) : undefined;
  const { whenEmpty } = endpoint;
  const reason =
    (analysis && (await explainDates(read, analysis))) ??
    (analysis && (await explainSelection(read, analysis))) ??
    (typeof whenEmpty === "function" ? await whenEmpty(input, context) : undefined) ??
    (await explainFilters(read)) ??
    (analysis && (await explainRuns(read, analysis))) ??
    (typeof whenEmpty === "string" ? whenEmpty : NOTHING_COUNTED);
  const { organizationId, workspaceId } = context.tenant;
  const ids: Fields = { organization_id: organizationId, workspace_id: workspaceId, analysis_id: analysisId, ...input };
  const fillPage = (page: string) =>
    context.baseUrl + page.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(ids[key])));
  return reason.replaceAll(/(?<= )\/[a-z]\S*\w/g, fillPage);
}

const NOTHING_COUNTED = "The runs have no answers that count here. list_collects shows how many prompts were answered.";

async function explainDates({ input, context: { tenant } }: EmptyRead, { id }: AnalysisRow) {
  return hasDates(input) ? ((await chooseCollects(tenant, id, input)).missing ?? undefined) : undefined;
}

/** Wrong type of analysis, sources that were not asked or showed nothing, filters without prompts. */
async function explainSelection({ endpoint, input, result, context }: EmptyRead, { id, type }: AnalysisRow) {
  const { tenant } = context;
  const { analysisTypes } = endpoint;
  if (analysisTypes && !analysisTypes.includes(type)) {
    const others = analysisTypes.join(" or a ");
    return `This analysis is a ${type}, so it has no such rows: ${TOOLS_OF_TYPE[type]}. list_analyses finds a ${others}.`;
  }
  const asked = (await listMeasuredSources(tenant, id)).map(({ source }) => source);
  if (asked.length === 0) return undefined;
  const sources = (input["sources"] ?? []) as readonly Source[];
  const { answers, not_shown: notShown } = (result["basis"] ?? {}) as { answers?: number; not_shown?: number | null };
  if (sources.length > 0 && !sources.some((source) => asked.includes(source)))
    return `No completed run of this analysis asked ${listNames(sources)}. It asked ${listNames(asked)}; get_project_filters has all filters.`;
  if (answers === 0 && (notShown ?? 0) > 0)
    return `The selected sources showed no answer, such as no AI overview (not_shown: ${notShown}). list_answers shows when.`;
  for (const [field, name] of PROMPT_FILTERS) {
    const values = input[field];
    if (!Array.isArray(values) || values.length === 0) continue;
    const positions = await listKeywordPositions(tenant.db, id, keywordFilter({ [name]: values }, KEYWORD_TYPES));
    if (positions.length === 0)
      return `No prompt of this analysis matches ${field}. get_project_filters lists the values that do.`;
  }
  return undefined;
}

const TOOLS_OF_TYPE = {
  search_analysis: "get_visibility has its results, list_keywords its prompts",
  brand_analysis: "get_brand_perception has its results, list_prompts its prompts",
  geo_audit: "get_audit has its results, list_audit_pages its pages",
} as const satisfies Record<AnalysisRow["type"], string>;

function listNames(sources: readonly Source[]): string {
  return sources.map((source) => SOURCE_NAMES[source]).join(", ");
}

const OTHER_PROMPT_FILTERS = ["keywords", "thematics", "funnel_stages", "prompt_kinds"];
/** Filters of prompts with their names in `keywordFilter`. */
const PROMPT_FILTERS = Object.entries({
  ...Object.fromEntries([...Object.keys(keywordQuery), ...OTHER_PROMPT_FILTERS].map((name) => [name, name])),
  topics: "topic_ids",
  personas: "persona_ids",
});

const NO_FILTERS = /^(?:since|until|period|limit|cursor|page_number|rows_per_page|sort\w*|statistics|wait)$/;
/** Time to search for the filter without which there are rows. */
const MAX_SEARCH_MS = 1000;

/** Finds a filter whose removal yields rows; suggests fewer filters if no single removal does. */
async function explainFilters(read: EmptyRead): Promise<string | undefined> {
  const { endpoint, input, context } = read;
  const filters = Object.keys(input).filter((name) => isFilter(endpoint, name, input));
  if (filters.length === 0) return undefined;
  const tool = toToolName(endpoint);
  const end = performance.now() + MAX_SEARCH_MS;
  // Heavy reads already run in the worker process; other reads must not start heavy ones here.
  const mayBeHeavy = (await endpoint.isHeavy?.(input, context)) ?? false;
  for (const filter of filters) {
    if (performance.now() > end) break;
    await nextTurn();
    if (!(await hasRowsWithout([filter], read, mayBeHeavy))) continue;
    const way = endpoint.toolDefaults?.[filter]?.toString() ? `with another value of ${filter}` : `without ${filter}`;
    return `No row matches ${filter}${formatValue(input[filter])}; ${way} there are rows. Call ${tool} again ${way}.`;
  }
  const all = filters.join(", ");
  if (filters.length > 1 && (await hasRowsWithout(filters, read, mayBeHeavy)))
    return `No row matches all of ${all}; without them there are rows. Call ${tool} again with fewer filters.`;
  return undefined;
}

/** Repeats booleans and enum members only, never free text of the caller. */
function formatValue(value: unknown): string {
  const values = [value].flat();
  const isClosed = values.every((one) => typeof one === "boolean" || /^[A-Za-z_]{1,30}$/.test(String(one)));
  return isClosed ? `: ${values.join(", ")}` : "";
}

function isFilter({ path, input: schema }: AnyEndpoint, name: string, input: Fields): boolean {
  if (NO_FILTERS.test(name) || path.includes(`:${name}`) || REQUIRED_IDS.has(name)) return false;
  const value = input[name];
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return false;
  return !isDeepStrictEqual(schema.shape[name].safeParse(undefined).data, value);
}

const REQUIRED_IDS = new Set(["client_id", "project_id"]);

/** Skips heavy reads unless `mayBeHeavy`; a skipped or failed read counts as no rows. */
async function hasRowsWithout(
  filters: readonly string[],
  { endpoint, input, context }: EmptyRead,
  mayBeHeavy: boolean,
): Promise<boolean> {
  const kept = Object.fromEntries(Object.entries(input).filter(([name]) => !filters.includes(name)));
  const lists = Object.fromEntries(filters.filter((name) => Array.isArray(input[name])).map((name) => [name, []]));
  const parsed = [kept, { ...kept, ...lists }]
    .map((given) => endpoint.input.safeParse(given))
    .find(({ success }) => success);
  if (!parsed?.success) return false;
  try {
    if (!mayBeHeavy && (await endpoint.isHeavy?.(parsed.data, context))) return false;
    return !isEmpty((await endpoint.handle(parsed.data, context)) as Fields);
  } catch {
    return false;
  }
}

async function explainRuns({ context: { tenant } }: EmptyRead, { id, setup }: AnalysisRow) {
  if ((await listMeasuredCollects(tenant, id)).length > 0) return undefined;
  const [latest] = await listCollectNumbers(tenant, id);
  if (!latest) return getWaitingReason(setup);
  const { number, status } = latest;
  const next = status === "failed" ? "list_collects shows its runs" : "await_collect waits for it";
  return `No run (collect) of this analysis has completed; run ${number} is ${status}. ${next}.`;
}

/** An analysis without sources has only imported answers. */
function getWaitingReason({ sources }: Fields): string {
  return Array.isArray(sources) && sources.length === 0
    ? "No answers are imported yet. A person imports them on the page /analyses/:organization_id/:workspace_id/:analysis_id/import."
    : "No run (collect) of this analysis has started. get_analysis has the time of the next one.";
}
