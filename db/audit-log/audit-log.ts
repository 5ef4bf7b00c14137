import { and, desc, eq, gt, gte, lt, lte, ne, notInArray, or, sql, type SQLWrapper } from "drizzle-orm";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { AuditRow } from "./audit.ts";
import { lessThan, matches, pick } from "../engine/rows.ts";
import type { OrganizationTenant } from "../engine/store.ts";

export interface AuditFilter {
  userId?: string | undefined;
  endpoint?: string | undefined;
  outcome?: string | undefined;
  /** Endpoints whose successful calls are omitted. */
  without?: readonly string[] | undefined;
  from?: Instant | undefined;
  to?: Instant | undefined;
}

export type AuditLogRow = Omit<AuditRow, "argumentsHash"> & {
  text: string | null;
  count: number;
  userEmail: string | null;
  clientName: string | null;
};

type LogPosition = readonly [at: Instant, id: string];

/** Rare values must not block other requests. */
const MAX_SEARCHED_PER_PAGE = 20_000;

/** `searchedTo` is null at the end. Names a user only if a member or if the call succeeded. */
export async function listAuditLog(
  { db: { q, t }, organizationId }: OrganizationTenant,
  filter: AuditFilter,
  page: Page,
): Promise<{ rows: AuditLogRow[]; searchedTo: LogPosition | null }> {
  const { auditLog: log, organizationMembers: members } = t;
  const { userId, endpoint, outcome, without = [], from, to } = filter;
  const [at, id] = page.after ?? [];
  const among = and(
    matches(log, { organizationId, at: lessThan(to) }),
    from === undefined ? undefined : gte(log.at, from),
    at === undefined || id === undefined
      ? undefined
      : and(lte(log.at, at), or(lt(log.at, at), matches(log, { at, id: lessThan(id) }))),
  );
  const isFiltered = userId !== undefined || endpoint !== undefined || outcome !== undefined || without.length > 0;
  const [stop] = isFiltered
    ? await q
        .select({ at: log.at, id: log.id })
        .from(log)
        .where(among)
        .orderBy(desc(log.at), desc(log.id))
        .limit(1)
        .offset(MAX_SEARCHED_PER_PAGE - 1)
    : [];
  const ofOwnPeople = (column: SQLWrapper) =>
    sql<string | null>`case when ${members.userId} is not null or ${log.outcome} = 'ok' then ${column} end`;
  const rows = await q
    .select({
      ...pick(log, "id", "at", "organizationId"),
      // Read from the joined workspace, because a call can name another organization's workspace.
      workspaceId: t.workspaces.id,
      userId: ofOwnPeople(log.userId),
      userEmail: ofOwnPeople(t.users.email),
      clientId: ofOwnPeople(log.clientId),
      clientName: sql<string | null>`coalesce(${ofOwnPeople(t.apiKeys.name)}, ${t.scimTokens.name})`,
      ...pick(log, "door", "endpoint", "text", "scopes", "confirmation", "costCredits", "outcome"),
      ...pick(log, "requestId", "count"),
    })
    .from(log)
    .leftJoin(t.users, eq(t.users.id, log.userId))
    .leftJoin(members, matches(members, { organizationId: log.organizationId, userId: log.userId }))
    .leftJoin(t.workspaces, matches(t.workspaces, { id: log.workspaceId, organizationId }))
    .leftJoin(t.apiKeys, matches(t.apiKeys, { id: log.clientId, userId: log.userId }))
    .leftJoin(t.scimTokens, matches(t.scimTokens, { id: log.clientId, organizationId: log.organizationId }))
    .where(
      and(
        among,
        matches(log, { userId, endpoint, outcome }),
        without.length === 0 ? undefined : or(ne(log.outcome, "ok"), notInArray(log.endpoint, [...without])),
        stop && and(gte(log.at, stop.at), or(gt(log.at, stop.at), gte(log.id, stop.id))),
      ),
    )
    .orderBy(desc(log.at), desc(log.id))
    .limit(page.limit + 1);
  return { rows, searchedTo: stop ? [stop.at, stop.id] : null };
}
