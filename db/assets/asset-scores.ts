import { and, asc, avg, count, eq, gt, inArray } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { EvaluationRow } from "./asset-evaluations.ts";
import type { tables } from "../schema.ts";
import { matches, updateRows } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

type ScoreRow = typeof tables.assetScores.$inferSelect;

export interface EvaluationRunId {
  evaluationId: string;
  run: number;
}

export async function insertScores(db: Db, { evaluationId, run }: EvaluationRunId, assetIds: readonly string[]) {
  const empty = { status: "waiting" as const, quotes: [], attributes: [], droppedQuotes: 0 };
  const rows = assetIds.map((assetId, position) => ({ evaluationId, run, position, assetId, ...empty }));
  await db.bulkInsert(db.t.assetScores, rows);
}

export async function listRunAssets({ db: { q, t }, workspaceId }: Tenant, { evaluationId, run }: EvaluationRunId) {
  return q
    .select({ id: t.assets.id, name: t.assets.name, status: t.assets.status })
    .from(t.assetScores)
    .innerJoin(t.assets, eq(t.assets.id, t.assetScores.assetId))
    .where(and(eq(t.assets.workspaceId, workspaceId), matches(t.assetScores, { evaluationId, run })))
    .orderBy(asc(t.assetScores.position));
}

export async function listScores(
  { db: { q, t }, workspaceId }: Tenant,
  { evaluationId, run }: EvaluationRunId,
  page: Page,
) {
  const s = t.assetScores;
  const rows = await q
    .select({ score: s, assetName: t.assets.name })
    .from(s)
    .innerJoin(t.assets, eq(t.assets.id, s.assetId))
    .where(
      and(
        eq(t.assets.workspaceId, workspaceId),
        matches(s, { evaluationId, run }),
        page.after?.[0] === undefined ? undefined : gt(s.position, Number(page.after[0])),
      ),
    )
    .orderBy(asc(s.position))
    .limit(page.limit + 1);
  return rows.map(({ score, assetName }) => ({ ...score, assetName }));
}

/** Not tenant-scoped: the evaluation belongs to the job of the caller. */
export async function listUnscoredAssets({ q, t }: Db, { evaluationId, run }: EvaluationRunId) {
  const s = t.assetScores;
  return q
    .select({ position: s.position, assetId: s.assetId })
    .from(s)
    .where(matches(s, { evaluationId, run, status: "waiting" }))
    .orderBy(asc(s.position));
}

type ScoreResult = Pick<
  ScoreRow,
  "status" | "reason" | "score" | "explanation" | "quotes" | "attributes" | "droppedQuotes" | "scorer"
>;

/** Idempotent: a stored score is never overwritten. */
export async function storeScore(
  { q, t }: Db,
  key: EvaluationRunId & { position: number },
  result: ScoreResult,
  at: Instant,
): Promise<void> {
  const s = t.assetScores;
  await updateRows(
    q,
    s,
    { evaluationId: key.evaluationId, run: key.run, position: key.position, status: "waiting" },
    { ...result, finishedAt: at },
  );
}

export async function summariseRun({ q, t }: Db, { id, run }: EvaluationRow) {
  const s = t.assetScores;
  const scope = matches(s, { evaluationId: id, run });
  const [judged] = await q
    .select({ assets: count(), score: avg(s.score) })
    .from(s)
    .where(and(scope, eq(s.status, "judged")));
  const [other] = await q
    .select({ reason: s.reason })
    .from(s)
    .where(and(scope, inArray(s.status, ["not_judged", "failed"])))
    .orderBy(asc(s.position))
    .limit(1);
  const mean = judged?.score == null ? null : Math.round(Number(judged.score) * 10) / 10;
  return { judged: judged?.assets ?? 0, score: mean, otherReason: other?.reason ?? null };
}
