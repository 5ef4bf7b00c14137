import type { SourceAdapter, SourceAdapters } from "../../../core/sources/adapters.ts";
import {
  JOB_SOURCES,
  findNamedMethod,
  toSource,
  type JobSource,
  type CollectionMethod,
  type Source,
} from "../../../core/sources/sources.ts";
import { toSettingName, type ChosenProviders } from "./chosen-providers.ts";
import type { Provider, Sources } from "./provider.ts";

/** Order: the provider chosen for the method, for the source, then the first that serves it. */
export function openSources(providers: readonly Provider[], chosen: ChosenProviders = {}): Sources {
  return mapAskedSources((asked) => {
    const source = toSource(asked);
    const method = findNamedMethod(asked);
    const able = providers.filter(({ methods }) => method === undefined || methods[source] === method);
    const name = chosen[asked];
    if (name !== undefined) {
      const found = able.find((provider) => provider.name === name);
      return found ?? { name: null, reason: `${toSettingName(asked)} names a provider that is not configured.` };
    }
    const usual = method === undefined ? undefined : able.find((provider) => provider.name === chosen[source]);
    const found = usual ?? able.find(({ servedSources }) => servedSources.includes(source));
    return found ?? { name: null, reason: formatNoProvider(source, method) };
  });
}

function formatNoProvider(source: Source, method: string | undefined): string {
  return method === undefined
    ? `No provider is configured for ${source}, and simulation is off.`
    : `No provider of ${source} by ${method} is configured.`;
}

export function getMethod({ methods }: Provider, source: Source): CollectionMethod {
  return methods[source] ?? "api";
}

export function describeAdapters(sources: Sources): SourceAdapters {
  return mapAskedSources((asked): SourceAdapter => {
    const source = toSource(asked);
    const provider = sources[asked];
    if (provider.name === null) {
      return {
        collection_method: "api",
        isConfigured: false,
        usd_per_question: 0,
        most_usd_per_question: 0,
        provider: null,
      };
    }
    const { expectedUsd, maxUsd } = provider.price(source);
    const { name, title, model, limits, needs, variables } = provider;
    return {
      collection_method: getMethod(provider, source),
      isConfigured: true,
      usd_per_question: expectedUsd,
      most_usd_per_question: maxUsd,
      provider: { name, title, model, limits, needs, variables },
    };
  });
}

function mapAskedSources<T>(valueOf: (asked: JobSource) => T): Record<JobSource, T> {
  // Safe: every source and method is a key.
  return Object.fromEntries(JOB_SOURCES.map((asked) => [asked, valueOf(asked)])) as Record<JobSource, T>;
}
