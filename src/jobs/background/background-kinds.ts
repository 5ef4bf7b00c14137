import type { BackgroundKind } from "../../../core/jobs/background.ts";
import { MAX_RECOVERY_MS, MAX_RETRY_MS } from "../../../core/jobs/waits.ts";
import type { BackgroundJob, BackgroundJobKind, BackgroundWork } from "./background.ts";
import { crawlSite } from "../audits/crawl-site.ts";
import { completeCollectJob } from "../collect/complete-collect-job.ts";
import { evaluateAssets } from "../assets/evaluate-assets.ts";
import { extractAsset } from "../assets/extract-asset.ts";
import { importAnswers } from "../imports/import-answers.ts";
import { maintainPlatform, MAX_PLATFORM_WAIT_MS } from "./maintain-platform.ts";
import { launchAnalysis } from "../collect/launch-analysis.ts";
import { launchCollect } from "../collect/launch-collect.ts";
import { MAX_EXPORT_ATTEMPTS, makeExport } from "../exports/make-export.ts";
import {
  cancelLaunch,
  truncateImport,
  failCollect,
  failExport,
  failExtraction,
  skipAsset,
  skipPage,
} from "./on-poisoned.ts";
import { readClaims } from "../rereading/read-claims.ts";
import { abandonBatches, readKeywords } from "../keywords/read-keywords.ts";
import { recommendActions } from "../actions/recommend-actions.ts";
import { rereadAnswers } from "../rereading/reread-answers.ts";
import { suggestBrands } from "../rereading/suggest-brands.ts";
import { MAX_SYNC_WAIT_MS, syncBrief } from "../actions/sync-brief.ts";
import { writeTaskBrief } from "../actions/write-brief.ts";

export const JOB_KINDS: Readonly<Record<BackgroundKind, BackgroundJobKind>> = {
  // Unlimited attempts: a crawl lasts as long as its pages, and hosts may be offline for a while.
  crawl_site: {
    run: crawlSite,
    onPoisoned: skipPage,
    lane: "crawl",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  // Unlimited attempts: credits stay reserved and people wait until it completes.
  end_collect: {
    run: completeCollectJob,
    onPoisoned: failCollect,
    lane: "collect",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  evaluate_assets: { run: evaluateAssets, onPoisoned: skipAsset, lane: "long", maxWaitMs: MAX_RETRY_MS },
  extract_asset: { run: extractAsset, onPoisoned: failExtraction, lane: "file", maxWaitMs: MAX_RETRY_MS },
  finish_outbox_entry: { run: finishOutboxEntry, lane: "short", maxWaitMs: MAX_RECOVERY_MS },
  import_answers: {
    run: importAnswers,
    onPoisoned: truncateImport,
    lane: "import",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  keep_platform: { run: maintainPlatform, lane: "short", maxWaitMs: MAX_PLATFORM_WAIT_MS },
  launch_analysis: {
    run: launchAnalysis,
    onPoisoned: cancelLaunch,
    lane: "collect",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  launch_collect: {
    run: launchCollect,
    onPoisoned: cancelLaunch,
    lane: "collect",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  make_export: {
    run: makeExport,
    onPoisoned: failExport,
    lane: "export",
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: MAX_EXPORT_ATTEMPTS,
  },
  read_claims: { run: readClaims, lane: "long", concurrency: 1, maxWaitMs: MAX_RETRY_MS },
  // Unlimited attempts: waits for the provider's tasks and must release their reservations.
  read_keywords: {
    run: readKeywords,
    onPoisoned: abandonBatches,
    lane: "long",
    concurrency: 1,
    maxWaitMs: MAX_RETRY_MS,
    maxAttempts: Infinity,
  },
  recommend_actions: { run: recommendActions, lane: "long", maxWaitMs: MAX_RETRY_MS },
  // One at a time: minutes of CPU on this thread, so two would only slow each other.
  reread_answers: { run: rereadAnswers, lane: "long", concurrency: 1, maxWaitMs: MAX_RETRY_MS },
  suggest_brands: { run: suggestBrands, lane: "long", maxWaitMs: MAX_RETRY_MS },
  sync_brief: { run: syncBrief, lane: "short", maxWaitMs: MAX_SYNC_WAIT_MS },
  write_brief: { run: writeTaskBrief, lane: "short", maxWaitMs: MAX_RETRY_MS },
};

/** Completes work outside the store that a crashed process left behind. */
async function finishOutboxEntry(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  await work.finishOutboxEntry(job.subjectId);
}
