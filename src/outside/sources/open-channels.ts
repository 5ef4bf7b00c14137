import type { Environment } from "../../config.ts";
import type { SourceAdapters } from "../../../core/adapters.ts";
import { SOURCES, type Source } from "../../../core/sources.ts";
import type { Channels, NoChannel, ProviderLimits } from "./channel.ts";
import { openAiChannel } from "./openai.ts";
import { simulatedChannel } from "./simulated.ts";
import { readWorld } from "./world-file.ts";

/** Who answers each source in this process, from the configuration (measurement.md section 4). */
export function openChannels(config: Environment): Channels {
  const simulated = config.SIMULATION ? simulatedChannel(readWorld(config.SIMULATED_WORLD)) : undefined;
  const channelOf = (source: Source) => {
    if (source === "ASSISTANT_A" && config.OPENAI_API_KEY !== undefined) {
      return openAiChannel({
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
  return Object.fromEntries(SOURCES.map((source) => [source, channelOf(source)])) as Record<
    Source,
    ReturnType<typeof channelOf>
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

function notConfigured(source: Source): NoChannel {
  return { provider: null, reason: `No provider is configured for ${source}, and simulation is off.` };
}

/** What people are told about the channels before they pay for a question. */
export function adaptersOf(channels: Channels): SourceAdapters {
  const adapterOf = (source: Source) => {
    const channel = channels[source];
    if (channel.provider === null) return { collection_method: "api" as const, configured: false, usd_per_question: 0 };
    const free = channel.collectionMethod === "simulated";
    return {
      collection_method: channel.collectionMethod,
      configured: true,
      usd_per_question: free ? 0 : null,
    };
  };
  // Safe: every source is a key.
  return Object.fromEntries(SOURCES.map((source) => [source, adapterOf(source)])) as SourceAdapters;
}
