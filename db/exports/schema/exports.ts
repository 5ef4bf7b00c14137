import { EXPORT_FORMATS, EXPORT_STATUSES, EXPORT_KINDS, type ExportFilters } from "../../../core/exports/exports.ts";
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** A row is deleted with its file, on expiry or on request. */
export const exports = c.table(
  "exports",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    what: c.oneOf("what", EXPORT_KINDS).notNull(),
    format: c.oneOf("format", EXPORT_FORMATS).notNull(),
    filters: c.json<ExportFilters>("filters").notNull(),
    status: c.oneOf("status", EXPORT_STATUSES).notNull(),
    /** Shown to users. */
    failureReason: c.string("failure_reason"),
    /** The file shows the database as of this instant. */
    asOf: c.instant("as_of"),
    rows: c.int("rows"),
    sizeBytes: c.int("size_bytes"),
    /** In hex; also the name of the stored file. */
    sha256: c.string("sha256"),
    hasFile: c.bool("has_file").notNull(),
    createdBy: c.foreignId("created_by", () => users.id),
    /** Null for a signed-in user. */
    createdByKey: c.id("created_by_key"),
    createdAt: c.instant("created_at").notNull(),
    finishedAt: c.instant("finished_at"),
    expiresAt: c.instant("expires_at"),
  },
  (t) => [
    c.index("exports_workspace").on(t.workspaceId, t.id),
    c.index("exports_organization").on(t.organizationId, t.status),
    c.index("exports_file").on(t.sha256, t.hasFile),
  ],
);
