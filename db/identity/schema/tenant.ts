import * as c from "../../engine/columns.ts";
import { organizations, workspaces } from "./identity.ts";

export function workspaceColumns() {
  return {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    workspaceId: c.foreignId("workspace_id", () => workspaces.id),
  };
}

/** `workspaceId` is null for rows of the organization. */
export function organizationColumns() {
  return {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
  };
}
