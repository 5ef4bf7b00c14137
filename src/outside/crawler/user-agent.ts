import type { Environment } from "../../config/config.ts";
import { PACKAGE } from "../../process/package.ts";

/** The crawler's name in robots.txt. */
export const CRAWLER_NAME = "BrandVisibilityBot";

/** Path of the page that explains the crawler to owners of sites. */
export const CRAWLER_PAGE = "/docs/crawler";

/** What the crawler sends as its user agent: its name, and where it is explained. */
export function crawlerUserAgent({ BASE_URL, PORT }: Pick<Environment, "BASE_URL" | "PORT">): string {
  const page = new URL(CRAWLER_PAGE, BASE_URL ?? `http://localhost:${PORT}`);
  return `${CRAWLER_NAME}/${PACKAGE.version} (+${page.href})`;
}
