import { z } from "zod";
import type { SourceAdapters } from "../../core/adapters.ts";
import { SourceField } from "../../core/fields.ts";
import { COLLECTION_METHODS, type Source } from "../../core/sources.ts";

/** How each source of a setup is asked here, as a person is told before paying. */
export const SourcesShown = z
  .array(z.object({ source: SourceField, collection_method: z.enum(COLLECTION_METHODS), configured: z.boolean() }))
  .describe("How each source is asked here. simulated: invented answers, no provider is asked.");

/** How each of these sources is asked here. */
export function sourcesOf(sources: readonly Source[], adapters: SourceAdapters) {
  return sources.map((source) => ({
    source,
    collection_method: adapters[source].collection_method,
    configured: adapters[source].configured,
  }));
}
