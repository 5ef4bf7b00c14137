import { findEvaluation, startEvaluationRun, type EvaluationRow } from "../../../db/assets/asset-evaluations.ts";
import { listUnscoredAssets, storeScore, summariseRun } from "../../../db/assets/asset-scores.ts";
import { findAsset, findAssetText } from "../../../db/assets/assets.ts";
import { clearWorkerFailures } from "../../../db/jobs/background-jobs.ts";
import { findBrand } from "../../../db/catalog/brands.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { completeRun } from "../../../tools/asset-evaluations/complete-run.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { ScorerError, type Criteria, type ScoringResult } from "../../../core/assets/scorer.ts";
import type { BackgroundHandler, BackgroundWork } from "../background/background.ts";

/** Resumes after a crash; the transaction that completes the run settles credits once. */
export const evaluateAssets: BackgroundHandler = async (job, work) => {
  const store = tenantStore(work.store, job);
  const evaluation = await store.read((tenant) => findOpenEvaluation(tenant, job.subjectId));
  if (!evaluation) return;
  const { id: evaluationId, run } = evaluation;
  await store.write(({ db }) => startEvaluationRun(db, evaluation, work.now()));
  const { criteria, waiting } = await store.read(async (tenant) => ({
    criteria: await loadCriteria(tenant, evaluation),
    waiting: await listUnscoredAssets(tenant.db, { evaluationId, run }),
  }));
  for (const { position, assetId } of waiting) {
    const judgement = await judge(store, assetId, { criteria, work });
    work.signal.throwIfAborted();
    const result = toResultRow(judgement, work.outside.scorer.name);
    await store.write(async (tenant) => {
      const still = await findOpenEvaluation(tenant, evaluationId);
      if (still?.run === run) await storeScore(tenant.db, { evaluationId, run, position }, result, work.now());
      await clearWorkerFailures(tenant.db, job);
    });
    if (!(await store.read((tenant) => findOpenEvaluation(tenant, evaluationId)))) return;
  }
  await store.write((tenant) => finish(tenant, evaluationId, work));
};

async function findOpenEvaluation(tenant: Tenant, id: string): Promise<EvaluationRow | undefined> {
  const row = await findEvaluation(tenant, id);
  return row?.status === "queued" || row?.status === "running" ? row : undefined;
}

async function loadCriteria(tenant: Tenant, evaluation: EvaluationRow): Promise<Criteria> {
  const { category, attributes, brandId, language } = evaluation;
  const brand = brandId === null ? undefined : await findBrand(tenant, brandId);
  const brandNames = brand ? [brand.name, ...brand.aliases.map((alias) => alias.text)] : [];
  return { category, attributes, brandNames, language };
}

type EvaluationOutcome = ScoringResult | { kind: "failed"; reason: string };

async function judge(
  store: TenantStore,
  assetId: string,
  by: { criteria: Criteria; work: BackgroundWork },
): Promise<EvaluationOutcome> {
  const { blobs, outside } = by.work;
  const { asset, text } = await store.read(async (tenant) => ({
    asset: await findAsset(tenant, assetId),
    text: (await findAssetText(tenant, assetId)) ?? "",
  }));
  if (!asset) return { kind: "not_judged", reason: "The asset no longer exists." };
  if (asset.status === "failed") return { kind: "not_judged", reason: "The file of the asset could not be read." };
  const bytes = asset.hasFile ? () => blobs.read(asset.sha256) : undefined;
  const judged = { type: asset.type, mediaType: asset.mediaType, text, bytes, sizeBytes: asset.sizeBytes };
  try {
    return await outside.scorer.score(judged, by.criteria, { signal: by.work.signal });
  } catch (error) {
    by.work.signal.throwIfAborted();
    by.work.log.warn({ err: error, assetId }, "could not evaluate an asset");
    if (error instanceof ScorerError) return { kind: "failed", reason: error.message };
    return { kind: "failed", reason: "The evaluation failed. The log of the service has the reason." };
  }
}

function toResultRow(outcome: EvaluationOutcome, scorer: string) {
  const none = { score: null, explanation: null, quotes: [], attributes: [], droppedQuotes: 0, scorer };
  if (outcome.kind !== "judged") return { ...none, status: outcome.kind, reason: outcome.reason };
  const { overall, attributes, droppedQuotes } = outcome;
  return { ...none, ...overall, status: "judged" as const, reason: null, attributes, droppedQuotes };
}

async function finish(tenant: Tenant, id: string, { now, newId }: BackgroundWork): Promise<void> {
  const evaluation = await findOpenEvaluation(tenant, id);
  if (!evaluation) return;
  const { judged, score, otherReason } = await summariseRun(tenant.db, evaluation);
  const status = judged === evaluation.planned ? "completed" : judged > 0 ? "partial" : "failed";
  const end = { status, statusReason: otherReason, judged, score } as const;
  await completeRun(tenant, evaluation, end, { at: now(), newId });
}
