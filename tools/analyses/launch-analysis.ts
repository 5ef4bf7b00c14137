import { z } from "zod";
import { insertAnalysis, type AnalysisRow } from "../../db/analyses/analyses.ts";
import { enqueueBackgroundJob, storeJobProgress } from "../../db/jobs/background-jobs.ts";
import { insertCollectWithJobs } from "../../db/analyses/collects.ts";
import { insertQuestions } from "../../db/analyses/questions.ts";
import { insertSetup } from "../../db/analyses/setups.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findFirstRound, completeSchedule } from "../../core/analyses/schedule.ts";
import { JOB_TARGETS } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { CollectsCost } from "../quotes/quote.ts";
import type { AnalysisKind, AnalysisSetup } from "./kinds/analysis-kind.ts";
import { getSpendCap } from "./setup/spend-cap.ts";

export interface AnalysisLaunch<Setup> {
  id: string;
  setup: Setup;
  /** Quote that stores the setup; required for setups with many questions. */
  quoteId?: string;
  /** The caller reserves the credits in the same transaction. */
  cost: CollectsCost;
  unitCredits: number;
  userId: string;
  now: Instant;
  newId: () => string;
  startedCollectCount: number;
  hasKeywordProvider?: boolean;
  pastCollects?: number;
}

/** Keeps transactions short. */
const QUESTIONS_PER_TRANSACTION = 400;

/** Stores the first questions; a job stores the rest while the analysis is `launching`. */
export async function launchAnalysis<Fields extends z.ZodRawShape, Setup extends AnalysisSetup>(
  kind: AnalysisKind<Fields, Setup>,
  tenant: Tenant,
  launch: AnalysisLaunch<Setup>,
): Promise<AnalysisRow> {
  const { id, setup, cost, unitCredits, userId, now, newId, startedCollectCount } = launch;
  const schedule = completeSchedule(setup.schedule, now);
  const plan = kind.plan(setup);
  const part = { analysisId: id, first: 0, limit: QUESTIONS_PER_TRANSACTION, facetRows: [] };
  const rows = kind.buildQuestions(setup, part, newId);
  const questionsFollow = rows.questions.length < plan.questionCount;
  const { sources, runs } = kind.buildRunPlan(plan.settings);
  const isAsked = sources.length > 0;
  const roundsLeft = Math.max(0, cost.collects_planned - startedCollectCount - (launch.pastCollects ?? 0));
  const row = await insertAnalysis(
    tenant,
    {
      id,
      type: kind.type,
      name: setup.name,
      status: isAsked || questionsFollow ? "launching" : "live",
      brandId: plan.brandId,
      setup: plan.settings,
      schedule,
      endsAt: setup.ends_at ?? null,
      plannedCollects: cost.collects_planned,
      unitCredits,
      roundsLeft,
      roundCredits: cost.per_collect,
      spendCapMicros: getSpendCap(setup),
      nextCollectAt: (roundsLeft > 0 ? findFirstRound(schedule, now) : undefined) ?? null,
      reckonedAt: now,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    },
    plan.competitorIds,
  );
  const { questionCount, settings, prompts } = plan;
  await insertSetup(tenant, {
    analysisId: id,
    version: 1,
    setup: settings,
    positions: null,
    prompts: prompts === null ? null : [...prompts],
    questionCount,
    unitCredits,
    createdBy: userId,
    createdAt: now,
  });
  await insertQuestions(tenant, rows);
  for (let number = 1; number <= (isAsked ? startedCollectCount : 0); number++) {
    const credits = cost.per_collect;
    const collect = { id: newId(), analysisId: id, number, setupVersion: 1, unitCredits, credits, at: now, newId };
    const follow = questionsFollow ? (rows.questions.length === 0 ? "all" : "some") : undefined;
    await insertCollectWithJobs(tenant, { ...collect, questionCount, questionsFollow: follow, sources, runs });
  }
  if (questionsFollow) await enqueueRemaining(tenant, launch, { sources, runs });
  if (kind.readsKeywords && launch.hasKeywordProvider)
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "read_keywords", subjectId: id, at: now });
  return row;
}

async function enqueueRemaining(
  tenant: Tenant,
  { id, quoteId, now, newId }: AnalysisLaunch<unknown>,
  asking: LaunchProgress["asking"],
): Promise<void> {
  if (quoteId === undefined) throw new Error("An analysis of many questions was launched without a quote.");
  const job = { id: newId(), kind: "launch_analysis" as const, subjectId: id, at: now };
  await enqueueBackgroundJob(tenant, job);
  await storeJobProgress(tenant.db, job.id, { quote: quoteId, asking } satisfies LaunchProgress);
}

export const LaunchProgress = z.object({
  quote: z.string(),
  asking: z.object({ sources: z.array(z.enum(JOB_TARGETS)).readonly(), runs: z.int() }),
  /** Setup completed by a lookup that pricing could not wait for. */
  found: z.record(z.string(), z.unknown()).optional(),
});
export type LaunchProgress = z.output<typeof LaunchProgress>;
