import { z } from "zod";
import { listApiKeys as listRows } from "../../db/api-keys.ts";
import { listOf, listQuery } from "../../src/core/fields.ts";
import { pageOf, readPage } from "../../src/core/page.ts";
import { endpoint } from "../endpoint.ts";
import { ApiKey, refuseNarrowKey, shapeApiKey } from "./api-key.ts";

export const listApiKeys = endpoint({
  name: "listApiKeys",
  method: "GET",
  path: "/v1/api-keys",
  group: "Auth",
  summary: "List your API keys",
  description: "Use this to see which keys you made, when each was last used, and which have ended.",
  access: "signed-in",
  notATool: "account administration",
  input: z.strictObject(listQuery),
  output: listOf(ApiKey),
  errors: ["FORBIDDEN"],
  async handle(input, { db, caller, userId }) {
    refuseNarrowKey(caller);
    const rows = await listRows(db, userId, readPage("api-keys", input));
    return pageOf("api-keys", input, rows, { key: (row) => [row.id], row: shapeApiKey });
  },
});
