import { listUnscoredAssets, storeScore } from "../../../db/assets/asset-scores.ts";
import { findEvaluation } from "../../../db/assets/asset-evaluations.ts";
import { failAsset } from "../../../db/assets/assets.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { findAnalysis, findAnalysisByCollect } from "../../../db/analyses/analyses.ts";
import {
  sumAnswerTotals,
  addFinishedJobs,
  findFinishingCollect,
  startCollects,
} from "../../../db/analyses/collect-progress.ts";
import { findCrawl, findNextPage, findNextAttempt, storePage } from "../../../db/audits/crawls.ts";
import { finishExport } from "../../../db/exports/exports.ts";
import { listImportParts } from "../../../db/answers/import-parts.ts";
import { finishImport, findImport, recordImportProgress } from "../../../db/answers/imports.ts";
import { failQueuedJobs } from "../../../db/jobs/collect-jobs.ts";
import { computeExportExpiry } from "../../../core/exports/exports.ts";
import { POISONED_REASON } from "../../../core/jobs/worker-failures.ts";
import { cancelOpenCollects } from "../../../tools/collects/cancel-planned.ts";
import { completeCollect } from "../../../tools/collects/complete-collect.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import { toSkippedPage } from "../audits/crawl-page.ts";
import type { BackgroundJobKind, BackgroundWork } from "./background.ts";

// Handlers for a job that crashed the worker twice: each completes an item that people wait for.

type OnPoisoned = NonNullable<BackgroundJobKind["onPoisoned"]>;

export const failExport: OnPoisoned = async (job, { store, now }) => {
  const finishedAt = now();
  const end = {
    status: "failed",
    failureReason: POISONED_REASON,
    finishedAt,
    expiresAt: computeExportExpiry(finishedAt),
  } as const;
  await tenantStore(store, job).write((tenant) => finishExport(tenant, job.subjectId, end));
  return false;
};

export const failExtraction: OnPoisoned = async (job, { store, now }) => {
  const end = { id: job.subjectId, reason: POISONED_REASON, at: now() };
  await tenantStore(store, job).write((tenant) => failAsset(tenant, end));
  return false;
};

export const skipAsset: OnPoisoned = async (job, { store, now, outside }) =>
  tenantStore(store, job).write(async (tenant) => {
    const evaluation = await findEvaluation(tenant, job.subjectId);
    if (!evaluation) return false;
    const run = { evaluationId: evaluation.id, run: evaluation.run };
    const [asset] = await listUnscoredAssets(tenant.db, run);
    if (!asset) return false;
    const nothing = { score: null, explanation: null, quotes: [], attributes: [], droppedQuotes: 0 };
    const failed = { ...nothing, status: "failed" as const, reason: POISONED_REASON, scorer: outside.scorer.name };
    await storeScore(tenant.db, { ...run, position: asset.position }, failed, now());
    return true;
  });

/** The fixed page order identifies the page in progress. Before the first page, skips all. */
export const skipPage: OnPoisoned = async (job, work) => {
  const at = work.now();
  return tenantStore(work.store, job).write(async (tenant) => {
    const crawl = await findCrawl(tenant, job.subjectId);
    if (!crawl) return false;
    const { collect, audit } = crawl;
    const page = audit && (await findNextPage(tenant, collect.id, { before: null, now: at }));
    if (page) {
      const { checksVersion } = audit;
      const skipped = { collectId: collect.id, checksVersion, fetchedAt: at, skippedReason: POISONED_REASON };
      await storePage(tenant, toSkippedPage(page, skipped), at);
      return true;
    }
    // The crash occurred while reading the site or summarising the run.
    if (audit && (await findNextAttempt(tenant, collect.id)) !== null) return true;
    await failAllQuestions(tenant, collect.id, work);
    return false;
  });
};

async function failAllQuestions(tenant: Tenant, collectId: string, { now, newId }: BackgroundWork): Promise<void> {
  const at = now();
  await startCollects(tenant.db, [collectId], at);
  const reason = { ids: [], reason: POISONED_REASON, outcome: "internal", now: at } as const;
  for (let failed = 1; failed > 0;) {
    failed = await failQueuedJobs(tenant.db, collectId, reason);
    await addFinishedJobs(tenant.db, collectId, { succeeded: 0, failed, added: sumAnswerTotals([]) });
  }
  await enqueueBackgroundJob(tenant, { id: newId(), kind: "end_collect", subjectId: collectId, at });
}

/** Imported answers stay. */
export const truncateImport: OnPoisoned = async (job, work) =>
  tenantStore(work.store, job).write(async (tenant) => {
    const found = await findImport(tenant, job.subjectId);
    if (!found) return false;
    const { body, collect } = found;
    if (body.endedAt !== null) return failImportParts(tenant, collect.id, work);
    const message = "Reading the lines from here on stopped the worker twice. These lines are not imported.";
    const rest = { from: body.offsetBytes, offsetBytes: body.sizeBytes, linesRead: body.linesRead + 1 };
    const rejectedLines = [{ line: rest.linesRead, message }];
    await recordImportProgress(tenant, collect.id, { ...rest, collectName: body.collectName, rejectedLines });
    await finishImport(tenant, collect.id, { readTo: body.sizeBytes, at: work.now() });
    return true;
  });

/** The job continues, to release the file. */
async function failImportParts(tenant: Tenant, collectId: string, work: BackgroundWork): Promise<boolean> {
  const parts = await listImportParts(tenant, collectId);
  for (const id of [...parts.map((part) => part.id), collectId]) await failCollectEnd(tenant, id, work);
  return true;
}

export const failCollect: OnPoisoned = async (job, work) => {
  await tenantStore(work.store, job).write((tenant) => failCollectEnd(tenant, job.subjectId, work));
  return false;
};

async function failCollectEnd(tenant: Tenant, collectId: string, { now, newId }: BackgroundWork): Promise<void> {
  const ending = await findFinishingCollect(tenant, collectId);
  if (!ending) return;
  const { collect, type } = ending;
  const end = { collect, kind: getAnalysisKind(type), sums: null, spent: 0 };
  await completeCollect(tenant.db, end, { now: now(), newId });
}

export const cancelLaunch: OnPoisoned = async (job, work) => {
  await tenantStore(work.store, job).write(async (tenant) => {
    const find = job.kind === "launch_analysis" ? findAnalysis : findAnalysisByCollect;
    const analysis = await find(tenant, job.subjectId);
    if (analysis) await cancelOpenCollects(tenant, analysis, { now: work.now(), newId: work.newId });
  });
  return false;
};
