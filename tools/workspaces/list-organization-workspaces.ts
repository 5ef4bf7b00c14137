import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { archivedFilter, shapeWorkspace, Workspace } from "./workspace.ts";

export const listOrganizationWorkspaces = endpoint({
  name: "listOrganizationWorkspaces",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces",
  group: "Workspaces",
  summary: "List the workspaces of one organization",
  description: "The workspaces of one organization, as list_workspaces returns them. Prefer list_workspaces.",
  access: { organization: "guest" },
  whenEmpty: "You are a member of no workspace here. An owner adds members on the page /organizations.",
  input: z.strictObject({ ...organizationPath, ...archivedFilter, ...listQuery }),
  output: listSchema(Workspace),
  async handle(input, { db, caller, tenant, userId }) {
    const bounds = {
      organizationId: tenant.organizationId,
      workspaceId: caller?.reach?.workspaceId ?? null,
      includesArchived: input.include_archived,
      credentialReach: getCredentialReach(caller),
    };
    const rows = await listUserWorkspaces(db, userId, bounds, parsePagination("organization-workspaces", input));
    return toPage("organization-workspaces", input, rows, {
      key: ({ workspace }) => [workspace.id],
      row: ({ workspace }) => shapeWorkspace(workspace),
    });
  },
});
