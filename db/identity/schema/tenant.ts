import { id, idOf } from "../../engine/columns.ts";
import { organizations, workspaces } from "./identity.ts";

/** Whose a row is: the columns of everything that stands in a workspace. */
export function ofWorkspace() {
  return {
    organizationId: idOf("organization_id", () => organizations.id),
    workspaceId: idOf("workspace_id", () => workspaces.id),
  };
}

/** Whose a row is: the columns of what stands in a workspace, or in the organization itself where that is null. */
export function ofOrganization() {
  return {
    organizationId: idOf("organization_id", () => organizations.id),
    workspaceId: id("workspace_id").references(() => workspaces.id),
  };
}
