import type { OrganizationTenant } from "../../../db/engine/store.ts";
import { AppError } from "../../../core/errors.ts";
import type { Instant } from "../../../core/time.ts";
import type { Projection, Window } from "./messages.ts";

/** What a provisioning request works with: one organization, its token's. */
export interface Scim {
  tenant: OrganizationTenant;
  /** Address of the interface, without a slash at its end. */
  base: string;
  now: Instant;
  newId: () => string;
  /** The versions of which one must be the resource's; undefined where any will do. */
  ifMatch: string | undefined;
}

/** What a list is asked for. */
export interface Query {
  filter: string | undefined;
  window: Window;
  projection: Projection;
}

/** PRECONDITION_FAILED where the resource is another version than the request names (RFC 7644 section 3.14). */
export async function requireVersion(
  { ifMatch }: Scim,
  current: () => Promise<{ meta: { version: string } }>,
): Promise<void> {
  if (ifMatch === undefined || namesVersion(ifMatch, (await current()).meta.version)) return;
  throw new AppError("PRECONDITION_FAILED", "The resource has changed since. Read it again, then send the change.");
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** True where a list of entity tags has this one, or any. Tags are compared weakly. */
export function namesVersion(tags: string, version: string): boolean {
  return tags.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(version));
}

/** Rows by what they belong to. */
export function gathered<Row>(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
