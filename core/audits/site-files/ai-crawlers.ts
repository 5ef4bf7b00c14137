import ROWS from "../../../lists/ai-crawlers.json" with { type: "json" };

/** Only the first two affect answers. */
export const CRAWLER_TIERS = ["search", "user", "training"] as const;
export type CrawlerTier = (typeof CRAWLER_TIERS)[number];

export interface AiCrawler {
  /** Product token in robots.txt (RFC 9309, section 2.2.1). */
  token: string;
  operator: string;
  /** `search` indexes pages, `user` fetches on a user's request, `training` collects text. */
  tier: CrawlerTier;
  /** Tokens whose groups apply if robots.txt does not name the crawler's own. */
  obeysAlso: readonly string[];
  /** False if the operator says that the crawler may ignore robots.txt. */
  obeysRobots: boolean;
  /** Effect of blocking the crawler, as a sentence. */
  effect: string;
  /** The operator's documentation, or a list that names the crawler. */
  source: { name: string; url: string };
}

/** Crawlers with documented purpose, and the largest others. */
export const AI_CRAWLERS = ROWS as readonly AiCrawler[];

/** The longest matching token wins. */
export function findCrawler(userAgent: string): AiCrawler | undefined {
  const named = userAgent.toLowerCase();
  const found = AI_CRAWLERS.filter(({ token }) => named.includes(token.toLowerCase()));
  return found.toSorted((a, b) => b.token.length - a.token.length)[0];
}
