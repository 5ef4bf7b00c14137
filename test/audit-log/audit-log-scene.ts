import { expect } from "vitest";
import { toAuditRow, type AuditedEvent } from "../../db/audit-log/audit-event.ts";
import { world, type Person } from "../support/world.ts";

export interface Entry {
  at: string;
  endpoint: string;
  outcome: string;
  user_email: string | null;
  [field: string]: unknown;
}

export async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const acme = await w.acme();
  const path = `${acme.organization.path}/audit-log`;
  /** The whole log with its reads, by pages. */
  async function read(query = "&include_reads=true", by: Person = acme.owner, limit = 100): Promise<Entry[]> {
    await w.deps.audit.flush();
    const rows: Entry[] = [];
    let cursor = "";
    do {
      const { status, body } = await by.get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}${query}`);
      expect([status, body.code]).toEqual([200, undefined]);
      rows.push(...body.data);
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    return rows;
  }
  return { w, ...acme, path, read, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

/** The row of an event that has a name of the test's own. */
export function namedEventRow(name: string, event: Omit<AuditedEvent, "name">, deps: Parameters<typeof toAuditRow>[1]) {
  return { ...toAuditRow({ ...event, name: "signIn" }, deps), endpoint: name };
}
