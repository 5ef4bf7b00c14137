import { z } from "zod";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, requireManagedKey, shapeApiKey } from "./api-key.ts";

export const getApiKey = endpoint({
  name: "getApiKey",
  method: "GET",
  path: "/v1/api-keys/:api_key_id",
  group: "Auth",
  summary: "Get an API key",
  description: "Returns the reach, expiry and last use of a key, never its secret.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject({ api_key_id: Id }),
  output: ApiKey,
  errors: ["FORBIDDEN", "NOT_FOUND"],
  async handle({ api_key_id }, { db, caller, now }) {
    return shapeApiKey(await requireManagedKey(caller, api_key_id, db), now);
  },
});
