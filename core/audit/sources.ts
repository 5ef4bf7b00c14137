// Where the rules of checks come from.

const google = (name: string, path: string) => ({
  name: `Google Search Central: ${name}`,
  url: `https://developers.google.com/search/docs/${path}`,
});
export const GOOGLE_TITLES = google("title links", "appearance/title-link");
export const GOOGLE_SNIPPETS = google("snippets and meta descriptions", "appearance/snippet");
export const GOOGLE_IMAGES = google("image best practices", "appearance/google-images");
export const GOOGLE_DATES = google("publication dates", "appearance/publication-dates");
export const GOOGLE_CONTENT = google(
  "helpful, reliable, people-first content",
  "fundamentals/creating-helpful-content",
);
export const GOOGLE_ARTICLES = google("article structured data", "appearance/structured-data/article");
export const GOOGLE_MOBILE = google(
  "mobile-first indexing",
  "crawling-indexing/mobile/mobile-sites-mobile-first-indexing",
);
export const GOOGLE_STRUCTURED_DATA = google(
  "how structured data works",
  "appearance/structured-data/intro-structured-data",
);
export const GOOGLE_RICH_RESULTS = google(
  "structured data that Google Search supports",
  "appearance/structured-data/search-gallery",
);
export const GOOGLE_STRUCTURED_DATA_POLICIES = google(
  "general structured data guidelines",
  "appearance/structured-data/sd-policies",
);
export const SCHEMA_ORG = { name: "schema.org: full hierarchy", url: "https://schema.org/docs/full.html" };
export const BING_GUIDELINES = {
  name: "Bing Webmaster Guidelines",
  url: "https://www.bing.com/webmasters/help/webmaster-guidelines-30fba23a",
};
export const BING_ANSWERS = {
  name: "Microsoft Advertising: optimizing content for inclusion in AI search answers",
  url: "https://about.ads.microsoft.com/en/blog/post/october-2025/optimizing-your-content-for-inclusion-in-ai-search-answers",
};
export const GEO_STUDY = {
  name: "GEO: Generative Engine Optimization (Aggarwal et al., KDD 2024)",
  url: "https://arxiv.org/abs/2311.09735",
};
export const OPEN_GRAPH = { name: "The Open Graph protocol", url: "https://ogp.me/" };
const wcag = (name: string, path: string) => ({
  name: `WCAG 2.2: ${name}`,
  url: `https://www.w3.org/WAI/WCAG22/Understanding/${path}`,
});
export const WCAG_STRUCTURE = wcag("info and relationships", "info-and-relationships.html");
export const WCAG_HEADINGS = wcag("headings and labels", "headings-and-labels.html");
export const WCAG_LANGUAGE = wcag("language of page", "language-of-page.html");
export const WCAG_READING = wcag("reading level", "reading-level.html");
const html = (name: string, path: string) => ({
  name: `HTML standard: ${name}`,
  url: `https://html.spec.whatwg.org/multipage/${path}`,
});
export const HTML_TITLE = html("the title element", "semantics.html#the-title-element");
export const HTML_HEADINGS = html("headings and outlines", "sections.html#headings-and-outlines-2");
export const HTML_MAIN = html("the main element", "grouping-content.html#the-main-element");
export const HTML_LISTS = html("lists", "grouping-content.html#the-ul-element");
export const HTML_TABLES = html("tabular data", "tables.html");
export const GOOGLE_SITEMAPS = google("sitemaps", "crawling-indexing/sitemaps/build-sitemap");
export const GOOGLE_CANONICAL = google("canonical addresses", "crawling-indexing/consolidate-duplicate-urls");
export const GOOGLE_ROBOTS_META = google(
  "robots meta tags, data-nosnippet and X-Robots-Tag",
  "crawling-indexing/robots-meta-tag",
);
export const GOOGLE_AI_FEATURES = google("AI features and your website", "appearance/ai-features");
export const GOOGLE_REDIRECTS = google("redirects", "crawling-indexing/301-redirects");
export const GOOGLE_CRAWL_BUDGET = google("crawl budget", "crawling-indexing/large-site-managing-crawl-budget");
export const GOOGLE_STATUS = google("HTTP status codes", "crawling-indexing/http-network-errors");
export const GOOGLE_HTTPS = google("page experience", "appearance/page-experience");
export const BING_ANSWER_CONTROLS = {
  name: "Bing Webmaster Blog: controls of content in chat answers",
  url: "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat",
};
export const OPENAI_CRAWLERS = {
  name: "OpenAI: overview of crawlers",
  url: "https://developers.openai.com/api/docs/bots",
};
/** Names crawlers that their operators document nowhere, MIT. */
export const AI_ROBOTS_TXT = { name: "ai.robots.txt", url: "https://github.com/ai-robots-txt/ai.robots.txt" };
export const RFC_9309 = {
  name: "RFC 9309: Robots Exclusion Protocol",
  url: "https://www.rfc-editor.org/rfc/rfc9309.html",
};
export const SITEMAPS_ORG = { name: "Sitemaps protocol 0.9", url: "https://www.sitemaps.org/protocol.html" };
export const LLMS_TXT = { name: "The /llms.txt file, a proposal", url: "https://llmstxt.org/" };
export const WEB_DEV_TTFB = { name: "web.dev: time to first byte", url: "https://web.dev/articles/ttfb" };
export const AI_CRAWLER_STUDY = {
  name: "Vercel and MERJ: the rise of the AI crawler",
  url: "https://vercel.com/blog/the-rise-of-the-ai-crawler",
};
