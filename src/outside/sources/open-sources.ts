import type { SourceAdapter, SourceAdapters } from "../../../core/adapters.ts";
import { SOURCES, type Source } from "../../../core/sources.ts";
import type { Provider, Sources } from "./provider.ts";

/** The provider of each source in this process: the first of `providers` that serves it (measurement.md section 4). */
export function openSources(providers: readonly Provider[]): Sources {
  return bySource((source) => {
    const found = providers.find(({ serves }) => serves.includes(source));
    return found ?? { name: null, reason: `No provider is configured for ${source}, and simulation is off.` };
  });
}

/** What people are told about the sources before they pay for a question. */
export function adaptersOf(sources: Sources): SourceAdapters {
  return bySource((source): SourceAdapter => {
    const provider = sources[source];
    if (provider.name === null) return { collection_method: "api", configured: false, usd_per_question: 0 };
    return { collection_method: provider.method, configured: true, usd_per_question: provider.price };
  });
}

function bySource<T>(valueOf: (source: Source) => T): Record<Source, T> {
  // Safe: every source is a key.
  return Object.fromEntries(SOURCES.map((source) => [source, valueOf(source)])) as Record<Source, T>;
}
