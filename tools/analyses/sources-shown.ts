import { z } from "zod";
import type { SourceAdapter, SourceAdapters } from "../../core/adapters.ts";
import { SourceField } from "../../core/fields.ts";
import { COLLECTION_METHODS, type Source } from "../../core/sources.ts";

/** How each source of a setup is asked here, as a person is told before paying. */
export const SourcesShown = z
  .array(
    z.object({
      source: SourceField,
      collection_method: z.enum(COLLECTION_METHODS).nullable(),
      real: z.boolean().describe("False: no provider is asked here."),
    }),
  )
  .describe(
    "How each source is asked here. simulated: answers are invented. null: it cannot be asked; its questions fail and cost nothing.",
  );

/** True where a provider answers. */
function isReal({ configured, collection_method: method }: SourceAdapter): boolean {
  return configured && method !== "simulated";
}

/** How each of these sources is asked here. */
export function sourcesOf(sources: readonly Source[], adapters: SourceAdapters) {
  return sources.map((source) => ({
    source,
    collection_method: adapters[source].configured ? adapters[source].collection_method : null,
    real: isReal(adapters[source]),
  }));
}

/** How a source is asked here, in words. */
export function howAsked({ configured, collection_method: method }: SourceAdapter): string {
  if (!configured) return "not configured: its questions will fail and cost nothing";
  return method === "simulated" ? "simulated: answers are invented" : method;
}
