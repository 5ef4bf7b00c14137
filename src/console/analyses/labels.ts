import type { z } from "zod";
import type { AnalysisStatus, AnalysisType } from "../../../core/analyses/analysis.ts";
import { isBundledUrl } from "../../../core/audits/bundled-site.ts";
import type { CollectionMethod } from "../../../core/sources/sources.ts";
import type { getAnalysis } from "../../../tools/analyses/get-analysis.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { simulatedBadge } from "../audits/labels.ts";
import type { ShownCollect } from "../shared/filters.ts";

export type AnalysisWithSetup = z.output<typeof getAnalysis.output>;

export const TYPE_NAMES: Readonly<Record<AnalysisType, string>> = {
  search_analysis: "Search analysis",
  brand_analysis: "Brand analysis",
  geo_audit: "GEO audit",
};

const STATUS_TONES: Readonly<Partial<Record<AnalysisStatus, string>>> = {
  live: " badge-good",
  paused: " badge-warn",
  failed: " badge-bad",
};

export function renderStatusBadge(status: AnalysisStatus): Html {
  return html`<span class="badge${STATUS_TONES[status] ?? ""}">${status}</span>`;
}

export function renderAnswerOriginBadge(methods: readonly CollectionMethod[]): Html | undefined {
  if (methods.length === 0) return undefined;
  if (methods.includes("simulated")) return simulatedBadge;
  return methods.every((method) => method === "import")
    ? html`<span class="badge">imported</span>`
    : html`<span class="badge badge-good">real</span>`;
}

/** Uses the newest completed collect with answers. Audits of the demo site are simulated. */
export function renderAnalysisOriginBadge(
  { type, website }: { type: AnalysisType; website: unknown },
  collects: readonly ShownCollect[],
): Html | undefined {
  const ended = collects.filter(({ finished_at: at }) => at !== null);
  // A failed collect has no answers.
  const answered = ended.find(({ collection_methods: methods }) => methods.length > 0);
  if (type !== "geo_audit") return renderAnswerOriginBadge(answered?.collection_methods ?? []);
  const invented = isBundledUrl(String(website));
  return ended.length === 0 ? undefined : renderAnswerOriginBadge([invented ? "simulated" : "api"]);
}
