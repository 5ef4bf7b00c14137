import { setMaxListeners } from "node:events";
import type { AssetScorer } from "../../core/assets/scorer.ts";
import type { OutsideSystems } from "../../core/shared/outside-systems.ts";
import type { Partner } from "../../core/platforms/partner.ts";
import type { OpinionJudge } from "../../core/perception/merge-judged-opinions.ts";
import type { Platform, PlatformKind, Platforms } from "../../core/platforms/platforms.ts";
import type { Environment } from "../config/config.ts";
import { openCheckThread } from "../jobs/audits/check-thread.ts";
import { openPageFinder } from "../jobs/audits/find-pages.ts";
import { addBundledSite } from "./crawler/bundled-site.ts";
import { openCrawler } from "./crawler/open-crawler.ts";
import { type Fetch, boundedFetch } from "./http.ts";
import { createModelScorer } from "./judge/model-scorer.ts";
import { openOpinionJudge } from "./judge/opinion-judge.ts";
import { rulesScorer } from "./judge/rules-scorer.ts";
import { createResolver } from "./name-servers.ts";
import { createHttpPartner } from "./partner/http-partner.ts";
import { createOauthPlatform } from "./platforms/oauth-platform.ts";
import { createPublicFetch, createSecureFetch } from "./public-fetch.ts";
import { findKeywordProvider } from "./sources/keyword-tasks.ts";
import { openSources } from "./sources/open-sources.ts";
import type { Provider, Sources } from "./sources/provider.ts";
import { openTxtRecords } from "./txt-records.ts";

function openScorer(config: Environment): AssetScorer {
  const { EVALUATION_MODEL_BASE_URL: baseUrl, EVALUATION_MODEL: model } = config;
  if (baseUrl === undefined || model === undefined) return rulesScorer;
  return createModelScorer({
    baseUrl,
    model,
    apiKey: config.EVALUATION_MODEL_API_KEY,
    timeoutMs: config.EVALUATION_MODEL_TIMEOUT_SECONDS * 1000,
    backoffBaseMs: config.COLLECT_BACKOFF_SECONDS * 1000,
  });
}

function openPlatforms({ ADVERTISING_PLATFORM, SOCIAL_VIDEO_PLATFORM }: Environment): Platforms {
  const platforms = new Map<PlatformKind, Platform>();
  if (ADVERTISING_PLATFORM) platforms.set("advertising", createOauthPlatform(ADVERTISING_PLATFORM, "Advertising"));
  if (SOCIAL_VIDEO_PLATFORM) platforms.set("social_video", createOauthPlatform(SOCIAL_VIDEO_PLATFORM, "Social video"));
  return platforms;
}

function openPartner(config: Environment, signal: AbortSignal): Partner | undefined {
  const { PARTNER_BASE_URL: baseUrl, PARTNER_ATTEMPTS: maxAttempts } = config;
  if (baseUrl === undefined) return undefined;
  return createHttpPartner({ baseUrl, maxAttempts, timeoutMs: config.PARTNER_TIMEOUT_SECONDS * 1000, signal });
}

export interface OpenOutside extends OutsideSystems {
  sources: Sources;
  keywords: Provider | undefined;
  judge: OpinionJudge | undefined;
  fetchClientDocument: Fetch;
  fetchIdentityProvider: Fetch;
  /** Aborted by `close`: an aborted request says nothing about the other system. */
  closingSignal: AbortSignal;
  close(): void;
}

const DOCUMENT_BOUNDS = { timeoutMs: 10_000, limitBytes: 5 * 1024 };
const IDENTITY_BOUNDS = { timeoutMs: 10_000, limitBytes: 512 * 1024 };

export function openOutside(config: Environment, options: { fetch?: Fetch } = {}): OpenOutside {
  const guarded = createPublicFetch({ resolver: createResolver(config.DNS_SERVERS) });
  const { fetch = guarded } = options;
  const closing = new AbortController();
  // Removes the limit of listeners: every operation in progress adds one.
  setMaxListeners(0, closing.signal);
  const allowsLocalHttp = config.SSO_ALLOW_PRIVATE_ADDRESSES;
  // An internal identity provider may have its name only in the hosts file.
  const identityFetch = allowsLocalHttp ? createPublicFetch({ isAllowedAddress: () => true }) : guarded;
  const crawler = addBundledSite(openCrawler(config, closing.signal));
  // A separate thread: price estimates do not wait for crawled pages.
  const fileParser = openCheckThread();
  closing.signal.addEventListener("abort", () => void fileParser.close());
  return {
    sources: openSources(config.providers, config.chosenProviders),
    keywords: findKeywordProvider(config.providers),
    partner: openPartner(config, closing.signal),
    platforms: openPlatforms(config),
    txtRecords: openTxtRecords(config.DNS_SERVERS, closing.signal),
    scorer: openScorer(config),
    crawler,
    pageFinder: openPageFinder(crawler, { fileParser, closingSignal: closing.signal }),
    judge: openOpinionJudge(config),
    fetchClientDocument: boundedFetch({ ...DOCUMENT_BOUNDS, fetch }),
    fetchIdentityProvider: createSecureFetch(boundedFetch({ ...IDENTITY_BOUNDS, fetch: identityFetch }), {
      allowsLocalHttp,
    }),
    closingSignal: closing.signal,
    close: () => closing.abort(),
  };
}
