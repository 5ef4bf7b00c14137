import { z } from "zod";
import {
  decideSuggestion,
  findSuggestion,
  listAnalysesOfAnswers,
  type SuggestionRow,
} from "../../db/catalog/brand-suggestions.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { SUGGESTION_STATUSES } from "../../core/brands/brand-suggestions.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField, outsideTextSchema, removeInvisible, workspacePath } from "../../core/shared/fields.ts";
import { NAME_SIGNALS } from "../../core/brands/find-names.ts";
import type { Context } from "../endpoint.ts";

export const suggestionPath = {
  ...workspacePath,
  suggestion_id: Id.describe("Suggestion id, from list_brand_suggestions."),
};

export const BrandSuggestion = z
  .object({
    id: Id,
    text: outsideTextSchema().describe("Most common spelling in answers."),
    occurrences: z.int().describe("Stored answers that contain the name; fixed once the suggestion is decided."),
    confidence: z.number().describe("Confidence that the name is a brand, 0 to 1."),
    signals: z.array(z.enum(NAME_SIGNALS)).describe("Evidence that the name is a brand."),
    status: z.enum(SUGGESTION_STATUSES),
    brand_id: Id.nullable().describe("Brand created from the suggestion, or merged with it."),
    examples: z
      .array(z.object({ analysis_id: Id, answer_id: Id }))
      .describe("Up to three answers that contain the name."),
    first_seen_at: InstantField,
    last_seen_at: InstantField,
  })
  .meta({ id: "BrandSuggestion" });

export function shapeSuggestion(
  row: SuggestionRow,
  analyses: ReadonlyMap<string, string>,
): z.input<typeof BrandSuggestion> {
  return {
    ...toSnakeCase(row),
    text: removeInvisible(row.text),
    examples: row.examples.flatMap((answerId) => {
      const analysisId = analyses.get(answerId);
      return analysisId === undefined ? [] : [{ analysis_id: analysisId, answer_id: answerId }];
    }),
  };
}

export async function requireOpenSuggestion(tenant: Tenant, id: string): Promise<SuggestionRow> {
  const row = requireFound(await findSuggestion(tenant, id), "suggestion");
  if (row.status === "open") return row;
  throw new AppError(
    "UNPROCESSABLE",
    "This suggestion was already accepted, merged or dismissed. Undo that decision first.",
  );
}

export async function storeDecision(
  { tenant, now }: Pick<Context, "tenant" | "now">,
  row: SuggestionRow,
  decision: { status: SuggestionRow["status"]; brandId?: string; mergedAlias?: string | undefined },
): Promise<z.input<typeof BrandSuggestion>> {
  const { status, brandId = null, mergedAlias = null } = decision;
  const stored = requireFound(
    await decideSuggestion(tenant, row.id, { status, brandId, mergedAlias, updatedAt: now }),
    "suggestion",
  );
  return shapeSuggestion(stored, await listAnalysesOfAnswers(tenant, stored.examples));
}
