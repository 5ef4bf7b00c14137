import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { deleteFavourite } from "../../db/identity/favourites.ts";
import { notFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { favouritePath } from "./favourite.ts";

export const removeFavourite = endpoint({
  name: "removeFavourite",
  method: "DELETE",
  path: "/v1/me/favourites/:favourite_id",
  group: "Members",
  summary: "Unmark a favourite",
  logged: "Unmarked a favourite",
  description: "Removes a workspace or an analysis from your favourites.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject(favouritePath),
  output: z.object({ id: favouritePath.favourite_id, marked: z.literal(false) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ favourite_id }, { db, caller, userId }) {
    requireUserKey(caller, "their favourites");
    if (!(await deleteFavourite(db, userId, favourite_id))) throw notFound("favourite");
    return { id: favourite_id, marked: false as const };
  },
});
