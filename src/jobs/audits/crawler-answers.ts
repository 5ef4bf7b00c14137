import type { SiteSubject } from "../../../core/audits/check.ts";
import type { Crawler, PageOutcome } from "../../../core/audits/crawler.ts";
import { registrableDomain } from "../../../core/identity/domains.ts";
import type { Permissions } from "./robots-files.ts";

/** Search and on-demand crawlers of answer engines, from the operators' documentation. */
const CRAWLER_USER_AGENTS: Readonly<Record<string, string>> = {
  "OAI-SearchBot":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot)",
  "ChatGPT-User":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
  PerplexityBot:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
  "Perplexity-User":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
  "Claude-SearchBot":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-SearchBot/1.0; +searchbot@anthropic.com)",
  "Claude-User":
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
  Googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  bingbot: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
};

/** Responses whose sizes differ by a larger share count as different pages. */
const MAX_SIZE_DIFFERENCE = 0.3;

/**
 * Only for verified domains, because it impersonates crawlers.
 * Empty if our own request fails, which leaves no comparison.
 */
export async function askAsCrawlers(
  origin: string,
  { crawler, getPermission, signal }: { crawler: Crawler; getPermission: Permissions; signal: AbortSignal },
): Promise<NonNullable<SiteSubject["crawlerAnswers"]>> {
  const url = `${origin}/`;
  const { deniedReason, delayMs } = await getPermission(url);
  if (deniedReason !== null) return [];
  const domain = registrableDomain(origin);
  const isAllowedRedirect = async (to: string) =>
    registrableDomain(to) === domain && (await getPermission(to)).deniedReason === null;
  const own = toCrawlerResponse(await crawler.fetchPage(url, { delayMs, isAllowedRedirect, signal }));
  if (!own) return [];
  const answers = [];
  for (const [name, userAgent] of Object.entries(CRAWLER_USER_AGENTS)) {
    const answer = toCrawlerResponse(await crawler.fetchPage(url, { userAgent, delayMs, isAllowedRedirect, signal }));
    // No response at all is a temporary condition.
    if (answer) answers.push({ userAgent: name, status: answer.status, isSame: isSameResponse(own, answer) });
  }
  return answers;
}

interface CrawlerResponse {
  status: number;
  bytes: number;
}

function toCrawlerResponse(outcome: PageOutcome): CrawlerResponse | undefined {
  if (outcome.kind === "page") return outcome.page;
  return outcome.kind === "skipped" ? outcome.answer : undefined;
}

function isSameResponse(own: CrawlerResponse, other: CrawlerResponse): boolean {
  const [less, more] = [Math.min(own.bytes, other.bytes), Math.max(own.bytes, other.bytes)];
  return own.status === other.status && more - less <= MAX_SIZE_DIFFERENCE * more;
}
