/** Finds the pages of a website: from its sitemaps, else from the links of its start page. */
export interface PageFinder {
  /**
   * Returns the pages found within the time limit. Rejects only on shutdown or an internal error.
   */
  findPages(search: PageSearch, limits: { timeoutMs: number }): Promise<FoundPages>;
}

export interface PageSearch {
  website: string;
  /** Sitemap to use instead of those in robots.txt. */
  sitemapUrl: string | undefined;
  /** Max pages returned. */
  maxPages: number;
}

export interface FoundPages {
  /** Addresses found; null if the site is unreadable. */
  pages: string[] | null;
  /**
   * Source of the addresses: "the list that was given", "https://example.com/sitemap.xml" or "the
   * links of the start page".
   */
  from: string;
  /** Omissions, or reasons for finding nothing, in sentences. */
  notes: string[];
}
