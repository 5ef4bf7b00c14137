import ROWS from "../../../lists/ai-crawlers.json" with { type: "json" };

/** Purpose of a crawler; only the first two affect answers. */
export const CRAWLER_TIERS = ["search", "user", "training"] as const;
export type CrawlerTier = (typeof CRAWLER_TIERS)[number];

/** A crawler of an operator of answer engines or models. */
export interface AiCrawler {
  /** Product token in robots.txt (RFC 9309, section 2.2.1). */
  token: string;
  operator: string;
  /**
   * `search` indexes pages for answers, `user` fetches a page on a user's request, `training`
   * collects text for models.
   */
  tier: CrawlerTier;
  /** Other tokens whose robots.txt groups the crawler obeys if none names its own token. */
  obeysAlso: readonly string[];
  /** False if its operator says that it may ignore robots.txt. */
  obeysRobots: boolean;
  /** Effect of blocking the crawler, as a sentence. */
  effect: string;
  /** The operator's documentation, or a list that names the crawler. */
  source: { name: string; url: string };
}

/** Crawlers covered by audits: those with documented purpose, and the largest others. */
export const AI_CRAWLERS = ROWS as readonly AiCrawler[];

/** Crawler named in a user agent; the longest matching token wins. */
export function findCrawler(userAgent: string): AiCrawler | undefined {
  const named = userAgent.toLowerCase();
  const found = AI_CRAWLERS.filter(({ token }) => named.includes(token.toLowerCase()));
  return found.toSorted((a, b) => b.token.length - a.token.length)[0];
}
