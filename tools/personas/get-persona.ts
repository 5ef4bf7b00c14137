import { z } from "zod";
import { findPersona } from "../../db/catalog/personas.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Persona, personaPath, shapePersona } from "./persona.ts";

export const getPersona = endpoint({
  name: "getPersona",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/personas/:persona_id",
  group: "Personas",
  summary: "Read a persona",
  description: "Read one persona in full: motivations, pain points and questions.",
  access: { workspace: "viewer" },
  input: z.strictObject(personaPath),
  output: Persona,
  async handle({ persona_id }, { tenant }) {
    return shapePersona(requireFound(await findPersona(tenant, persona_id), "persona"));
  },
});
