import { EXPORT_FORMATS, EXPORT_STATUSES, EXPORT_KINDS, type ExportFilters } from "../../../core/exports/exports.ts";
import { bool, id, foreignId, index, instant, int, json, oneOf, string, table } from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

/** Requested export files. A row is deleted with its file, on expiry or on request. */
export const exports = table(
  "exports",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    what: oneOf("what", EXPORT_KINDS).notNull(),
    format: oneOf("format", EXPORT_FORMATS).notNull(),
    filters: json<ExportFilters>("filters").notNull(),
    status: oneOf("status", EXPORT_STATUSES).notNull(),
    /** Why there is no file; shown to users. */
    failureReason: string("failure_reason"),
    /** The file shows the database as of this instant. */
    asOf: instant("as_of"),
    rows: int("rows"),
    sizeBytes: int("size_bytes"),
    /** SHA-256 of the file, in hex; also the name of the stored file. */
    sha256: string("sha256"),
    hasFile: bool("has_file").notNull(),
    createdBy: foreignId("created_by", () => users.id),
    /** The API key that requested the export; null for a signed-in user. */
    createdByKey: id("created_by_key"),
    createdAt: instant("created_at").notNull(),
    finishedAt: instant("finished_at"),
    expiresAt: instant("expires_at"),
  },
  (t) => [
    index("exports_workspace").on(t.workspaceId, t.id),
    index("exports_organization").on(t.organizationId, t.status),
    index("exports_file").on(t.sha256, t.hasFile),
  ],
);
