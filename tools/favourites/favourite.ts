import { z } from "zod";
import type { FavouriteRow } from "../../db/identity/favourites.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { FAVOURITE_KINDS } from "../../core/identity/favourites.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";

export const favouritePath = {
  favourite_id: Id.describe("Workspace or analysis id, from list_workspaces or list_analyses."),
};

export const FavouriteSchema = z
  .object({
    id: Id.describe("Workspace or analysis."),
    kind: z.enum(FAVOURITE_KINDS),
    name: z.string(),
    organization_id: Id,
    workspace_id: Id,
    created_at: InstantField.describe("Time of marking."),
  })
  .meta({ id: "Favourite" });

export function shapeFavourite(row: FavouriteRow): z.input<typeof FavouriteSchema> {
  return {
    ...toSnakeCase(row),
    id: row.subjectId,
  };
}
