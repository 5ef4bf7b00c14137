import { z } from "zod";
import { requireUserKey } from "../../auth/caller.ts";
import { findUser, updateUser } from "../../db/identity/users.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { Id, nameSchema } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const updateMe = endpoint({
  name: "updateMe",
  method: "PATCH",
  path: "/v1/auth/me",
  group: "Auth",
  summary: "Change your own name",
  logged: "Changed their name to {name}",
  description: "Changes the name shown to other people.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ name: nameSchema().describe("The new name.") }),
  output: z.object({ id: Id, email: z.string(), name: z.string() }),
  errors: ["FORBIDDEN", "CONFLICT"],
  async handle({ name: wanted }, { db, caller, userId }) {
    requireUserKey(caller, "their account");
    const user = requireFound(await findUser(db, userId), "account");
    if (user.managedByOrganizationId !== null) {
      throw new AppError("CONFLICT", "Your organization manages this account. Ask its owners to change the name.");
    }
    await updateUser(db, userId, { name: wanted });
    return { id: user.id, email: user.email, name: wanted };
  },
});
