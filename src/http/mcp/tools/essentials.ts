/** The toolset of these tools. */
export const ESSENTIALS_TOOLSET = "essentials";

/** The tools that marketers' questions need most, in the order of the list, which begins with them. */
export const ESSENTIALS: readonly string[] = [
  "list_workspaces",
  "list_analyses",
  "get_analysis",
  "list_collects",
  "get_project_filters",
  "list_top_brands",
  "list_keywords_metrics",
  "list_answers",
  "get_answer",
  "list_citations",
  "list_recommended_actions",
  "get_recommended_action",
  "get_recommended_action_brief",
  "list_brands",
  "list_keywords",
  "list_personas",
  "get_me",
  "get_credits",
  "price_search_analysis",
  "create_search_analysis",
];

/** Where a tool comes in the list: lower is earlier. */
export function listRank(name: string): number {
  const place = ESSENTIALS.indexOf(name);
  return place === -1 ? ESSENTIALS.length : place;
}
