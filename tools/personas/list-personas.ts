import { z } from "zod";
import { listPersonas as listPersonaRows } from "../../db/catalog/personas.ts";
import { listOf, listQuery, text, workspacePath } from "../../core/shared/fields.ts";
import { pageOf, readPage } from "../../core/shared/page.ts";
import { endpoint } from "../endpoint.ts";
import { Persona, shapePersona } from "./persona.ts";

export const listPersonas = endpoint({
  name: "listPersonas",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas",
  group: "Personas",
  summary: "List personas",
  description: "Find persona ids: the kinds of customer that a workspace has described.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...workspacePath,
    text: text(200).optional().describe("Only personas with this in their name or archetype."),
    ...listQuery,
  }),
  output: listOf(Persona),
  async handle(input, { tenant }) {
    const rows = await listPersonaRows(tenant, input.text, readPage("personas", input));
    return pageOf("personas", input, rows, { key: (row) => [row.id], row: shapePersona });
  },
});
