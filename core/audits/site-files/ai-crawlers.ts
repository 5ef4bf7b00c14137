import ROWS from "../../../lists/ai-crawlers.json" with { type: "json" };

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
  obeysAlso: readonly string[];
  /** False where its operator says that it may fetch pages whatever robots.txt says. */
  obeysRobots: boolean;
  /** What keeping it out of pages does. */
  effect: string;
  /** The operator's own documentation, or the list that names it where there is none. */
  source: { name: string; url: string };
}

/** The crawlers that audits look at: those whose operators say what they are for, and the largest others. */
export const AI_CRAWLERS = ROWS as readonly AiCrawler[];

/** The crawler that a user agent names, by its token. */
export function crawlerOf(userAgent: string): AiCrawler | undefined {
  const named = userAgent.toLowerCase();
  const found = AI_CRAWLERS.filter(({ token }) => named.includes(token.toLowerCase()));
  return found.toSorted((a, b) => b.token.length - a.token.length)[0];
}
