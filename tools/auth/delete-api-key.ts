import { z } from "zod";
import { revokeApiKey } from "../../db/identity/api-keys.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { isOwnKey, requireManagedKey } from "./api-key.ts";

export const deleteApiKey = endpoint({
  name: "deleteApiKey",
  method: "DELETE",
  path: "/v1/api-keys/:api_key_id",
  group: "Auth",
  summary: "Revoke an API key",
  logged: "Revoked key {api_key_id}",
  description:
    "Revokes a key at once, with its tokens and the keys created with it. Owners can revoke any key of their organization. A key can revoke itself.",
  access: "signed-in",
  recentSignIn: ({ api_key_id }, caller) => !isOwnKey(caller, api_key_id),
  notATool: "account administration",
  input: z.strictObject({ api_key_id: Id }),
  output: z.object({ revoked: z.literal(true) }),
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ api_key_id }, { db, caller, now, recordAuditTenant }) {
    const { key } = await requireManagedKey(caller, api_key_id, db);
    recordAuditTenant(key);
    if (!(await revokeApiKey(db, key.id, now))) throw notFound("API key");
    return { revoked: true as const };
  },
});
