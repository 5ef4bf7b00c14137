import { z } from "zod";
import { listCollects } from "../../db/analyses/analyses.ts";
import { listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { Collect, shapeCollect } from "../collects/collect.ts";
import { endpoint } from "../endpoint.ts";
import { unlistedDateQuery } from "../metric-reads/selection/date-window.ts";
import { projectQuery } from "../metric-reads/selection/selection.ts";

export const listProjectCollects = endpoint({
  name: "listProjectCollects",
  method: "GET",
  path: "/api/v1/projects/:project_id/collects",
  group: "Search Metrics",
  summary: "List the runs of a project",
  description:
    "The runs (`collect`) of an analysis that have metrics, for clients of the search-metrics interface. Prefer list_collects.",
  access: { project: "viewer" },
  input: z.strictObject({ ...projectQuery, ...unlistedDateQuery, ...listQuery }),
  output: listSchema(Collect),
  async handle(input, { tenant, now }) {
    const { since, until } = input;
    const rows = await listCollects(tenant, input.project_id, {
      ...parsePagination("project-collects", input),
      since,
      until,
    });
    return toPage("project-collects", input, rows, {
      key: (row) => [row.number],
      row: (row) => shapeCollect(row, now),
    });
  },
});
