import { z } from "zod";
import { wayInOf } from "../../auth/authorise.ts";
import { refuseNarrowKey } from "../../auth/caller.ts";
import { listFavourites as listFavouriteRows } from "../../db/identity/favourites.ts";
import { FAVOURITE_KINDS } from "../../core/identity/favourites.ts";
import { listOf, listQuery } from "../../core/shared/fields.ts";
import { pageOf, readPage } from "../../core/shared/page.ts";
import { endpoint } from "../endpoint.ts";
import { Favourite, shapeFavourite } from "./favourite.ts";

export const listFavourites = endpoint({
  name: "listFavourites",
  method: "GET",
  path: "/v1/me/favourites",
  group: "Members",
  summary: "List your favourites",
  description: "Lists the workspaces and analyses that you marked and can still see, in the order of marking.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ kind: z.enum(FAVOURITE_KINDS).optional(), ...listQuery }),
  output: listOf(Favourite),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId }) {
    refuseNarrowKey(caller, "their favourites");
    const reader = { userId, ...wayInOf(caller) };
    const rows = await listFavouriteRows(db, reader, input.kind, readPage("favourites", input));
    return pageOf("favourites", input, rows, { key: (row) => [row.createdAt, row.subjectId], row: shapeFavourite });
  },
});
