import { z } from "zod";
import type { PromptContext } from "../../core/prompts/brand-prompt.ts";
import type { Tables } from "../schema.ts";

export function buildPromptContextColumns({ questions }: Tables) {
  return {
    kind: questions.promptKind,
    brandId: questions.askedBrandId,
    lookAlike: questions.lookAlike,
    otherBrandId: questions.otherBrandId,
    attribute: questions.attribute,
    asksProsCons: questions.asksProsCons,
  };
}

/** Undefined for a keyword. */
export function toAskedPrompt({
  kind,
  ...about
}: Omit<PromptContext, "kind"> & { kind: PromptContext["kind"] | null }): PromptContext | undefined {
  return kind === null ? undefined : { kind, ...about };
}

const ExtractionSettingsSchema = z.object({
  category: z.string().optional(),
  attributes: z.array(z.string()).optional(),
});

export function extractionSettings(settings: Record<string, unknown>): z.output<typeof ExtractionSettingsSchema> {
  return ExtractionSettingsSchema.parse(settings);
}
