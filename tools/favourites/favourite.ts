import { z } from "zod";
import type { FavouriteRow } from "../../db/identity/favourites.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { FAVOURITE_KINDS } from "../../core/identity/favourites.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";

export const favouritePath = {
  favourite_id: Id.describe("Workspace or analysis; list_workspaces and list_analyses give it."),
};

export const Favourite = z
  .object({
    id: Id.describe("The workspace or analysis itself."),
    kind: z.enum(FAVOURITE_KINDS),
    name: z.string(),
    organization_id: Id,
    workspace_id: Id,
    created_at: InstantField.describe("When it was marked."),
  })
  .meta({ id: "Favourite" });

export function shapeFavourite(row: FavouriteRow): z.input<typeof Favourite> {
  return {
    ...toSnakeCase(row),
    id: row.subjectId,
  };
}
