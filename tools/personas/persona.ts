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

const Lines = z.array(textSchema(500).min(1)).max(20);

/** Persona fields (service.md section 3). Names are not unique. */
export const personaFields = {
  name: nameSchema(200),
  archetype: textSchema(200).describe("In a few words, such as the careful buyer."),
  description: textSchema(4000),
  demographic: z.record(z.string().max(50), textSchema(200)).describe("Such as age or income, each a short text."),
  motivations: Lines.describe("What this person wants."),
  pain_points: Lines.describe("What troubles this person."),
  core_questions: Lines.describe("Questions that this person asks."),
  language: Language,
  country: Country,
};

export const personaPath = { ...workspacePath, persona_id: Id.describe("Persona; list_personas gives it.") };

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
