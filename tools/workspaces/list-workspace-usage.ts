import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { listWorkspaceUsageRows } from "../../db/catalog/workspace-usage-rows.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import { Id, InstantField, listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { startOfMonth } from "../../core/shared/time.ts";
import { endpoint } from "../endpoint.ts";
import { archivedFilter } from "./workspace.ts";

const WorkspaceUsageSchema = z
  .object({
    workspace_id: Id,
    name: z.string(),
    archived_at: InstantField.nullable().describe("Time of archiving; null if not archived."),
    brands: z.int(),
    personas: z.int(),
    analyses: z.int().describe("Analyses, except archived ones."),
    answers: z.int().describe("Collected or imported answers."),
    tags: z.int(),
    assets: z.int().describe("Assets, except archived ones."),
    content_briefs: z.int(),
    credits_spent_this_month: z.int().describe("Credits spent since the first of the month, UTC."),
    last_collect_at: InstantField.nullable().describe("Completion of the last run; null for none."),
  })
  .meta({ id: "WorkspaceUsage" });

export const listWorkspaceUsage = endpoint({
  name: "listWorkspaceUsage",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/usage",
  group: "Workspaces",
  summary: "Usage of each workspace",
  description:
    "See how much each workspace of an organization holds and uses: brands, analyses, answers, credits this month, last run (`collect`). It has no visibility metrics.",
  access: { organization: "guest" },
  whenEmpty: "You are a member of no workspace here. An owner adds members on the page /organizations.",
  input: z.strictObject({ ...organizationPath, ...archivedFilter, ...listQuery }),
  output: listSchema(WorkspaceUsageSchema),
  async handle(input, { db, caller, tenant, userId, now }) {
    const bounds = {
      organizationId: tenant.organizationId,
      workspaceId: caller?.reach?.workspaceId ?? null,
      includesArchived: input.include_archived,
      credentialReach: getCredentialReach(caller),
    };
    const rows = await listUserWorkspaces(db, userId, bounds, parsePagination("workspace-usage", input));
    const page = toPage("workspace-usage", input, rows, {
      key: ({ workspace }) => [workspace.id],
      row: ({ workspace }) => workspace.id,
    });
    // Both lists are in id order.
    const use = await listWorkspaceUsageRows(tenant, page.data, startOfMonth(now));
    return { ...page, data: use.map((row) => ({ ...toSnakeCase(row), credits_spent_this_month: row.spentCredits })) };
  },
});
