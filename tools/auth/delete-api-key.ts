import { z } from "zod";
import { revokeApiKey } from "../../db/api-keys.ts";
import { notFound } from "../../src/core/errors.ts";
import { Id } from "../../src/core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { refuseNarrowKey } from "./api-key.ts";

export const deleteApiKey = endpoint({
  name: "deleteApiKey",
  method: "DELETE",
  path: "/v1/api-keys/:api_key_id",
  group: "Auth",
  summary: "Revoke an API key",
  description: "Use this to end a key at once, with its tokens and every key that was made with it.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ api_key_id: Id }),
  output: z.object({ revoked: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ api_key_id }, { db, caller, userId, now }) {
    refuseNarrowKey(caller);
    if (!(await revokeApiKey(db, userId, api_key_id, now))) throw notFound("API key");
    return { revoked: true as const };
  },
});
