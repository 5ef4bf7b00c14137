import type { SourceAdapter, SourceAdapters } from "../../../core/adapters.ts";
import { SOURCES, type CollectionMethod, type Source } from "../../../core/sources.ts";
import type { ChosenProviders } from "./chosen-providers.ts";
import type { Provider, Sources } from "./provider.ts";

/** The provider of each source in this process: the one that the operator chose for it, else the first of `providers` that serves it. */
export function openSources(providers: readonly Provider[], chosen: ChosenProviders = {}): Sources {
  return bySource((source) => {
    const name = chosen[source];
    if (name === undefined) {
      const found = providers.find(({ serves }) => serves.includes(source));
      return found ?? { name: null, reason: `No provider is configured for ${source}, and simulation is off.` };
    }
    const found = providers.find((provider) => provider.name === name);
    return found ?? { name: null, reason: `SOURCE_${source} names a provider that is not configured.` };
  });
}

/** How a provider answers a source that it was opened for. */
export function methodOf({ methods }: Provider, source: Source): CollectionMethod {
  return methods[source] ?? "api";
}

/** What people are told about the sources before they pay for a question. */
export function adaptersOf(sources: Sources): SourceAdapters {
  return bySource((source): SourceAdapter => {
    const provider = sources[source];
    if (provider.name === null) {
      return {
        collection_method: "api",
        configured: false,
        usd_per_question: 0,
        most_usd_per_question: 0,
        provider: null,
      };
    }
    const { expectedUsd, mostUsd } = provider.price(source);
    const { name, title, model, limits, needs, variables } = provider;
    return {
      collection_method: methodOf(provider, source),
      configured: true,
      usd_per_question: expectedUsd,
      most_usd_per_question: mostUsd,
      provider: { name, title, model, limits, needs, variables },
    };
  });
}

function bySource<T>(valueOf: (source: Source) => T): Record<Source, T> {
  // Safe: every source is a key.
  return Object.fromEntries(SOURCES.map((source) => [source, valueOf(source)])) as Record<Source, T>;
}
