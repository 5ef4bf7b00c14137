import type { AuditRow } from "../../db/identity/audit/audit.ts";

/** A row that stands for `count` refusals of one minute. */
export type CountedRow = AuditRow & { count: number };

/**
 * Refusals of callers who have no part in what they named, by organization, interface, outcome and minute. Anyone can cause
 * them, so that each must cost the organization's log and our memory nothing.
 */
export interface RefusalCounts {
  count(row: AuditRow): void;
  /** What was counted since the last time, as rows that take the place of those given before with the same id. */
  take(): CountedRow[];
  /** Takes back what could not be stored. */
  putBack(rows: readonly CountedRow[]): void;
}

/** More of a minute are counted as of no organization. */
const MOST_ROWS = 1000;

export function openRefusalCounts(mostRows = MOST_ROWS): RefusalCounts {
  let minute = "";
  const rows = new Map<string, CountedRow>();
  const changed = new Map<string, CountedRow>();

  function rowFor(of: AuditRow): CountedRow {
    const keyOf = (organizationId: string | null | undefined) => `${organizationId} ${of.door} ${of.outcome}`;
    const known = rows.get(keyOf(of.organizationId));
    if (known) return known;
    // Those that are counted already go on; what is new beyond the bound is counted together.
    const organizationId = rows.size < mostRows ? of.organizationId : null;
    const row = rows.get(keyOf(organizationId)) ?? { ...anonymous(of), organizationId, count: 0 };
    rows.set(keyOf(organizationId), row);
    return row;
  }

  return {
    count(refused) {
      const now = refused.at.slice(0, "2026-11-21T04:31".length);
      if (now !== minute) rows.clear();
      minute = now;
      const row = rowFor(refused);
      row.count++;
      changed.set(row.id, row);
    },
    take() {
      const taken = [...changed.values()].map((row) => ({ ...row }));
      changed.clear();
      return taken;
    },
    putBack(taken) {
      for (const row of taken) if (!changed.has(row.id)) changed.set(row.id, row);
    },
  };
}

/** Of the first of those that a row stands for, what is true of all. */
function anonymous(row: AuditRow): AuditRow {
  const nothing = { workspaceId: null, userId: null, clientId: null, argumentsHash: "", scopes: "" };
  return { ...row, ...nothing, endpoint: "refusedCalls" };
}
