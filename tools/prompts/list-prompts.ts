import { z } from "zod";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { listPromptRows } from "../../db/analyses/prompts.ts";
import { findSetup } from "../../db/analyses/setups.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { analysisPath, Country, Id, listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { PROMPT_KINDS } from "../../core/prompts/brand-prompt.ts";
import { endpoint } from "../endpoint.ts";
import { listAnsweredPositions } from "../metric-reads/selection/answered-positions.ts";
import { unlistedDateQuery } from "../metric-reads/selection/date-window.ts";
import { nameOrId } from "../name-or-id.ts";

const labelField = z.string().nullable();
const PromptSchema = z
  .object({
    id: Id.describe("Prompt id; other tools accept it as keyword."),
    kind: z.enum(PROMPT_KINDS).nullable().describe("Null in a search analysis."),
    text: z.string(),
    country: Country.nullable(),
    persona_id: Id.nullable(),
    persona: labelField.describe("Persona of the prompt; null without personas in the setup."),
    brand_id: Id.nullable(),
    brand: labelField.describe("Brand of the prompt; your brand for a comparison."),
    other_brand_id: Id.nullable(),
    other_brand: labelField.describe("Rival compared with your brand."),
    look_alike: labelField.describe("Invented name used instead of the brand, as a control."),
    attribute: labelField,
    asks_pros_cons: z.boolean(),
    tag: labelField,
    template: labelField.describe("Template and version; null for a custom prompt."),
  })
  .meta({ id: "Prompt" });

export const listPrompts = endpoint({
  name: "listPrompts",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/prompts",
  group: "Analyses",
  summary: "List prompts by kind, country and persona",
  description:
    "List the prompts of a brand analysis by kind, country and persona, with the brands that they name. For a search analysis, topics and search volumes use list_keywords.",
  access: { workspace: "viewer" },
  whenEmpty: "This analysis has no prompts yet. get_analysis shows its setup.",
  analysisTypes: PROMPTING_TYPES,
  input: z.strictObject({
    ...analysisPath,
    kinds: z.array(z.enum(PROMPT_KINDS)).min(1).max(100).optional().describe("Only these kinds."),
    country: Country.optional().describe("Only this country."),
    persona_id: nameOrId("persona").optional().describe("Only this persona: name, or id from list_personas."),
    ...unlistedDateQuery,
    ...listQuery,
  }),
  toolColumns: ["id", "kind", "text", "country", "persona", "brand", "other_brand", "attribute", "tag"],
  output: listSchema(PromptSchema),
  async handle(input, { tenant }) {
    const analysis = requireFound(await findAnalysis(tenant, input.analysis_id), "analysis");
    const setup = analysis.type === "brand_analysis" ? (await findSetup(tenant, analysis)).positions : null;
    const positions = (await listAnsweredPositions(tenant, analysis.id, input)) ?? setup;
    const filter = { positions, kinds: input.kinds, country: input.country, personaId: input.persona_id };
    const page = parsePagination("prompts", input);
    // Pages of an audit are stored as questions.
    const rows = analysis.type === "geo_audit" ? [] : await listPromptRows(tenant, analysis.id, filter, page);
    return toPage("prompts", input, rows, {
      key: ({ question }) => [question.position],
      row: ({ question, brand, other, persona }) => ({
        ...toSnakeCase(question),
        kind: question.promptKind,
        country: parseLocation(analysis.setup, question.country).country,
        persona,
        brand_id: question.askedBrandId,
        brand,
        other_brand: other,
      }),
    });
  },
});
