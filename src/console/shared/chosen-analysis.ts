import { MEASURED_STATUSES } from "../../../core/analyses/analysis.ts";
import { notFound } from "../../../core/shared/errors.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { listAnalyses } from "../../../tools/analyses/list-analyses.ts";
import { listCollects } from "../../../tools/collects/list-collects.ts";
import { getProjectFilters } from "../../../tools/metrics/get-project-filters.ts";
import type { Filters, ShownAnalysis, ShownCollect } from "./filters.ts";
import type { WorkspaceIds } from "./page-addresses.ts";
import type { Ask } from "../../http/pages/call-endpoint.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "./workspace-ids.ts";

export interface ChosenAnalysis {
  call: Ask;
  ids: WorkspaceIds;
  query: URLSearchParams;
  /** Analyses that send prompts. */
  analyses: readonly ShownAnalysis[];
  /** Audit named in the query, which has separate pages. */
  audit: ShownAnalysis | undefined;
  /** Chosen analysis; undefined if the workspace has none. */
  analysis: ShownAnalysis | undefined;
  /** Collects of the analysis, newest first. */
  collects: readonly ShownCollect[];
  /** Collects with metrics. */
  measured: readonly ShownCollect[];
  filters: Filters | undefined;
  now: Instant;
}

/**
 * Selects the analysis in the query, else a favourite, else the newest active one of the page's
 * type. A page for brand analyses skips favourites of other types while a brand analysis exists.
 */
export async function chooseAnalysis(
  visit: Visit,
  prefers: ShownAnalysis["type"] = "search_analysis",
): Promise<ChosenAnalysis> {
  const { call } = visit;
  const ids = getWorkspaceIds(visit);
  const { query } = visit;
  const { data } = await call(listAnalyses, { ...ids, limit: 100 });
  const analyses = data.filter(({ type }) => type !== "geo_audit");
  const requestedId = query.get("analysis");
  const activeAnalyses = analyses.filter(({ status }) => status !== "archived");
  const preferred = activeAnalyses.filter(({ type }) => type === prefers);
  const findFavourite = (candidates: readonly ShownAnalysis[]) =>
    candidates.find(({ id }) => visit.visitor.frame.favourites.has(id));
  const analysis =
    requestedId === null
      ? (findFavourite(prefers === "brand_analysis" ? preferred : activeAnalyses) ??
        preferred[0] ??
        findFavourite(activeAnalyses) ??
        activeAnalyses[0])
      : analyses.find(({ id }) => id === requestedId);
  const audit = data.find(({ id, type }) => id === requestedId && type === "geo_audit");
  if (requestedId !== null && !analysis && !audit) throw notFound("analysis");
  const base = { call, ids, query, analyses, analysis, audit, now: visit.web.deps.now() };
  if (!analysis) return { ...base, collects: [], measured: [], filters: undefined };
  const [collects, filters] = await Promise.all([
    call(listCollects, { ...ids, analysis_id: analysis.id, limit: 100 }),
    call(getProjectFilters, { client_id: ids.organization_id, project_id: analysis.id, catalog: false }),
  ]);
  const measured = collects.data.filter(({ status }) => MEASURED_STATUSES.some((one) => one === status));
  return { ...base, collects: collects.data, measured, filters };
}
