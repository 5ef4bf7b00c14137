import {
  skipped,
  type AddressSubject,
  type CheckFinding,
  type PageCheck,
  type PageSubject,
  type SiteCheck,
  type SiteSubject,
} from "./check.ts";

export type CheckResult<Check> = CheckFinding & { check: Check };

/**
 * Runs the checks of one page, in order. Without readable HTML, page checks are skipped with the
 * reason.
 */
export function checkPage(
  checks: readonly PageCheck[],
  subject: PageSubject | (AddressSubject & { unread: string }),
): CheckResult<PageCheck>[] {
  return checks.map((check) => {
    if (check.of === "address") return { check, ...check.run(subject) };
    return { check, ...("unread" in subject ? skipped(subject.unread) : check.run(subject)) };
  });
}

export function checkSite(checks: readonly SiteCheck[], site: SiteSubject): CheckResult<SiteCheck>[] {
  return checks.map((check) => ({ check, ...check.run(site) }));
}
