import { z } from "zod";
import { listPersonas as listPersonaRows } from "../../db/catalog/personas.ts";
import { listSchema, listQuery, textSchema, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Persona, shapePersona } from "./persona.ts";

export const listPersonas = endpoint({
  name: "listPersonas",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas",
  group: "Personas",
  summary: "List personas",
  description: "List the personas (types of customer) that prompts can be sent as. get_persona has all details of one.",
  access: { workspace: "viewer" },
  whenEmpty: "No persona is defined. create_persona creates one.",
  input: z.strictObject({
    ...workspacePath,
    text: textSchema(200).optional().describe("Part of the name or archetype."),
    ...listQuery,
  }),
  output: listSchema(Persona),
  async handle(input, { tenant }) {
    const rows = await listPersonaRows(tenant, input.text, parsePagination("personas", input));
    return toPage("personas", input, rows, { key: (row) => [row.id], row: shapePersona });
  },
});
