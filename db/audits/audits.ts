import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import { matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export async function findAudit(
  { db: { q, t }, workspaceId }: Tenant,
  { analysisId, collectId }: { analysisId: string; collectId?: string | undefined },
) {
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
export type AuditRow = NonNullable<Awaited<ReturnType<typeof findAudit>>>;

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
