import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import { checkOf } from "../../core/audits/checks.ts";

/** Description of a check in results. */
export function shownCheck(id: string) {
  const { title, area, weight } = checkOf(id) ?? { title: id, area: null, weight: null };
  return { check: id, title, area, weight };
}

/** A finding as in results. */
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
