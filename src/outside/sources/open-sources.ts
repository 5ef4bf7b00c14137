import type { Environment } from "../../config.ts";
import type { SourceAdapters } from "../../../core/adapters.ts";
import { SOURCES, type Source } from "../../../core/sources.ts";
import type { NoProvider, ProviderLimits, Sources } from "./provider.ts";
import { openAiProvider } from "./openai.ts";
import { simulatedProvider } from "./simulated.ts";
import { readWorld } from "./world-file.ts";

/** The provider of each source in this process, from the configuration (measurement.md section 4). */
export function openSources(config: Environment): Sources {
  const simulated = config.SIMULATION ? simulatedProvider(readWorld(config.SIMULATED_WORLD)) : undefined;
  const providerOf = (source: Source) => {
    if (source === "ASSISTANT_A" && config.OPENAI_API_KEY !== undefined) {
      return openAiProvider({
        apiKey: config.OPENAI_API_KEY,
        baseUrl: config.OPENAI_BASE_URL,
        model: config.OPENAI_MODEL,
        prices: config.OPENAI_PRICES ?? null,
        limits: openAiLimits(config),
      });
    }
    return simulated ?? notConfigured(source);
  };
  // Safe: every source is a key.
  return Object.fromEntries(SOURCES.map((source) => [source, providerOf(source)])) as Record<
    Source,
    ReturnType<typeof providerOf>
  >;
}

function openAiLimits(config: Environment): ProviderLimits {
  return {
    concurrency: config.COLLECT_CONCURRENCY,
    requestsPerMinute: config.OPENAI_REQUESTS_PER_MINUTE ?? null,
    tokensPerMinute: config.OPENAI_TOKENS_PER_MINUTE ?? null,
    spendCapUsd: config.OPENAI_MONTHLY_USD ?? null,
    timeoutMs: config.OPENAI_TIMEOUT_SECONDS * 1000,
  };
}

function notConfigured(source: Source): NoProvider {
  return { name: null, reason: `No provider is configured for ${source}, and simulation is off.` };
}

/** What people are told about the sources before they pay for a question. */
export function adaptersOf(sources: Sources): SourceAdapters {
  const adapterOf = (source: Source) => {
    const provider = sources[source];
    if (provider.name === null) return { collection_method: "api" as const, configured: false, usd_per_question: 0 };
    const free = provider.method === "simulated";
    return {
      collection_method: provider.method,
      configured: true,
      usd_per_question: free ? 0 : null,
    };
  };
  // Safe: every source is a key.
  return Object.fromEntries(SOURCES.map((source) => [source, adapterOf(source)])) as SourceAdapters;
}
