import { findCheck } from "../audits/checks.ts";
import type { Evidence } from "../actions/action.ts";
import { formatLink, escapeText, quoteText, formatTable } from "./markdown.ts";

// Sections of a brief about an audit check. Excerpts of pages are quoted.

function findCheckOfEvidence(evidence: readonly Evidence[]) {
  return findCheck(evidence[0]?.audit?.check ?? "");
}

function findPages(evidence: readonly Evidence[], outcome: "fail" | "pass"): Evidence[] {
  return evidence.filter(({ audit }) => audit?.page_id != null && audit.outcome === outcome);
}

export function listFixingSteps(evidence: readonly Evidence[]): string[] {
  return [
    ...listFixInstructions(evidence),
    ...findPages(evidence, "fail").flatMap(({ url }) => (url === null ? [] : [`Fix ${formatLink(url)}.`])),
    ...findPages(evidence, "pass")
      .slice(0, 3)
      .flatMap(({ url, brand }) =>
        url === null ? [] : [`See how ${escapeText(brand ?? "a competitor", 200)} does it: ${formatLink(url)}.`],
      ),
  ];
}

/** Steps that keep new pages from failing. */
export function listKeepingSteps(evidence: readonly Evidence[]): string[] {
  return [
    ...listFixInstructions(evidence),
    "Find the common cause of the failing pages: a template, a plugin, a type of page.",
    "Fix it there, and check a new page before publishing it.",
  ];
}

function listFixInstructions(evidence: readonly Evidence[]): string[] {
  const check = findCheckOfEvidence(evidence);
  return check ? [check.howToFix] : [];
}

export function formatRuleSource(evidence: readonly Evidence[]): string[] {
  const check = findCheckOfEvidence(evidence);
  if (!check) return [];
  const { name, url } = check.source;
  return ["## Source of the rule", `${escapeText(name, 200)}: ${formatLink(url)}`];
}

export function formatAuditTable(evidence: readonly Evidence[]): string {
  const rows = evidence.flatMap(({ url, domain, brand, audit, answers, occurrences }) => {
    if (!audit) return [];
    const isAll = audit.page_id === null;
    const location = url === null ? escapeText(domain ?? "", 200) : formatLink(url);
    const of = audit.outcome === "pass" && brand !== null ? ` of ${escapeText(brand, 100)}` : "";
    const passing = isAll ? `${occurrences} of ${answers} pass` : audit.outcome;
    return [[`${location}${of}`, audit.message ?? passing, String(audit.cited_in), String(audit.read_for)]];
  });
  return formatTable(
    ["page", "what was found", "answers that cite it", "answers that read it and do not cite it"],
    rows,
  );
}

export function formatExcerpts(evidence: readonly Evidence[]): string[] {
  const blocks = evidence.flatMap(({ url, domain, audit }) => {
    if (!audit?.excerpt || audit.outcome === "pass") return [];
    const place = url === null ? escapeText(domain ?? "", 200) : formatLink(url);
    const line = audit.line === null ? "" : `, line ${audit.line}`;
    return [`${place}${line}:\n\n${quoteText(audit.excerpt, 200)}`];
  });
  return blocks.length === 0 ? [] : ["## What stands there today", blocks.join("\n\n")];
}

export function isAuditEvidence(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ audit }) => audit);
}

export const AUDIT_EFFECT_NOTE = [
  "Mark this brief as implemented when the work is out. The next run of the audit then checks the same pages again, and records on the task how many pass before and after.",
  "Only pages checked in both runs count.",
].join(" ");
