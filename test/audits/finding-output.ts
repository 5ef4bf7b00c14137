import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import { findCheck } from "../../core/audits/checks.ts";

/** Description of a check in results. */
export function checkOutput(id: string) {
  const { title, area, weight } = findCheck(id) ?? { title: id, area: null, weight: null };
  return { check: id, title, area, weight };
}

/** A finding as in results. */
export function findingOutput(finding: StoredFinding) {
  const check = findCheck(finding.check);
  return {
    ...checkOutput(finding.check),
    ...finding,
    how_to_fix: check?.howToFix ?? null,
    source: check?.source ?? null,
    strength: check?.strength ?? null,
  };
}
