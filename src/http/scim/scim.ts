import type { OrganizationTenant } from "../../../db/engine/store.ts";
import { AppError } from "../../../core/shared/errors.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { Projection, PageWindow } from "./messages.ts";

export interface ScimContext {
  tenant: OrganizationTenant;
  /** URL of the SCIM API, without a trailing slash. */
  baseUrl: string;
  now: Instant;
  newId: () => string;
  ifMatch: string | undefined;
}

export interface Query {
  filter: string | undefined;
  pageWindow: PageWindow;
  projection: Projection;
}

/** PRECONDITION_FAILED if the version differs from the request's (RFC 7644 section 3.14). */
export async function requireVersion({ ifMatch }: ScimContext, current: () => Promise<{ meta: { version: string } }>) {
  if (ifMatch === undefined || matchesVersion(ifMatch, (await current()).meta.version)) return;
  throw new AppError(
    "PRECONDITION_FAILED",
    "The resource has changed since you read it. Read it again, then retry the change.",
  );
}

function toOpaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}

/** True if the ETags include the version; accepts `*` and compares weakly. */
export function matchesVersion(tags: string, version: string): boolean {
  return tags.split(",").some((tag) => tag.trim() === "*" || toOpaqueTag(tag) === toOpaqueTag(version));
}

export function groupRows<Row>(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}
