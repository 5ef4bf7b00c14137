import { id, idOf } from "../../engine/columns.ts";
import { organizations, workspaces } from "./identity.ts";

/** Owner columns of rows in a workspace. */
export function ofWorkspace() {
  return {
    organizationId: idOf("organization_id", () => organizations.id),
    workspaceId: idOf("workspace_id", () => workspaces.id),
  };
}

/** Owner columns of rows in a workspace, or in the organization if `workspaceId` is null. */
export function ofOrganization() {
  return {
    organizationId: idOf("organization_id", () => organizations.id),
    workspaceId: id("workspace_id").references(() => workspaces.id),
  };
}
