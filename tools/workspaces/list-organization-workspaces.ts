import { z } from "zod";
import { callerReachOf } from "../../auth/authorise.ts";
import { listWorkspacesOf } from "../../db/catalog/workspaces.ts";
import { listOf, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { archivedFilter, shapeWorkspace, Workspace } from "./workspace.ts";

export const listOrganizationWorkspaces = endpoint({
  name: "listOrganizationWorkspaces",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces",
  group: "Workspaces",
  summary: "List the workspaces of one organization",
  description: "Alternative to list_workspaces for one organization.",
  access: { organization: "guest" },
  input: z.strictObject({ ...organizationPath, ...archivedFilter, ...listQuery }),
  output: listOf(Workspace),
  async handle(input, { db, caller, tenant, userId }) {
    const bounds = {
      organizationId: tenant.organizationId,
      workspaceId: caller?.reach?.workspaceId ?? null,
      includeArchived: input.include_archived,
      credentialReach: callerReachOf(caller),
    };
    const rows = await listWorkspacesOf(db, userId, bounds, parsePagination("organization-workspaces", input));
    return toPage("organization-workspaces", input, rows, {
      key: ({ workspace }) => [workspace.id],
      row: ({ workspace }) => shapeWorkspace(workspace),
    });
  },
});
