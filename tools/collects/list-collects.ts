import { z } from "zod";
import { findAnalysis, listCollects as listCollectRows } from "../../db/analyses/analyses.ts";
import { notFound } from "../../core/shared/errors.ts";
import { analysisPath, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { unlistedDateQuery } from "../metric-reads/selection/date-window.ts";
import { Collect, shapeCollect } from "./collect.ts";

export const listCollects = endpoint({
  name: "listCollects",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects",
  group: "Analyses",
  summary: "List the runs of an analysis",
  description:
    "List the runs (`collect`) of an analysis, newest first: dates, number of answers, cost. In a run, each prompt is sent to each source. get_collect explains the failures of one run.",
  access: { workspace: "viewer" },
  input: z.strictObject({ ...analysisPath, ...unlistedDateQuery, ...listQuery }),
  output: listSchema(Collect),
  async handle(input, { tenant, now }) {
    if (!(await findAnalysis(tenant, input.analysis_id))) throw notFound("analysis");
    const { since, until } = input;
    const rows = await listCollectRows(tenant, input.analysis_id, {
      ...parsePagination("collects", input),
      since,
      until,
    });
    return toPage("collects", input, rows, { key: (row) => [row.number], row: (row) => shapeCollect(row, now) });
  },
});
