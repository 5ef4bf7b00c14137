import { z } from "zod";
import type { WorkspaceRow } from "../../db/catalog/workspaces.ts";
import { Id, InstantField } from "../../core/fields.ts";

export const Workspace = z
  .object({
    id: Id,
    organization_id: Id,
    name: z.string(),
    archived_at: InstantField.nullable().describe("When it was archived; null while it is in use."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Workspace" });

/** Query of the lists of workspaces. */
export const archivedFilter = {
  include_archived: z.boolean().default(false).describe("true to see archived workspaces too."),
};

export function shapeWorkspace(row: WorkspaceRow): z.input<typeof Workspace> {
  return {
    id: row.id,
    organization_id: row.organizationId,
    name: row.name,
    archived_at: row.archivedAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
