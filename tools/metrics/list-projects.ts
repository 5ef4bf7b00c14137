import { z } from "zod";
import { listVisibleProjects } from "../../db/analyses/projects.ts";
import { ANALYSIS_STATUSES } from "../../core/analyses/analysis.ts";
import { Id, InstantField, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { projectQuery } from "../metric-reads/selection/selection.ts";

const ProjectSchema = z
  .object({
    id: Id.describe("project_id of the search metrics: the id of a search or brand analysis."),
    client_id: Id.describe("Organization."),
    workspace_id: Id,
    name: z.string(),
    status: z.enum(ANALYSIS_STATUSES),
    brand: z.object({ id: Id, name: z.string() }).describe("Your brand."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Project" });

export const listProjects = endpoint({
  name: "listProjects",
  method: "GET",
  path: "/api/v1/projects",
  group: "Search Metrics",
  summary: "List projects",
  description:
    "The analyses (`project`) of an organization, for clients of the search-metrics interface. Prefer list_analyses.",
  access: { organization: "guest" },
  whenEmpty:
    "No workspace of yours has a search or brand analysis. price_search_analysis and price_brand_analysis price a new one.",
  input: z.strictObject({ client_id: projectQuery.client_id, ...listQuery }),
  output: listSchema(ProjectSchema),
  async handle(input, { tenant, caller, userId }) {
    const reader = { userId, workspaceId: caller?.reach?.workspaceId ?? null };
    const rows = await listVisibleProjects(tenant, reader, parsePagination("projects", input));
    return toPage("projects", input, rows, {
      key: ({ analysis }) => [analysis.id],
      row: ({ analysis, brand }) => ({
        ...toSnakeCase(analysis),
        client_id: analysis.organizationId,
        brand,
      }),
    });
  },
});
