import { finishEvaluationRun, type EvaluationRow } from "../../db/assets/asset-evaluations.ts";
import { releaseReserved, spendReserved } from "../../db/credits/credits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";

/** Spends the credits of judged assets and releases the rest. Undefined if already ended. */
export async function completeRun(
  tenant: Tenant,
  evaluation: EvaluationRow,
  end: { status: EvaluationRow["status"]; statusReason: string | null; judged: number; score: number | null },
  by: { at: Instant; newId: () => string },
): Promise<EvaluationRow | undefined> {
  const costCredits = end.judged * evaluation.unitCredits;
  const row = await finishEvaluationRun(tenant.db, evaluation, { ...end, costCredits }, by.at);
  if (!row) return undefined;
  const { id: evaluationId, workspaceId } = evaluation;
  const cause = (note: string) => ({ id: by.newId(), at: by.at, note, workspaceId, evaluationId });
  await spendReserved(tenant, costCredits, cause(`Assets that were judged: ${end.judged}`));
  const rest = evaluation.planned - end.judged;
  const unspent = evaluation.reservedCredits - costCredits;
  await releaseReserved(tenant, unspent, cause(`Assets that were not judged: ${rest}`));
  return row;
}
