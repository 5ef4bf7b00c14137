/** Finds the pages of a website that names none: those of its sitemaps, or else those that its start page links to. */
export interface PageFinder {
  /** What was found until the time was over. Rejects only where the process stops, and for a fault of ours. */
  findPages(search: PageSearch, limits: { timeoutMs: number }): Promise<FoundPages>;
}

export interface PageSearch {
  website: string;
  /** Where robots.txt is not to be asked for one. */
  sitemapUrl: string | undefined;
  /** Pages that are wanted. */
  most: number;
}

export interface FoundPages {
  /** Null where the site could not be read. */
  pages: string[] | null;
  /** "the list that was given", "https://example.com/sitemap.xml" or "the links of the start page". */
  from: string;
  /** What was left out, or why nothing was found, in sentences. */
  notes: string[];
}
