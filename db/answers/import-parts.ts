import { and, asc, eq, gte, inArray, max, min, sql, sum } from "drizzle-orm";
import type { Instant } from "../../core/shared/time.ts";
import type { CollectRow } from "../analyses/analyses.ts";
import { insertImportedPart } from "../analyses/collects.ts";
import { lessThan, matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

// An import that spans several months is split into one collect per month.

/** Half-open interval: `to` is the first instant of the next month. */
export interface CalendarMonth {
  from: Instant;
  to: Instant;
}

export async function findImportPart({ db: { q, t }, workspaceId }: Tenant, partOf: string, month: CalendarMonth) {
  const [row] = await q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(
      and(
        matches(t.collects, { workspaceId, partOf, collectedFrom: lessThan(month.to) }),
        gte(t.collects.collectedFrom, month.from),
      ),
    );
  return row?.id;
}

export async function listImportParts({ db: { q, t }, workspaceId }: Tenant, partOf: string): Promise<CollectRow[]> {
  return q
    .select()
    .from(t.collects)
    .where(matches(t.collects, { workspaceId, partOf }))
    .orderBy(asc(t.collects.collectedFrom));
}

/** Creates the month's collect if needed. Returns false when no answers are left. */
export async function moveToImportPart(
  tenant: Tenant,
  collect: Pick<CollectRow, "id" | "analysisId" | "setupVersion">,
  { month, limit, at, newId }: { month: CalendarMonth; limit: number; at: Instant; newId: () => string },
): Promise<boolean> {
  const { q, t } = tenant.db;
  const rows = await q
    .select({ key: t.answers.key })
    .from(t.answers)
    .where(
      and(
        matches(t.answers, { collectId: collect.id, collectedAt: lessThan(month.to) }),
        gte(t.answers.collectedAt, month.from),
      ),
    )
    .limit(limit);
  if (rows.length === 0) return false;
  const keys = rows.map(({ key }) => key);
  let part = await findImportPart(tenant, collect.id, month);
  if (part === undefined) {
    part = newId();
    const { analysisId, setupVersion } = collect;
    await insertImportedPart(tenant, { id: part, analysisId, setupVersion, at, partOf: collect.id });
  }
  await updateRows(q, t.answers, inArray(t.answers.key, keys), { collectId: part });
  const [moved] = await q
    .select({
      bytes: sum(sql`length(cast(${t.answers.rawBody} as blob))`).mapWith(Number),
      from: min(t.answers.collectedAt),
      to: max(t.answers.collectedAt),
    })
    .from(t.answers)
    .where(inArray(t.answers.key, keys));
  const bytes = moved?.bytes ?? 0;
  await addCounts(tenant, collect.id, { answers: -keys.length, bytes: -bytes });
  await addCounts(tenant, part, { answers: keys.length, bytes, from: moved?.from ?? null, to: moved?.to ?? null });
  return true;
}

export async function setPeriodEnd({ db: { q, t } }: Tenant, collectId: string): Promise<void> {
  const [kept] = await q
    .select({ to: max(t.answers.collectedAt) })
    .from(t.answers)
    .where(eq(t.answers.collectId, collectId));
  await updateRows(q, t.collects, { id: collectId }, { collectedTo: kept?.to ?? null });
}

function getEarlierInstant(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || (other !== null && other < one) ? other : one;
}

function getLaterInstant(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || (other !== null && other > one) ? other : one;
}

async function addCounts(
  { db: { q, t } }: Tenant,
  collectId: string,
  by: { answers: number; bytes: number; from?: Instant | null; to?: Instant | null },
): Promise<void> {
  const { collects } = t;
  const [row] = await q
    .select({ from: collects.collectedFrom, to: collects.collectedTo })
    .from(collects)
    .where(eq(collects.id, collectId));
  await updateRows(
    q,
    collects,
    { id: collectId },
    {
      planned: sql`${collects.planned} + ${by.answers}`,
      succeeded: sql`${collects.succeeded} + ${by.answers}`,
      answerBytes: sql`${collects.answerBytes} + ${by.bytes}`,
      ...(by.from === undefined ? {} : { collectedFrom: getEarlierInstant(row?.from ?? null, by.from) }),
      ...(by.to === undefined ? {} : { collectedTo: getLaterInstant(row?.to ?? null, by.to) }),
    },
  );
}
