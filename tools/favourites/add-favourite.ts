import { z } from "zod";
import { getCredentialReach } from "../../auth/authorise.ts";
import { requireUserKey } from "../../auth/caller.ts";
import { findFavouriteSubject, insertFavourite } from "../../db/identity/favourites.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { favouritePath } from "./favourite.ts";

export const addFavourite = endpoint({
  name: "addFavourite",
  method: "PUT",
  path: "/v1/me/favourites/:favourite_id",
  group: "Members",
  summary: "Mark a favourite",
  logged: "Marked a favourite",
  description: "Marks a workspace or an analysis as a favourite. Marking it again changes nothing.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject(favouritePath),
  output: z.object({ id: favouritePath.favourite_id, marked: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ favourite_id }, { db, caller, userId, now }) {
    requireUserKey(caller, "their favourites");
    const reader = { userId, ...getCredentialReach(caller) };
    const favourite = requireFound(await findFavouriteSubject(db, reader, favourite_id), "workspace or analysis");
    await insertFavourite(db, userId, { favourite, at: now });
    return { id: favourite_id, marked: true as const };
  },
});
