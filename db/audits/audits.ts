import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import type { CollectStatus } from "../../core/analyses/analysis.ts";
import type { AuditSummary, StoredFinding } from "../../core/audits/audit-rows.ts";
import type { Instant } from "../../core/shared/time.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export interface AuditRow {
  collectId: string;
  number: number;
  status: CollectStatus;
  checksVersion: number;
  isSimulated: boolean;
  findings: StoredFinding[];
  summary: AuditSummary | null;
  startedAt: Instant;
  finishedAt: Instant | null;
}

export async function findAudit(
  { db: { q, t }, workspaceId }: Tenant,
  { analysisId, collectId }: { analysisId: string; collectId?: string | undefined },
): Promise<AuditRow | undefined> {
  const { audits, collects } = t;
  const [row] = await q
    .select({
      collectId: audits.collectId,
      number: collects.number,
      status: collects.status,
      ...pick(audits, "checksVersion", "isSimulated", "findings", "summary", "startedAt"),
      finishedAt: collects.finishedAt,
    })
    .from(audits)
    .innerJoin(collects, eq(collects.id, audits.collectId))
    .where(
      and(
        eq(collects.workspaceId, workspaceId),
        eq(audits.analysisId, analysisId),
        collectId === undefined ? isNotNull(audits.summary) : eq(audits.collectId, collectId),
      ),
    )
    .orderBy(desc(collects.number))
    .limit(1);
  return row;
}

export interface CollectInProgress {
  collectId: string;
  number: number;
  status: CollectStatus;
  planned: number;
  succeeded: number;
  failed: number;
}

export async function findCollectInProgress({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { id: collectId, number, status, planned, succeeded, failed } = t.collects;
  const [row] = await q
    .select({ collectId, number, status, planned, succeeded, failed })
    .from(t.collects)
    .where(and(matches(t.collects, { workspaceId, analysisId }), inArray(status, ["queued", "running"])))
    .orderBy(desc(number))
    .limit(1);
  return row;
}
