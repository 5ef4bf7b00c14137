import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { ActionRule, Effect } from "../../core/actions/action.ts";
import { getMaxOpenActions, type Recommendation } from "../../core/actions/recommend.ts";
import type { CollectionMethod } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import { enqueueBackgroundJob } from "../jobs/background-jobs.ts";
import { matches, pick, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export async function listKnownActions({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { recommendedActions: a } = t;
  return q
    .select(pick(a, "id", "rule", "subject", "evidence", "workflowStatus", "resolvedAt"))
    .from(a)
    .where(matches(a, { workspaceId, analysisId }))
    .orderBy(asc(a.id));
}
type KnownAction = Awaited<ReturnType<typeof listKnownActions>>[number];

/** Includes tasks measured only as a first sign. */
export async function listUnmeasuredTasks({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const rows = await q
    .select({
      ...pick(t.actionTasks, "id", "baseline", "implementedAt", "effect"),
      subject: t.recommendedActions.subject,
    })
    .from(t.actionTasks)
    .innerJoin(t.recommendedActions, eq(t.recommendedActions.id, t.actionTasks.actionId))
    .where(
      and(
        matches(t.actionTasks, { workspaceId, baseline: isNotNull }),
        eq(t.recommendedActions.analysisId, analysisId),
      ),
    )
    .orderBy(asc(t.actionTasks.id));
  return rows.flatMap(({ id, baseline, implementedAt, effect, subject }) => {
    const waits = effect === null || effect.verdict === "first_sign";
    return baseline === null || implementedAt === null || !waits
      ? []
      : [{ id, baseline, implementedAt, effect, subject }];
  });
}

/** Does nothing if the implementation was withdrawn or restarted in the meantime. */
export async function updateTaskEffect(
  { db: { q, t }, workspaceId }: Tenant,
  task: { id: string; implementedAt: Instant },
  effect: Effect,
  now: Instant,
): Promise<void> {
  await updateRows(
    q,
    t.actionTasks,
    { workspaceId, id: task.id, implementedAt: task.implementedAt },
    { effect, updatedAt: now },
  );
}

interface Observation {
  analysisId: string;
  collectId: string;
  collectionMethods: CollectionMethod[];
  /** When the collect completed; a retry of the job passes the same instant. */
  seenAt: Instant;
  now: Instant;
  newId: () => string;
}

/** Users' decisions stay unchanged. New actions are limited per rule. */
export async function storeRecommendations(tenant: Tenant, found: readonly Recommendation[], by: Observation) {
  const { q, t } = tenant.db;
  const stored = await listKnownActions(tenant, by.analysisId);
  const byIdentity = new Map(stored.map((action) => [buildActionIdentity(action), action]));
  const observed = new Map(found.map((one) => [buildActionIdentity(one), one]));
  const room = countRemainingPerRule(stored, observed);
  for (const one of found) {
    const action = byIdentity.get(buildActionIdentity(one));
    if (action) await updateAction(tenant, action, one, by);
    else if (takeSlot(room, one.rule)) await insertAction(tenant, one, by);
  }
  const unobserved = stored.filter(
    (action) => action.resolvedAt === null && !observed.has(buildActionIdentity(action)),
  );
  if (unobserved.length === 0) return;
  await updateRows(
    q,
    t.recommendedActions,
    { id: unobserved.map(({ id }) => id) },
    { resolvedAt: by.seenAt, updatedAt: by.now },
  );
}

function buildActionIdentity({ rule, subject }: { rule: ActionRule; subject: string }): string {
  return `${rule} ${subject}`;
}

/** Dismissed and resolved actions do not count towards the limit of a rule. */
function countRemainingPerRule(known: readonly KnownAction[], observed: ReadonlyMap<string, Recommendation>) {
  const room = new Map<ActionRule, number>();
  for (const action of known) {
    if (action.workflowStatus === "dismissed" || !observed.has(buildActionIdentity(action))) continue;
    room.set(action.rule, (room.get(action.rule) ?? getMaxOpenActions(action.rule)) - 1);
  }
  return room;
}

function takeSlot(room: Map<ActionRule, number>, rule: ActionRule): boolean {
  const left = room.get(rule) ?? getMaxOpenActions(rule);
  room.set(rule, left - 1);
  return left > 0;
}

function buildActionColumns(one: Recommendation, by: Observation) {
  return {
    triggerText: one.triggerText,
    actionLabel: one.actionLabel,
    category: one.category,
    channel: one.channel,
    description: one.description,
    reasoning: one.reasoning,
    evidence: one.evidence,
    evidenceCount: one.evidence.length,
    score: one.score,
    impact: one.impact,
    effort: one.effort,
    criticality: one.criticality,
    timeline: one.timeline,
    collectId: by.collectId,
    collectionMethods: by.collectionMethods,
    lastSeenAt: by.seenAt,
    resolvedAt: null,
    updatedAt: by.now,
  };
}

async function updateAction(tenant: Tenant, action: KnownAction, one: Recommendation, by: Observation): Promise<void> {
  const { q, t } = tenant.db;
  await updateRows(q, t.recommendedActions, { id: action.id }, buildActionColumns(one, by));
  const stale = await q
    .select({ taskId: t.briefs.taskId })
    .from(t.briefs)
    .innerJoin(t.actionTasks, eq(t.actionTasks.id, t.briefs.taskId))
    .where(
      and(eq(t.actionTasks.actionId, action.id), matches(t.briefs, { isUserEdited: false, partnerSubmittedAt: null })),
    )
    .orderBy(asc(t.briefs.id));
  for (const { taskId } of stale) await enqueueBriefWriting(tenant, taskId, by);
}

async function insertAction(tenant: Tenant, one: Recommendation, by: Observation): Promise<void> {
  const { db, organizationId, workspaceId } = tenant;
  const { t } = db;
  const ids = { organizationId, workspaceId, createdAt: by.now, updatedAt: by.now };
  const actionId = by.newId();
  const tasks = one.tasks.map((task, index) => ({
    ...ids,
    ...task,
    id: by.newId(),
    actionId,
    position: index + 1,
  }));
  await db.bulkInsert(t.recommendedActions, [
    {
      ...ids,
      ...buildActionColumns(one, by),
      id: actionId,
      analysisId: by.analysisId,
      rule: one.rule,
      subject: one.subject,
      workflowStatus: "new" as const,
      firstSeenAt: by.seenAt,
    },
  ]);
  await db.bulkInsert(t.actionTasks, tasks);
  await db.bulkInsert(
    t.briefs,
    tasks.map(({ id: taskId, title }) => ({
      ...ids,
      id: by.newId(),
      taskId,
      title,
      body: "",
      isUserEdited: false,
      status: "not_started" as const,
    })),
  );
  for (const { id } of tasks) await enqueueBriefWriting(tenant, id, by);
}

async function enqueueBriefWriting(tenant: Tenant, taskId: string, { now, newId }: Observation): Promise<void> {
  await enqueueBackgroundJob(tenant, { id: newId(), kind: "write_brief", subjectId: taskId, at: now });
}
