import { and, asc, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import { LEVELS, type ActionSort } from "../../core/actions/action.ts";
import type { tables } from "../schema.ts";
import { greaterThan, findRow, matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type ActionRow = typeof tables.recommendedActions.$inferSelect;
export type ActionSummaryRow = Omit<ActionRow, "evidence" | "reasoning" | "triggerText" | "subject">;

export interface ActionFilter {
  analysis_id?: string | undefined;
  /** `open` matches every status except `dismissed`. */
  workflow_status?: ActionRow["workflowStatus"] | "open" | undefined;
  category?: ActionRow["category"] | undefined;
  channel?: ActionRow["channel"] | undefined;
  rule?: ActionRow["rule"] | undefined;
  still_observed?: boolean | undefined;
}

interface ActionOrder {
  sort: ActionSort;
  sort_direction: "asc" | "desc";
}

const SORT_COLUMNS = {
  score: "score",
  impact: "impact",
  effort: "effort",
  category: "category",
  channel: "channel",
  evidence_count: "evidenceCount",
  action_label: "actionLabel",
} as const satisfies Record<ActionSort, keyof ActionSummaryRow>;

const isLevel = (sort: ActionSort) => sort === "impact" || sort === "effort";

export function buildActionCursorKey(row: ActionSummaryRow, sort: ActionSort): [string | number, number, string] {
  const value = isLevel(sort) ? LEVELS.indexOf(row[sort as "impact"]) : row[SORT_COLUMNS[sort]];
  return [value, row.score, row.id];
}

export async function listActions(
  { db: { q, t }, workspaceId }: Tenant,
  filter: ActionFilter,
  { sort, sort_direction: direction, limit, after }: Page & ActionOrder,
): Promise<ActionSummaryRow[]> {
  const {
    evidence: _e,
    reasoning: _r,
    triggerText: _t,
    subject: _s,
    ...columns
  } = getTableColumns(t.recommendedActions);
  const { recommendedActions: a } = t;
  const { workflow_status: state, ...others } = filter;
  const column = a[SORT_COLUMNS[sort]];
  const places = sql.join(
    LEVELS.map((level, at) => sql`when ${level} then ${at}`),
    sql` `,
  );
  const value = isLevel(sort) ? sql<string | number>`(case ${column} ${places} end)` : sql<string | number>`${column}`;
  const [beyond, way] = direction === "asc" ? [gt, asc] : [lt, desc];
  const [last = "", score = "", id = ""] = after ?? [];
  const lastValue = column.dataType === "string" && !isLevel(sort) ? last : Number(last);
  const behindTies = or(lt(a.score, Number(score)), matches(a, { score: Number(score), id: greaterThan(id) }));
  return q
    .select(columns)
    .from(a)
    .where(
      and(
        eq(a.workspaceId, workspaceId),
        ...filterConditions(others, a),
        state === "open" ? ne(a.workflowStatus, "dismissed") : state && eq(a.workflowStatus, state),
        after === null ? undefined : or(beyond(value, lastValue), and(eq(value, lastValue), behindTies)),
      ),
    )
    .orderBy(way(value), ...(sort === "score" ? [] : [desc(a.score)]), asc(a.id))
    .limit(limit + 1);
}

export async function countActionStatuses(
  { db: { q, t }, workspaceId }: Tenant,
  filter: Omit<ActionFilter, "workflow_status">,
): Promise<Record<ActionRow["workflowStatus"], number>> {
  const { recommendedActions: a } = t;
  const counts = await q
    .select({ status: a.workflowStatus, actions: count() })
    .from(a)
    .where(and(eq(a.workspaceId, workspaceId), ...filterConditions(filter, a)))
    .groupBy(a.workflowStatus);
  const of = (status: ActionRow["workflowStatus"]) => counts.find((one) => one.status === status)?.actions ?? 0;
  return { new: of("new"), confirmed: of("confirmed"), dismissed: of("dismissed") };
}

function filterConditions(
  { analysis_id, category, channel, rule, still_observed }: Omit<ActionFilter, "workflow_status">,
  a: typeof tables.recommendedActions,
) {
  return [
    analysis_id && eq(a.analysisId, analysis_id),
    category && eq(a.category, category),
    channel && eq(a.channel, channel),
    rule && eq(a.rule, rule),
    still_observed === undefined ? undefined : still_observed ? isNull(a.resolvedAt) : isNotNull(a.resolvedAt),
  ].filter((one) => typeof one === "object");
}

export async function findAction({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<ActionRow | undefined> {
  return findRow(q, t.recommendedActions, { workspaceId, id });
}

export async function listActionTasks({ db: { q, t }, workspaceId }: Tenant, actionId: string) {
  return q
    .select({
      ...getTableColumns(t.actionTasks),
      briefId: t.briefs.id,
      readyAt: t.briefs.readyAt,
      status: t.briefs.status,
    })
    .from(t.actionTasks)
    .innerJoin(t.briefs, eq(t.briefs.taskId, t.actionTasks.id))
    .where(matches(t.actionTasks, { workspaceId, actionId }))
    .orderBy(asc(t.actionTasks.position), asc(t.actionTasks.id));
}
export type TaskRow = Awaited<ReturnType<typeof listActionTasks>>[number];

export async function listActionStatuses({ db: { q, t }, workspaceId }: Tenant, ids: readonly string[]) {
  const { recommendedActions: a } = t;
  return q
    .select({ id: a.id, workflowStatus: a.workflowStatus })
    .from(a)
    .where(matches(a, { workspaceId, id: ids }))
    .orderBy(asc(a.id));
}

export async function updateActionStatus(
  { db: { q, t }, workspaceId }: Tenant,
  ids: readonly string[],
  change: Pick<ActionRow, "workflowStatus" | "dismissReason" | "dismissComment" | "updatedAt">,
): Promise<void> {
  if (ids.length === 0) return;
  await updateRows(q, t.recommendedActions, { workspaceId, id: ids }, change);
}

export async function updateTaskImplementation(
  { db: { q, t }, workspaceId }: Tenant,
  taskId: string,
  change: Pick<TaskRow, "implementedAt" | "baseline" | "effect" | "updatedAt">,
): Promise<void> {
  await updateRows(q, t.actionTasks, { workspaceId, id: taskId }, change);
}

export async function findCollectNumber({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [row] = await q
    .select({ number: t.collects.number })
    .from(t.collects)
    .where(matches(t.collects, { workspaceId, id: collectId }));
  return row?.number;
}
