import { z } from "zod";
import { actionCursorKey, countActionStatuses, listActions } from "../../db/actions/recommended-actions.ts";
import { Id, listOf, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import {
  ACTION_CATEGORIES,
  ACTION_CHANNELS,
  ACTION_RULES,
  ACTION_SORTS,
  WORKFLOW_STATUSES,
  type ActionSort,
} from "../../core/actions/action.ts";
import { endpoint } from "../endpoint.ts";
import { ActionSummary, shapeSummary } from "./action.ts";

export const listRecommendedActions = endpoint({
  name: "listRecommendedActions",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions",
  group: "Recommended Actions",
  summary: "List recommended actions",
  description:
    "What to do next, most valuable first (score 0 to 100). Tools: open ones unless workflow_status; still_observed: false shows what resolved. get_recommended_action shows the evidence.",
  access: { workspace: "viewer" },
  page: "/actions?workspace=:workspace_id",
  toolDefaults: { workflow_status: "open", still_observed: true },
  toolColumns: [
    "id",
    "action_label",
    "channel",
    "score",
    "impact",
    "effort",
    "timeline",
    "workflow_status",
    "evidence_count",
  ],
  input: z.strictObject({
    ...workspacePath,
    analysis_id: Id.optional().describe("Only of this analysis; list_analyses gives it."),
    workflow_status: z
      .enum([...WORKFLOW_STATUSES, "open"])
      .optional()
      .describe("open: new or confirmed."),
    category: z.enum(ACTION_CATEGORIES).optional().describe("Only of this kind."),
    channel: z.enum(ACTION_CHANNELS).optional().describe("Only there."),
    rule: z.enum(ACTION_RULES).optional().describe("What triggered it."),
    still_observed: z.boolean().optional().describe("false: what resolved."),
    sort: z.enum(Object.keys(ACTION_SORTS) as [ActionSort, ...ActionSort[]]).default("score"),
    sort_direction: z.enum(["asc", "desc"]).optional(),
    ...listQuery,
  }),
  output: listOf(ActionSummary).extend({
    status_counts: z
      .object({ new: z.int(), confirmed: z.int(), dismissed: z.int() })
      .describe("Actions in each state, with the other filters."),
  }),
  async handle(input, { tenant }) {
    const { sort, sort_direction = ACTION_SORTS[sort] } = input;
    const rows = await listActions(tenant, input, {
      ...parsePagination("recommended-actions", input),
      sort,
      sort_direction,
    });
    const page = toPage("recommended-actions", input, rows, {
      key: (row) => actionCursorKey(row, sort),
      row: shapeSummary,
    });
    return { ...page, status_counts: await countActionStatuses(tenant, input) };
  },
});
