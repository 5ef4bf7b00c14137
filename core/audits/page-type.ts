export const PAGE_TYPES = ["article", "product", "category", "comparison", "documentation", "home", "other"] as const;
export type PageType = (typeof PAGE_TYPES)[number];
