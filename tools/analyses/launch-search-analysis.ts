import { insertAnalysis, insertKeywords, type AnalysisRow } from "../../db/measuring/analyses.ts";
import { insertCollectWithJobs } from "../../db/measuring/collects.ts";
import { reserveCredits } from "../../db/catalog/credits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { collectInstant } from "../../core/schedule.ts";
import type { Instant } from "../../core/time.ts";
import type { CollectsCost } from "../quotes/quote.ts";
import { planKeywords } from "./search-analysis-keywords.ts";
import type { SearchAnalysisSetup } from "./search-analysis-setup.ts";

export interface Launch {
  id: string;
  setup: SearchAnalysisSetup;
  cost: CollectsCost;
  unitCredits: number;
  quoteId: string | null;
  userId: string;
  now: Instant;
  newId: () => string;
  /** How many of the planned collects start now rather than by the schedule. */
  startedCollects: number;
}

/**
 * Reserves the credits of every planned collect and stores the analysis, its keywords and the collects that start now.
 * Undefined, and nothing stored, where the credits are not there.
 */
export async function launchSearchAnalysis(tenant: Tenant, launch: Launch): Promise<AnalysisRow | undefined> {
  const { id, setup, cost, unitCredits, quoteId, userId, now, newId, startedCollects } = launch;
  const note = `Reserved for the search analysis ${setup.name}`;
  const cause = { id: newId(), at: now, note, workspaceId: tenant.workspaceId, analysisId: id, quoteId, userId };
  if (!(await reserveCredits(tenant, cost.total_credits, cause))) return undefined;
  const {
    name,
    schedule,
    brand_id: brandId,
    competitor_ids: competitorIds,
    thematics: _thematics,
    ...settings
  } = setup;
  const asks = setup.sources.length > 0;
  const row = await insertAnalysis(
    tenant,
    {
      id,
      type: "search_analysis",
      name,
      status: asks ? "launching" : "live",
      brandId,
      setup: settings,
      schedule,
      endsAt: setup.ends_at ?? null,
      plannedCollects: cost.collects_planned,
      unitCredits,
      nextCollectAt:
        cost.collects_planned > startedCollects ? (collectInstant(schedule, now, startedCollects) ?? null) : null,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    },
    competitorIds,
  );
  const rows = planKeywords(setup, id, newId);
  await insertKeywords(tenant, rows);
  const keywordIds = rows.keywords.map((keyword) => keyword.id);
  for (let number = 1; number <= (asks ? startedCollects : 0); number++) {
    const plan = { id: newId(), analysisId: id, number, keywordIds, unitCredits, at: now, newId };
    await insertCollectWithJobs(tenant, { ...plan, sources: setup.sources, runs: setup.runs_per_prompt });
  }
  return row;
}
