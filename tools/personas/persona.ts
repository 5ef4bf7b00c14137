import { z } from "zod";
import type { PersonaRow } from "../../db/catalog/personas.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  Country,
  Id,
  InstantField,
  Language,
  nameSchema,
  textSchema,
  workspacePath,
} from "../../core/shared/fields.ts";

const TextLinesField = z.array(textSchema(500).min(1)).max(20);

/** See service.md section 3. Names are not unique. */
export const personaFields = {
  name: nameSchema(200).describe("Display name."),
  archetype: textSchema(200).describe("Short label, such as the careful buyer."),
  description: textSchema(4000).describe("Who this person is."),
  demographic: z
    .record(z.string().max(50), textSchema(200))
    .describe("Attributes such as age or income, as short texts."),
  motivations: TextLinesField.describe("Goals of this person."),
  pain_points: TextLinesField.describe("Problems of this person."),
  core_questions: TextLinesField.describe("Questions that this person asks."),
  language: Language,
  country: Country,
};

export const personaPath = { ...workspacePath, persona_id: Id.describe("Persona id, from list_personas.") };

export const Persona = z
  .object({
    id: Id,
    name: z.string(),
    archetype: z.string(),
    description: z.string(),
    demographic: z.record(z.string(), z.string()),
    motivations: z.array(z.string()),
    pain_points: z.array(z.string()),
    core_questions: z.array(z.string()),
    language: z.string(),
    country: z.string(),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Persona" });

export function shapePersona(row: PersonaRow): z.input<typeof Persona> {
  return toSnakeCase(row);
}
