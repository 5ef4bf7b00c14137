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

/** Skips page checks, with the reason, if there is no readable HTML. */
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
