import { z } from "zod";
import { buildActionCursorKey, countActionStatuses, listActions } from "../../db/actions/recommended-actions.ts";
import { Id, listSchema, listQuery, workspacePath, SortDirectionField } from "../../core/shared/fields.ts";
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
    "List what to do next to become more visible, most valuable first (score 0 to 100). Open actions unless workflow_status is set; still_observed: false lists resolved ones. get_recommended_action has the evidence; get_recommended_action_task the measured effect.",
  access: { workspace: "viewer" },
  whenEmpty:
    "No run has led to an action. Actions follow from completed runs: list_collects has the runs of an analysis.",
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
    analysis_id: Id.optional().describe("Only this analysis, from list_analyses."),
    workflow_status: z
      .enum([...WORKFLOW_STATUSES, "open"])
      .optional()
      .describe("open: new or confirmed."),
    category: z.enum(ACTION_CATEGORIES).optional().describe("Only this category."),
    channel: z.enum(ACTION_CHANNELS).optional().describe("Only this channel."),
    rule: z.enum(ACTION_RULES).optional().describe("Only this trigger."),
    still_observed: z.boolean().optional().describe("false: resolved ones."),
    sort: z
      .enum(Object.keys(ACTION_SORTS) as [ActionSort, ...ActionSort[]])
      .default("score")
      .describe("Sort by this column."),
    sort_direction: SortDirectionField.optional(),
    ...listQuery,
  }),
  output: listSchema(ActionSummary).extend({
    status_counts: z
      .object({ new: z.int(), confirmed: z.int(), dismissed: z.int() })
      .describe("Actions per workflow status, with the other filters applied."),
  }),
  async handle(input, { tenant }) {
    const { sort, sort_direction = ACTION_SORTS[sort] } = input;
    const rows = await listActions(tenant, input, {
      ...parsePagination("recommended-actions", input),
      sort,
      sort_direction,
    });
    const page = toPage("recommended-actions", input, rows, {
      key: (row) => buildActionCursorKey(row, sort),
      row: shapeSummary,
    });
    return { ...page, status_counts: await countActionStatuses(tenant, input) };
  },
});
