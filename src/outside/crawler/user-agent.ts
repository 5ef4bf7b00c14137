import type { Environment } from "../../config/config.ts";
import { PACKAGE } from "../../process/package.ts";

/** Product token in robots.txt. */
export const CRAWLER_NAME = "BrandVisibilityBot";

export const CRAWLER_PAGE = "/docs/crawler";

export function buildCrawlerUserAgent({ BASE_URL, PORT }: Pick<Environment, "BASE_URL" | "PORT">): string {
  const page = new URL(CRAWLER_PAGE, BASE_URL ?? `http://localhost:${PORT}`);
  return `${CRAWLER_NAME}/${PACKAGE.version} (+${page.href})`;
}
