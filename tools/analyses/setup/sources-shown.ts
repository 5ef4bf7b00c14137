import { z } from "zod";
import type { SourceAdapter, SourceAdapters } from "../../../core/sources/adapters.ts";
import { SourceField } from "../../../core/shared/fields.ts";
import { toSource, type JobSource, COLLECTION_METHODS, SOURCE_NAMES } from "../../../core/sources/sources.ts";

export const SourcesShown = z
  .array(
    z.object({
      source: SourceField,
      name: z.string().describe("Display name."),
      collection_method: z.enum(COLLECTION_METHODS).nullable(),
      real: z.boolean().describe("false: no provider is configured."),
    }),
  )
  .describe(
    "Collection method of each source. simulated: answers are invented. null: not available; its prompts fail and cost nothing.",
  );

export function describeSources(sources: readonly JobSource[], adapters: SourceAdapters) {
  return sources.map((asked) => ({
    source: toSource(asked),
    name: SOURCE_NAMES[toSource(asked)],
    collection_method: adapters[asked].isConfigured ? adapters[asked].collection_method : null,
    real: adapters[asked].isConfigured && adapters[asked].collection_method !== "simulated",
  }));
}

export function formatSources(sources: readonly JobSource[], adapters: SourceAdapters): string {
  return sources.map((asked) => `${SOURCE_NAMES[toSource(asked)]} (${formatMethod(adapters[asked])})`).join(", ");
}

function formatMethod({ isConfigured, collection_method: method }: SourceAdapter): string {
  if (!isConfigured) return "not configured: its questions will fail and cost nothing";
  return method === "simulated" ? "simulated: answers are invented" : method;
}
