import { z } from "zod";
import { countPersonaUses, deletePersona as deletePersonaRow, findPersona } from "../../db/catalog/personas.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { personaPath } from "./persona.ts";

export const deletePersona = endpoint({
  name: "deletePersona",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas/:persona_id",
  group: "Personas",
  summary: "Delete a persona",
  logged: "Deleted persona {persona_id}",
  description: "Deletes a persona that no prompt of an analysis uses.",
  access: { workspace: "editor" },
  input: z.strictObject(personaPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  errors: ["CONFLICT"],
  async handle({ persona_id }, { tenant }) {
    if (!(await findPersona(tenant, persona_id))) throw notFound("persona");
    const analyses = await countPersonaUses(tenant, persona_id);
    if (analyses > 0) {
      throw new AppError(
        "CONFLICT",
        `Analyses whose keywords use this persona: ${analyses}. The persona cannot be deleted; rename it to retire it.`,
      );
    }
    await deletePersonaRow(tenant, persona_id);
    return { id: persona_id, deleted: true as const };
  },
});
