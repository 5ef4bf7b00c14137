import type { CollectStatus } from "../../../core/analyses/analysis.ts";
import type { AuditArea, CheckOutcome, EvidenceStrength } from "../../../core/audits/check.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { html, type Html } from "../../http/pages/html.ts";

export interface AuditLocation {
  organization_id: string;
  workspace_id: string;
  analysis_id: string;
  /** Run in the URL; undefined for the newest completed run. */
  runId?: string | undefined;
}

export function auditAddress({ organization_id, workspace_id, analysis_id }: AuditLocation): string {
  return `/audits/${organization_id}/${workspace_id}/${analysis_id}`;
}

export function auditLink(
  audit: AuditLocation,
  { page, query = {} }: { page?: string; query?: Record<string, string> } = {},
): string {
  const all = new URLSearchParams({ ...(audit.runId === undefined ? {} : { run: audit.runId }), ...query }).toString();
  return `${auditAddress(audit)}${page === undefined ? "" : `/${page}`}${all === "" ? "" : `?${all}`}`;
}

export const OUTCOME_NAMES: Readonly<Record<CheckOutcome, string>> = {
  fail: "Failed",
  warn: "Warning",
  skipped: "Skipped",
  pass: "Passed",
};

export const OUTCOME_ORDER = ["fail", "warn", "pass", "skipped"] as const;

export const AREA_NAMES: Readonly<Record<AuditArea, { name: string; question: string }>> = {
  crawlability: { name: "Crawlability", question: "Can it be found and fetched?" },
  semantic: { name: "Semantics", question: "Can it be understood?" },
  content: { name: "Content", question: "Can it be quoted?" },
};

export const STRENGTH_NAMES: Readonly<Record<EvidenceStrength, string>> = {
  documented_by_an_engine: "Documented by an answer engine",
  measured_in_a_study: "Measured in a study",
  practice: "Good practice",
};

const OUTCOME_CLASSES: Readonly<Record<CheckOutcome, string>> = {
  fail: " badge-bad",
  warn: " badge-warn",
  skipped: "",
  pass: " badge-good",
};

export function outcomeBadge(outcome: CheckOutcome): Html {
  return html`<span class="badge${OUTCOME_CLASSES[outcome]}">${OUTCOME_NAMES[outcome]}</span>`;
}

export function runBadge(status: CollectStatus): Html {
  const tone = { completed: " badge-good", partial: " badge-warn", failed: " badge-bad" }[status as string] ?? "";
  return html`<span class="badge${tone}">${status}</span>`;
}

export const simulatedBadge = html`<span class="badge badge-warn">simulated</span>`;

export const simulatedNote = html`<p class="caution">
  Simulated: the site is a bundled example, and none of its pages were fetched from the web.
</p>`;

/** Isolates untrusted text: escaped, without invisible characters, in its own direction. */
export function renderUntrustedText(text: string): Html {
  return html`<bdi>${removeInvisible(text)}</bdi>`;
}

/** Such as `/guides/milk?x=1`; includes the host if it differs from the website's. */
export function shortenUrl(address: string, website: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  const isOfSite = URL.canParse(website) && new URL(website).host === host;
  return `${isOfSite ? "" : host}${pathname}${search}`;
}

/** Such as `category, 40 % sure` or `product, as corrected`; undefined if unknown. */
export function formatPageType(page: {
  type: string | null;
  type_confidence: number | null;
  type_corrected: string | null;
}): string | undefined {
  const { type, type_confidence: confidence, type_corrected: corrected } = page;
  if (corrected !== null) return `${corrected}, set by a person`;
  if (type === null) return undefined;
  return confidence === null || confidence === 1 ? type : `${type}, ${Math.round(confidence * 100)} % sure`;
}
