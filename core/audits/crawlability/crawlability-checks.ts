import type { PageCheck, SiteCheck } from "../check.ts";
import { ANSWER_CHECKS } from "./answers.ts";
import { CANONICAL_CHECKS } from "./canonical.ts";
import { CRAWLER_CHECKS } from "./crawlers.ts";
import { INDEXING_CHECKS } from "./indexing.ts";
import { LLMS_TXT_CHECKS } from "./llms-txt.ts";
import { NETWORK_CHECKS } from "./network.ts";
import { REDIRECT_CHECKS } from "./redirects.ts";
import { ROBOTS_FILE_CHECKS } from "./robots-file.ts";
import { SITEMAP_PAGE_CHECKS, SITEMAP_SITE_CHECKS } from "./sitemaps.ts";
import { SNIPPET_PART_CHECKS } from "./snippet-parts.ts";
import { SCRIPT_CHECKS } from "./without-scripts.ts";

export const CRAWLABILITY_PAGE_CHECKS: readonly PageCheck[] = [
  ...ANSWER_CHECKS,
  ...REDIRECT_CHECKS,
  ...INDEXING_CHECKS,
  ...SNIPPET_PART_CHECKS,
  ...CANONICAL_CHECKS,
  ...SITEMAP_PAGE_CHECKS,
  ...SCRIPT_CHECKS,
  ...CRAWLER_CHECKS,
];

export const CRAWLABILITY_SITE_CHECKS: readonly SiteCheck[] = [
  ...ROBOTS_FILE_CHECKS,
  ...SITEMAP_SITE_CHECKS,
  ...NETWORK_CHECKS,
  ...LLMS_TXT_CHECKS,
];
