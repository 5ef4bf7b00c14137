import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest on two cores, longest first: begun last, one of them would keep a single core at work
 * while the others stand still. All others follow, in the order of their paths.
 */
const LONGEST: readonly string[] = [
  "client/client.proof.test.ts",
  "assets/files.test.ts",
  "attacks/audit-rendering.browser.test.ts",
  "sign-in-limits.test.ts",
  "own-account.browser.test.ts",
  "sign-in.browser.test.ts",
  "second-factor.browser.test.ts",
  "sign-in-again.test.ts",
  "audit/crawl.kill.test.ts",
  "audit/planted/planted-site.proof.test.ts",
  "audit/check-thread.proof.test.ts",
  "audit/hostile-site.proof.test.ts",
  "audit/find-pages.test.ts",
  "web-pages.browser.test.ts",
  "console/console.browser.test.ts",
  "console/new-analysis.browser.test.ts",
  "console/analyses.test.ts",
  "console/new-analysis.test.ts",
  "console/visibility.test.ts",
  "console/perception.test.ts",
  "console/actions.test.ts",
  "sources/source-pages.test.ts",
  "action-pages.test.ts",
  "partner/send-brief.kill.test.ts",
  "collecting/worker.test.ts",
  "collecting/answers.test.ts",
  "collecting/collect.kill.test.ts",
  "brand-truth/brand-truth.proof.test.ts",
  "recompute/export.proof.test.ts",
  "brand-analysis.test.ts",
  "brand-awareness.test.ts",
  "brand-perception.test.ts",
  "brand-attributes.test.ts",
  "brand-comparisons.test.ts",
  "catalog/rereading.kill.test.ts",
  "tags.kill.test.ts",
  "audit/console-audits.browser.test.ts",
  "audit/console-audits.test.ts",
  "assets/model-scorer.test.ts",
  "partner/repeats.test.ts",
  "platforms/renewal.test.ts",
  "signing-keys.kill.test.ts",
  "platforms/pages.browser.test.ts",
  "docs.test.ts",
  "audit/audit-to-brief.proof.test.ts",
  "crawler-page.test.ts",
  "scim/pages.test.ts",
  "member-pages.test.ts",
  "matrix/matrix.proof.test.ts",
  "interface/interface.test.ts",
  "sso/settings-page.test.ts",
  "collecting/schedule.test.ts",
  "recommend/audit-actions.proof.test.ts",
  "recommend/plan-from-page.proof.test.ts",
  "readiness.kill.test.ts",
  "whole/fuzz.proof.test.ts",
  "hostile/table.proof.test.ts",
  "main-job.test.ts",
  "subscriptions.test.ts",
  "own-account.test.ts",
  "password-rules.test.ts",
  "api-key-pages.test.ts",
  "overview-pages.test.ts",
  "domain-pages.browser.test.ts",
  "saml/sign-in.browser.test.ts",
  "marketer/marketer.proof.test.ts",
  "report/report.proof.test.ts",
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/test/${file}`));
  return place === -1 ? LONGEST.length : place;
}
