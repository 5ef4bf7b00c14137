import * as c from "../../engine/columns.ts";
import { organizations, workspaces } from "./identity.ts";

/** Owner columns of rows in a workspace. */
export function workspaceColumns() {
  return {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    workspaceId: c.foreignId("workspace_id", () => workspaces.id),
  };
}

/** Owner columns of rows in a workspace, or in the organization if `workspaceId` is null. */
export function organizationColumns() {
  return {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
  };
}
