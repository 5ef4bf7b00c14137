import { createHash } from "node:crypto";
import { auditPage } from "../../core/audits/audit-page.ts";
import { checkSite } from "../../core/audits/run-checks.ts";
import type { PageChecker } from "../../src/jobs/audits/check-thread.ts";
import { listLinkedPages, listPages, listSitemapPages } from "../../src/jobs/audits/list-pages.ts";
import { evaluateRobots } from "../../src/jobs/audits/evaluate-robots.ts";
import { READER, RULES } from "./rules.ts";

/** Checks in this process, by few rules. */
export const CHECKER: PageChecker = {
  checkRules: { checksVersion: RULES.version, pageChecks: RULES.pageChecks.map(({ id }) => id) },
  checkPage: async (order) => ({
    ...auditPage(RULES, order, READER),
    digest: createHash("sha256").update(order.fetched.html).digest("hex"),
  }),
  checkSite: async (site) =>
    checkSite(RULES.siteChecks, site).map(({ check, ...finding }) => ({ check: check.id, ...finding })),
  readRobots: async (order) => evaluateRobots(order),
  readSitemap: async (order) => listPages(order),
  readSitemapPages: async (order) => listSitemapPages(order),
  readLinks: async (order) => listLinkedPages(order),
};
