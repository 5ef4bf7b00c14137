import { checkOf } from "../audits/checks.ts";
import type { Evidence } from "../actions/action.ts";
import { plainLink, plainWords, quoted, tableOf } from "./markdown.ts";

// Sections of a brief about an audit check. Excerpts of pages are quoted.

/** The check behind the evidence. */
function checkIn(evidence: readonly Evidence[]) {
  return checkOf(evidence[0]?.audit?.check ?? "");
}

function pagesWith(evidence: readonly Evidence[], outcome: "fail" | "pass"): Evidence[] {
  return evidence.filter(({ audit }) => audit?.page_id != null && audit.outcome === outcome);
}

export function fixingSteps(evidence: readonly Evidence[]): string[] {
  return [
    ...howToFix(evidence),
    ...pagesWith(evidence, "fail").flatMap(({ url }) => (url === null ? [] : [`Fix ${plainLink(url)}.`])),
    ...pagesWith(evidence, "pass")
      .slice(0, 3)
      .flatMap(({ url, brand }) =>
        url === null ? [] : [`See how ${plainWords(brand ?? "a competitor", 200)} does it: ${plainLink(url)}.`],
      ),
  ];
}

/** Steps that keep new pages from failing. */
export function keepingSteps(evidence: readonly Evidence[]): string[] {
  return [
    ...howToFix(evidence),
    "Find what the pages that fail have in common: a template, a plugin, a kind of page.",
    "Change it there, and check a new page before it is published.",
  ];
}

function howToFix(evidence: readonly Evidence[]): string[] {
  const check = checkIn(evidence);
  return check ? [check.howToFix] : [];
}

export function ruleSource(evidence: readonly Evidence[]): string[] {
  const check = checkIn(evidence);
  if (!check) return [];
  const { name, url } = check.source;
  return ["## Where the rule comes from", `${plainWords(name, 200)}: ${plainLink(url)}`];
}

/** Table of the counts over all pages and the findings per page. */
export function auditTable(evidence: readonly Evidence[]): string {
  const rows = evidence.flatMap(({ url, domain, brand, audit, answers, occurrences }) => {
    if (!audit) return [];
    const isAll = audit.page_id === null;
    const place = url === null ? plainWords(domain ?? "", 200) : plainLink(url);
    const of = audit.outcome === "pass" && brand !== null ? ` of ${plainWords(brand, 100)}` : "";
    const passing = isAll ? `${occurrences} of ${answers} pass` : audit.outcome;
    return [[`${place}${of}`, audit.message ?? passing, String(audit.cited_in), String(audit.read_for)]];
  });
  return tableOf(["page", "what was found", "answers that cite it", "answers that read it and do not cite it"], rows);
}

export function excerpts(evidence: readonly Evidence[]): string[] {
  const blocks = evidence.flatMap(({ url, domain, audit }) => {
    if (!audit?.excerpt || audit.outcome === "pass") return [];
    const place = url === null ? plainWords(domain ?? "", 200) : plainLink(url);
    const line = audit.line === null ? "" : `, line ${audit.line}`;
    return [`${place}${line}:\n\n${quoted(audit.excerpt, 200)}`];
  });
  return blocks.length === 0 ? [] : ["## What stands there today", blocks.join("\n\n")];
}

export function isOfAudit(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ audit }) => audit);
}

export const MENDING_IS_MEASURED = [
  "Mark this brief as implemented when the work is out. The next run of the audit then looks at the same pages again and records, on the task, how many pass before and after.",
  "Only pages that both runs could check count.",
].join(" ");
