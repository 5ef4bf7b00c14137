import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import { checkOf } from "../../core/audits/checks.ts";

/** What results say of a check by its id. */
export function shownCheck(id: string) {
  const { title, area, weight } = checkOf(id) ?? { title: id, area: null, weight: null };
  return { check: id, title, area, weight };
}

/** A finding as results give it. */
export function shownFinding(finding: StoredFinding) {
  const check = checkOf(finding.check);
  return {
    ...shownCheck(finding.check),
    ...finding,
    how_to_fix: check?.howToFix ?? null,
    source: check?.source ?? null,
    strength: check?.strength ?? null,
  };
}
