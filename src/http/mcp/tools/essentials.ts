export const ESSENTIALS_TOOLSET = "essentials";

/** Tool of this toolset that searches the others. */
export const FIND_TOOLS_NAME = "find_tools";

/**
 * Most needed tools in list order, each with search words that its texts lack, for clients that
 * load tools on demand.
 */
const SEARCH_HINTS: Readonly<Record<string, string>> = {
  list_workspaces: "where to begin; organizations and clients",
  list_analyses: "which analyses run, by type (geo audit), status, tag or name",
  get_analysis: "setup, schedule, when it runs next",
  list_collects: "when and how answers were collected, what it cost",
  get_project_filters: "which sources, topics, thematics and personas there are",
  list_top_brands:
    "who leads, wins, is ahead or shows up; where we stand; most visible or present, strongest, best; competitors, rivals; gained, grew, lost, better or worse than before",
  get_visibility:
    "trend, how presence developed over time, history; weakest source or assistant; who stands first, second and third for a keyword; best keywords; share of voice; what moved, was gained, lost or dropped since last month; is a change real or chance, comparable although a model changed; how sure",
  list_answers: "in how many and which answers a brand is named, mentioned or missing; what assistants say, quotes",
  get_answer: "full text of an answer",
  list_citations: "which sites, websites, domains, links, references, forums and review sites are cited as sources",
  list_recommended_actions: "how to improve, what to work on first; most important priorities, opportunities, advice",
  get_recommended_action: "why; evidence, reasons behind a recommendation",
  list_brands: "competitors, rivals, domains, aliases",
  list_keywords: "prompts and questions that are asked; search volume",
  get_credits: "budget, credits left",
  price_search_analysis: "what a new analysis would cost",
  create_search_analysis: "set up and start",
};

export const ESSENTIALS: readonly string[] = Object.keys(SEARCH_HINTS);

/**
 * Tools that duplicate others under the names of the search-metrics interface or for one
 * organization.
 */
const LISTED_LAST: ReadonlySet<string> = new Set([
  "list_organization_workspaces",
  "list_projects",
  "list_project_collects",
]);

export function listRank(name: string): number {
  const place = ESSENTIALS.indexOf(name);
  if (place !== -1) return place;
  return LISTED_LAST.has(name) ? ESSENTIALS.length + 1 : ESSENTIALS.length;
}

export function searchHint(name: string): { _meta?: { "anthropic/searchHint": string } } {
  const hint = SEARCH_HINTS[name];
  return hint === undefined ? {} : { _meta: { "anthropic/searchHint": hint } };
}
