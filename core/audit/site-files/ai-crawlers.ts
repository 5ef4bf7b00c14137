import { AI_ROBOTS_TXT, OPENAI_CRAWLERS } from "../sources.ts";

/** What a crawler fetches pages for. Only the first two have a part in what answers say and cite. */
export const CRAWLER_TIERS = ["search", "user", "training"] as const;
export type CrawlerTier = (typeof CRAWLER_TIERS)[number];

/** A crawler of an operator of answer engines or models. */
export interface AiCrawler {
  /** Its product token in robots.txt (RFC 9309, section 2.2.1). */
  token: string;
  operator: string;
  /** `search` indexes pages for answers, `user` fetches a page when a person asks, `training` gathers text for models. */
  tier: CrawlerTier;
  /** Tokens whose group it obeys where robots.txt has none for its own. */
  obeysAlso?: readonly string[];
  /** False where its operator says that it may fetch pages whatever robots.txt says. */
  obeysRobots: boolean;
  /** What keeping it out of pages does. */
  effect: string;
  /** The operator's own documentation, or the list that names it where there is none. */
  source: { name: string; url: string };
}

const ANTHROPIC = {
  name: "Anthropic: how site owners can block the crawlers",
  url: "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler",
};
const PERPLEXITY = {
  name: "Perplexity: crawlers",
  url: "https://docs.perplexity.ai/docs/resources/perplexity-crawlers",
};
const GOOGLE = {
  name: "Google: common crawlers",
  url: "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers",
};
const APPLE = { name: "Apple: about Applebot", url: "https://support.apple.com/en-us/119829" };
const AMAZON = { name: "Amazon: crawlers", url: "https://developer.amazon.com/support/amazonbot" };
const META = {
  name: "Meta: web crawlers",
  url: "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers",
};
const MISTRAL = { name: "Mistral: crawlers", url: "https://docs.mistral.ai/robots" };
type Facts = Omit<AiCrawler, "tier" | "obeysRobots"> & { obeysRobots?: boolean };
const search = (facts: Facts): AiCrawler => ({ obeysRobots: true, ...facts, tier: "search" });
const user = (facts: Facts): AiCrawler => ({ obeysRobots: true, ...facts, tier: "user" });
const training = (facts: Omit<Facts, "effect"> & { effect?: string }): AiCrawler => ({
  obeysRobots: true,
  effect: "It keeps the page out of training, and costs no visibility in answers that search the web.",
  ...facts,
  tier: "training",
});

/** The crawlers that audits look at: those whose operators say what they are for, and the largest others. */
export const AI_CRAWLERS: readonly AiCrawler[] = [
  search({
    token: "Googlebot",
    operator: "Google",
    effect: "Google Search, AI Overviews and AI Mode do not show the page.",
    source: GOOGLE,
  }),
  search({
    token: "bingbot",
    operator: "Microsoft",
    effect: "Bing and Copilot do not show the page.",
    source: {
      name: "Bing: which crawlers it uses",
      url: "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
    },
  }),
  search({
    token: "OAI-SearchBot",
    operator: "OpenAI",
    effect: "ChatGPT's search answers do not show the page.",
    source: OPENAI_CRAWLERS,
  }),
  search({
    token: "Claude-SearchBot",
    operator: "Anthropic",
    effect: "Claude's search does not index the page.",
    source: ANTHROPIC,
  }),
  search({
    token: "PerplexityBot",
    operator: "Perplexity",
    effect: "Perplexity's search results do not show the page.",
    source: PERPLEXITY,
  }),
  search({
    token: "Applebot",
    operator: "Apple",
    obeysAlso: ["Googlebot"],
    effect: "Siri, Spotlight and Safari do not show the page.",
    source: APPLE,
  }),
  search({
    token: "Amzn-SearchBot",
    operator: "Amazon",
    effect: "Alexa's and Rufus's search does not show the page.",
    source: AMAZON,
  }),
  search({
    token: "meta-webindexer",
    operator: "Meta",
    effect: "Meta AI's search does not cite the page.",
    source: META,
  }),
  search({
    token: "MistralAI-Index",
    operator: "Mistral",
    effect: "Mistral's search does not index the page.",
    source: MISTRAL,
  }),
  search({
    token: "YouBot",
    operator: "You.com",
    effect: "You.com's search does not show the page.",
    source: { name: "You.com: YouBot", url: "https://docs.you.com/youbot" },
  }),
  user({
    token: "ChatGPT-User",
    operator: "OpenAI",
    obeysRobots: false,
    effect: "ChatGPT may not open the page when a person asks about it.",
    source: OPENAI_CRAWLERS,
  }),
  user({
    token: "Claude-User",
    operator: "Anthropic",
    effect: "Claude does not open the page when a person asks about it.",
    source: ANTHROPIC,
  }),
  user({
    token: "Perplexity-User",
    operator: "Perplexity",
    obeysRobots: false,
    effect: "Perplexity may not open the page when a person asks about it.",
    source: PERPLEXITY,
  }),
  user({
    token: "Amzn-User",
    operator: "Amazon",
    effect: "Alexa does not open the page when a person asks about it.",
    source: AMAZON,
  }),
  user({
    token: "meta-externalfetcher",
    operator: "Meta",
    obeysRobots: false,
    effect: "Meta AI may not open the page when a person asks about it.",
    source: META,
  }),
  user({
    token: "MistralAI-User",
    operator: "Mistral",
    effect: "Mistral's assistant does not open the page when a person asks about it.",
    source: MISTRAL,
  }),
  user({
    token: "DuckAssistBot",
    operator: "DuckDuckGo",
    effect: "DuckAssist does not read the page for its answers.",
    source: {
      name: "DuckDuckGo: DuckAssistBot",
      url: "https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot/",
    },
  }),
  training({ token: "GPTBot", operator: "OpenAI", source: OPENAI_CRAWLERS }),
  training({ token: "ClaudeBot", operator: "Anthropic", source: ANTHROPIC }),
  training({
    token: "Google-Extended",
    operator: "Google",
    effect:
      "It keeps the page out of Gemini's training and out of what Gemini's apps look up; Google Search and AI Overviews show it all the same.",
    source: GOOGLE,
  }),
  training({ token: "Applebot-Extended", operator: "Apple", source: APPLE }),
  training({ token: "Amazonbot", operator: "Amazon", source: AMAZON }),
  training({ token: "meta-externalagent", operator: "Meta", source: META }),
  training({ token: "MistralAI-Training", operator: "Mistral", source: MISTRAL }),
  training({
    token: "CCBot",
    operator: "Common Crawl",
    source: { name: "Common Crawl: CCBot", url: "https://commoncrawl.org/ccbot" },
  }),
  training({
    token: "AI2Bot",
    operator: "Ai2",
    source: { name: "Ai2: crawler", url: "https://allenai.org/crawler" },
  }),
  training({
    token: "cohere-training-data-crawler",
    operator: "Cohere",
    source: AI_ROBOTS_TXT,
  }),
  training({ token: "Bytespider", operator: "ByteDance", obeysRobots: false, source: AI_ROBOTS_TXT }),
  training({ token: "DeepSeekBot", operator: "DeepSeek", obeysRobots: false, source: AI_ROBOTS_TXT }),
];

/** The crawler that a user agent names, by its token. */
export function crawlerOf(userAgent: string): AiCrawler | undefined {
  const named = userAgent.toLowerCase();
  const found = AI_CRAWLERS.filter(({ token }) => named.includes(token.toLowerCase()));
  return found.toSorted((a, b) => b.token.length - a.token.length)[0];
}
