import { WEBSITE } from "../../../core/sources.ts";
import type { QuestionRows } from "../../../db/measuring/questions.ts";
import type { Cost } from "../../quotes/quote.ts";
import type { AnalysisPlan, AskedSetup, QuestionPart, Prices } from "../analysis-kind.ts";
import type { GeoAuditSetup } from "./geo-audit-setup.ts";

/** A question per page. */
export function planGeoAudit(setup: GeoAuditSetup): AnalysisPlan {
  const { website, sitemap_url: sitemap, max_pages, render, pages_from = "" } = setup;
  return {
    brandId: setup.brand_id ?? null,
    competitorIds: [],
    settings: { website, ...(sitemap === undefined ? {} : { sitemap_url: sitemap }), max_pages, render, pages_from },
    prompts: null,
    questions: setup.page_count ?? max_pages,
  };
}

/** Rows of a part of the pages of a setup, whose text is their address. */
export function planPages(setup: GeoAuditSetup, part: QuestionPart, newId: () => string): QuestionRows {
  const { analysisId, first, most } = part;
  const pages = (setup.pages ?? setup.found?.pages ?? []).slice(first, first + most);
  return {
    facets: [],
    questions: pages.map((text, index) => ({
      id: newId(),
      analysisId,
      position: first + index,
      text,
      type: "Generic" as const,
      intent: [],
    })),
  };
}

/** One credit price a page (service.md section 4). */
export function pagesCost({ questions }: AskedSetup, { prices }: Prices): Cost {
  const unit = prices.geo_audit_page;
  const credits = questions * unit;
  const line = { what: "pages, each run", quantity: questions, unit_credits: unit, credits };
  return { credits, total_credits: credits, breakdown: [line], estimated_provider_cost_usd: 0 };
}

/** Pages are fetched from their website, once a run. */
export const ASKING = { sources: [WEBSITE], runs: 1 } as const;
