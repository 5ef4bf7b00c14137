import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest on two cores, longest first: begun last, one of them would keep a single core at work
 * while the others stand still. All others follow, in the order of their paths.
 */
const LONGEST: readonly string[] = [
  "client/client.test.ts",
  "assets/files.test.ts",
  "attacks/audit-rendering.test.ts",
  "sign-in-limits.test.ts",
  "own-account-chromium.test.ts",
  "sign-in-chromium.test.ts",
  "second-factor-chromium.test.ts",
  "sign-in-again.test.ts",
  "audit/crawl-kills.test.ts",
  "audit/planted/planted-site.test.ts",
  "audit/check-thread.test.ts",
  "audit/hostile-site.test.ts",
  "audit/find-pages.test.ts",
  "web-pages.test.ts",
  "console/console-chromium.test.ts",
  "console/new-analysis-chromium.test.ts",
  "console/analyses.test.ts",
  "console/new-analysis.test.ts",
  "console/visibility.test.ts",
  "console/perception.test.ts",
  "console/actions.test.ts",
  "sources/source-pages.test.ts",
  "action-pages.test.ts",
  "partner/kills.test.ts",
  "collecting/worker.test.ts",
  "collecting/answers.test.ts",
  "collecting/kill.test.ts",
  "brand-truth/brand-truth.test.ts",
  "recompute/export.test.ts",
  "brand-analysis.test.ts",
  "brand-awareness.test.ts",
  "brand-perception.test.ts",
  "brand-attributes.test.ts",
  "brand-comparisons.test.ts",
  "catalog/kill.test.ts",
  "tag-kills.test.ts",
  "audit/console-audits-chromium.test.ts",
  "audit/console-audits.test.ts",
  "assets/model-scorer.test.ts",
  "partner/repeats.test.ts",
  "platforms/renewal.test.ts",
  "signing-keys.test.ts",
  "platforms/pages.test.ts",
  "docs.test.ts",
  "audit/audit-to-brief.test.ts",
  "crawler-page.test.ts",
  "scim/pages.test.ts",
  "member-pages.test.ts",
  "matrix/matrix.test.ts",
  "interface/interface.test.ts",
  "sso/settings-page.test.ts",
  "collecting/schedule.test.ts",
  "recommend/audit-actions.test.ts",
  "recommend/plan-from-page.test.ts",
  "readiness.test.ts",
  "whole/fuzz.test.ts",
  "hostile/table.test.ts",
  "main-job.test.ts",
  "subscriptions.test.ts",
  "own-account.test.ts",
  "password-rules.test.ts",
  "api-key-pages.test.ts",
  "overview-pages.test.ts",
  "domain-pages.test.ts",
  "saml/chromium.test.ts",
  "marketer/marketer.test.ts",
  "report/report.test.ts",
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
