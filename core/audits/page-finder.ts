/** Finds pages in the sitemaps, else in the links of the start page. */
export interface PageFinder {
  /** Rejects only on shutdown or an internal error, not when the time is over. */
  findPages(search: PageSearch, limits: { timeoutMs: number }): Promise<FoundPages>;
}

export interface PageSearch {
  website: string;
  /** Used instead of those in robots.txt. */
  sitemapUrl: string | undefined;
  maxPages: number;
}

export interface FoundPages {
  /** Null if the site is unreadable. */
  pages: string[] | null;
  /** Such as "https://example.com/sitemap.xml" or "the links of the start page". */
  from: string;
  /** Omissions, or reasons for finding nothing, in sentences. */
  notes: string[];
}
