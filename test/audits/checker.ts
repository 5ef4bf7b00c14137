import { createHash } from "node:crypto";
import { auditPage } from "../../core/audits/audit-page.ts";
import { checkSite } from "../../core/audits/run-checks.ts";
import type { PageChecker } from "../../src/jobs/audits/check-thread.ts";
import { linkedPages, listPages, sitemapPages } from "../../src/jobs/audits/list-pages.ts";
import { readRobots } from "../../src/jobs/audits/read-robots.ts";
import { READER, RULES } from "./rules.ts";

/** Checks in this process, by few rules. */
export const CHECKER: PageChecker = {
  rules: { version: RULES.version, pageChecks: RULES.page.map(({ id }) => id) },
  checkPage: async (order) => ({
    ...auditPage(RULES, order, READER),
    digest: createHash("sha256").update(order.fetched.html).digest("hex"),
  }),
  checkSite: async (site) =>
    checkSite(RULES.site, site).map(({ check, ...finding }) => ({ check: check.id, ...finding })),
  readRobots: async (order) => readRobots(order),
  readSitemap: async (order) => listPages(order),
  readSitemapPages: async (order) => sitemapPages(order),
  readLinks: async (order) => linkedPages(order),
};
