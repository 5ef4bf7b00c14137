import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { auditPage } from "../../../core/audits/audit-page.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../../core/audits/checks.ts";
import { checkSite } from "../../../core/audits/run-checks.ts";
import type { SiteSubject } from "../../../core/audits/check.ts";
import { listLinkedPages, listPages, listSitemapPages } from "./list-pages.ts";
import { evaluateRobots } from "./evaluate-robots.ts";
import { PAGE_READER } from "./page-reader.ts";
import type { CheckThreadOutput, CheckThreadInput } from "./check-thread.ts";

const CHECK_RULES = { version: CHECKS_VERSION, pageChecks: PAGE_CHECKS, siteChecks: SITE_CHECKS };

const sitesBySlot = new Map<number, SiteSubject>();

function perform(order: CheckThreadInput): unknown {
  if ("page" in order) {
    const { slot, facts } = order.site;
    if (facts) sitesBySlot.set(slot, facts);
    const site = sitesBySlot.get(slot);
    if (!site) throw new Error("the thread has no data of the site");
    const digest = createHash("sha256").update(order.page.fetched.html).digest("hex");
    return { ...auditPage(CHECK_RULES, { ...order.page, site }, PAGE_READER), digest };
  }
  if ("sitemap" in order) return listPages(order.sitemap);
  if ("sitemapPages" in order) return listSitemapPages(order.sitemapPages);
  if ("links" in order) return listLinkedPages(order.links);
  if ("robots" in order) return evaluateRobots(order.robots);
  const findings = checkSite(CHECK_RULES.siteChecks, order.site);
  return findings.map(({ check, ...finding }) => ({ check: check.id, ...finding }));
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const postAnswer = (answer: CheckThreadOutput) => parentPort?.postMessage(answer);

parentPort?.on("message", (order: CheckThreadInput) => {
  postAnswer("begun");
  try {
    postAnswer({ found: perform(order) });
  } catch (error) {
    postAnswer({ error });
  }
});
postAnswer("ready");
