import { z } from "zod";
import { insertPersona } from "../../db/catalog/personas.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Persona, personaFields, shapePersona } from "./persona.ts";

export const createPersona = endpoint({
  name: "createPersona",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas",
  status: 201,
  group: "Personas",
  summary: "Create a persona",
  logged: "Created persona {name}",
  description:
    "Create a persona, a type of customer that prompts can be sent as. Free. Only a person can change or delete it later; list_personas shows existing ones.",
  access: { workspace: "editor" },
  scope: "personas:create",
  input: z.strictObject({
    ...workspacePath,
    name: personaFields.name,
    archetype: personaFields.archetype.default(""),
    description: personaFields.description.default(""),
    demographic: personaFields.demographic.default({}),
    motivations: personaFields.motivations.default([]),
    pain_points: personaFields.pain_points.default([]),
    core_questions: personaFields.core_questions.default([]),
    language: personaFields.language.default("en"),
    country: personaFields.country.default("US"),
  }),
  output: Persona,
  errors: ["QUOTA_EXCEEDED"],
  async handle(input, { tenant, now, newId }) {
    const { name, archetype, description, demographic, motivations, language, country } = input;
    await requireQuota(tenant, "personas");
    const row = await insertPersona(tenant, {
      id: newId(),
      name,
      archetype,
      description,
      demographic,
      motivations,
      painPoints: input.pain_points,
      coreQuestions: input.core_questions,
      language,
      country,
      createdAt: now,
      updatedAt: now,
    });
    return shapePersona(row);
  },
});
