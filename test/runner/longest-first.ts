import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest test files, slowest first, so that none of them runs alone at the end.
 * All others follow in path order.
 */
const LONGEST_FILES: readonly string[] = [
  "client/client.proof.test.ts",
  "assets/files.test.ts",
  "attacks/audit-rendering.browser.test.ts",
  "sign-in/sign-in-limits.test.ts",
  "sign-in/own-account.browser.test.ts",
  "sign-in/sign-in.browser.test.ts",
  "sign-in/second-factor.browser.test.ts",
  "sign-in/sign-in-again.test.ts",
  "audits/crawl.kill.test.ts",
  "audits/planted/planted-site.proof.test.ts",
  "audits/check-thread.proof.test.ts",
  "audits/hostile-site.proof.test.ts",
  "audits/find-pages.test.ts",
  "console/web-pages.browser.test.ts",
  "console/console.browser.test.ts",
  "console/new-analysis.browser.test.ts",
  "console/analyses.test.ts",
  "console/new-analysis.test.ts",
  "console/visibility.test.ts",
  "console/perception.test.ts",
  "console/actions.test.ts",
  "sources/source-pages.test.ts",
  "console/action-pages.test.ts",
  "partner/send-brief.kill.test.ts",
  "collecting/worker.test.ts",
  "collecting/answers.test.ts",
  "collecting/collect.kill.test.ts",
  "brand-truth/brand-truth.proof.test.ts",
  "recompute/export.proof.test.ts",
  "analyses/brand-analysis.test.ts",
  "metrics/brand-awareness.test.ts",
  "metrics/brand-perception.test.ts",
  "metrics/brand-attributes.test.ts",
  "metrics/brand-comparisons.test.ts",
  "catalog/rereading.kill.test.ts",
  "catalog/tags.kill.test.ts",
  "audits/console-audits.browser.test.ts",
  "audits/console-audits.test.ts",
  "assets/model-scorer.test.ts",
  "partner/repeats.test.ts",
  "platforms/renewal.test.ts",
  "oauth/signing-keys.kill.test.ts",
  "platforms/pages.browser.test.ts",
  "reference/docs.test.ts",
  "audits/audit-to-brief.proof.test.ts",
  "reference/crawler-page.test.ts",
  "scim/pages.test.ts",
  "organizations/member-pages.test.ts",
  "matrix/matrix.proof.test.ts",
  "interface/interface.test.ts",
  "sso/settings-page.test.ts",
  "collecting/schedule.test.ts",
  "actions/audit-actions.proof.test.ts",
  "actions/plan-from-page.proof.test.ts",
  "process/readiness.kill.test.ts",
  "whole/fuzz.proof.test.ts",
  "hostile/table.proof.test.ts",
  "main-job/main-job.test.ts",
  "mcp/subscriptions.test.ts",
  "sign-in/own-account.test.ts",
  "sign-in/password-rules.test.ts",
  "api-keys/api-key-pages.test.ts",
  "console/overview-pages.test.ts",
  "domains/domain-pages.browser.test.ts",
  "saml/sign-in.browser.test.ts",
  "marketer/marketer.proof.test.ts",
  "report/report.proof.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => positionOf(a) - positionOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function positionOf({ moduleId }: TestSpecification): number {
  const place = LONGEST_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONGEST_FILES.length : place;
}
