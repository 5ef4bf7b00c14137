import type { z } from "zod";
import { insertAnalysis, type AnalysisRow } from "../../db/measuring/analyses.ts";
import { insertCollectWithJobs } from "../../db/measuring/collects.ts";
import { insertQuestions } from "../../db/measuring/questions.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { collectInstant } from "../../core/schedule.ts";
import type { Instant } from "../../core/time.ts";
import type { CollectsCost } from "../quotes/quote.ts";
import type { AnalysisKind, AnalysisSetup } from "./analysis-kind.ts";

export interface Launch<Setup> {
  id: string;
  setup: Setup;
  /** Its credits must have been reserved in the same transaction. */
  cost: CollectsCost;
  unitCredits: number;
  userId: string;
  now: Instant;
  newId: () => string;
  /** How many of the planned collects start now rather than by the schedule. */
  startedCollects: number;
}

/** Stores an analysis, what it asks, and the collects that start now. */
export async function launchAnalysis<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
  tenant: Tenant,
  launch: Launch<Setup>,
): Promise<AnalysisRow> {
  const { id, setup, cost, unitCredits, userId, now, newId, startedCollects } = launch;
  const { name, schedule } = setup;
  const plan = kind.plan(setup, id, newId);
  const sources = kind.sources(setup);
  const isAsked = sources.length > 0;
  const isMore = cost.collects_planned > startedCollects;
  const row = await insertAnalysis(
    tenant,
    {
      id,
      type: kind.type,
      name,
      status: isAsked ? "launching" : "live",
      brandId: plan.brandId,
      setup: plan.settings,
      schedule,
      endsAt: setup.ends_at ?? null,
      plannedCollects: cost.collects_planned,
      unitCredits,
      nextCollectAt: (isMore ? collectInstant(schedule, now, startedCollects) : undefined) ?? null,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    },
    plan.competitorIds,
  );
  await insertQuestions(tenant, plan);
  const questions = plan.questions.length;
  for (let number = 1; number <= (isAsked ? startedCollects : 0); number++) {
    const collect = { id: newId(), analysisId: id, number, unitCredits, at: now, newId };
    await insertCollectWithJobs(tenant, { ...collect, questions, sources, runs: plan.runs });
  }
  return row;
}
