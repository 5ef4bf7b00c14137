import { z } from "zod";
import { updatePersona as updatePersonaRow } from "../../db/catalog/personas.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Persona, personaFields, personaPath, shapePersona } from "./persona.ts";

export const updatePersona = endpoint({
  name: "updatePersona",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas/:persona_id",
  group: "Personas",
  summary: "Change a persona",
  logged: "Changed persona {persona_id}",
  description: "Changes a persona; omitted fields stay as they are. Existing answers keep the persona as it was.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...personaPath, ...z.object(personaFields).partial().shape }),
  output: Persona,
  async handle(input, { tenant, now }) {
    const { name, archetype, description, demographic, motivations, language, country } = input;
    const row = requireFound(
      await updatePersonaRow(tenant, input.persona_id, {
        name,
        archetype,
        description,
        demographic,
        motivations,
        painPoints: input.pain_points,
        coreQuestions: input.core_questions,
        language,
        country,
        updatedAt: now,
      }),
      "persona",
    );
    return shapePersona(row);
  },
});
