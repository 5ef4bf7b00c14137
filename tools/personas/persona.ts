import { z } from "zod";
import type { PersonaRow } from "../../db/personas.ts";
import { Country, Id, InstantField, Language, name, text } from "../../src/core/fields.ts";

const Lines = z.array(text(500).min(1)).max(20);

/** What a caller may set of a persona (service.md section 3). */
export const personaFields = {
  name: name(200),
  archetype: text(200).default("").describe("In a few words, such as the careful buyer."),
  description: text(4000).default(""),
  demographic: z
    .record(z.string().max(50), text(200))
    .default({})
    .describe("Such as age or income, each a short text."),
  motivations: Lines.default([]),
  pain_points: Lines.default([]),
  core_questions: Lines.default([]).describe("Questions that this person asks."),
  language: Language.default("en"),
  country: Country.default("US"),
};

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
  return {
    id: row.id,
    name: row.name,
    archetype: row.archetype,
    description: row.description,
    demographic: row.demographic,
    motivations: row.motivations,
    pain_points: row.painPoints,
    core_questions: row.coreQuestions,
    language: row.language,
    country: row.country,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
