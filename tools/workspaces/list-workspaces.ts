import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import { listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { archivedFilter, shapeWorkspace, Workspace } from "./workspace.ts";

export const listWorkspaces = endpoint({
  name: "listWorkspaces",
  method: "GET",
  path: "/v1/workspaces",
  group: "Workspaces",
  summary: "List workspaces",
  description:
    "Start here: list the workspaces that you can access, in all organizations. Other tools take a workspace by name or id.",
  access: "signed-in",
  whenEmpty: "You are a member of no workspace here. An owner adds members on the page /organizations.",
  input: z.strictObject({ ...archivedFilter, ...listQuery }),
  output: listSchema(Workspace),
  async handle(input, { db, caller, userId }) {
    const bounds = {
      organizationId: caller?.reach?.organizationId ?? null,
      workspaceId: caller?.reach?.workspaceId ?? null,
      includesArchived: input.include_archived,
      credentialReach: getCredentialReach(caller),
    };
    const rows = await listUserWorkspaces(db, userId, bounds, parsePagination("workspaces", input));
    return toPage("workspaces", input, rows, {
      key: ({ workspace }) => [workspace.id],
      row: ({ workspace }) => shapeWorkspace(workspace),
    });
  },
});
