import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { requireUserKey } from "../../auth/caller.ts";
import { listFavourites as listFavouriteRows } from "../../db/identity/favourites.ts";
import { FAVOURITE_KINDS } from "../../core/identity/favourites.ts";
import { listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { FavouriteSchema, shapeFavourite } from "./favourite.ts";

export const listFavourites = endpoint({
  name: "listFavourites",
  method: "GET",
  path: "/v1/me/favourites",
  group: "Members",
  summary: "List your favourites",
  description: "Lists your favourite workspaces and analyses that you can still access, in the order of marking.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ kind: z.enum(FAVOURITE_KINDS).optional(), ...listQuery }),
  output: listSchema(FavouriteSchema),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId }) {
    requireUserKey(caller, "their favourites");
    const reader = { userId, ...getCredentialReach(caller) };
    const rows = await listFavouriteRows(db, reader, input.kind, parsePagination("favourites", input));
    return toPage("favourites", input, rows, { key: (row) => [row.createdAt, row.subjectId], row: shapeFavourite });
  },
});
