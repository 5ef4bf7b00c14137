import { z } from "zod";
import type { WorkspaceRow } from "../../db/catalog/workspaces.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";

export const Workspace = z
  .object({
    id: Id,
    organization_id: Id,
    name: z.string(),
    archived_at: InstantField.nullable().describe("Time of archiving; null if not archived."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Workspace" });

export const archivedFilter = {
  include_archived: z.boolean().default(false).describe("true: include archived workspaces."),
};

export function shapeWorkspace(row: WorkspaceRow): z.input<typeof Workspace> {
  return toSnakeCase(row);
}
