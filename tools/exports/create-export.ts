import { z } from "zod";
import {
  EXPORT_MEDIA_TYPES,
  findExportLimitError,
  MAX_INLINE_EXPORT,
  type ExportFilter,
} from "../../core/exports/exports.ts";
import { invalidInput } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { countExports, findExport, insertExport, listUnknownIds } from "../../db/exports/exports.ts";
import { endpoint, Queued } from "../endpoint.ts";
import { Export, exportRequestFields, toSentFile, Filters, shapeExport } from "./export.ts";
import { EXPORT_TABLES } from "./export-tables.ts";
import { formatInteger } from "../../core/shared/format-count.ts";

const FIELDS_OF_FINISHED = { url: true, rows: true, size_bytes: true, sha256: true, as_of: true } as const;
const QueuedExportSchema = Export.omit(FIELDS_OF_FINISHED);

export const createExport = endpoint({
  name: "createExport",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/exports",
  group: "Analyses",
  summary: "Export rows as a file",
  logged: "Exported {what} as {format}",
  description: `Exports a snapshot of a table as CSV, JSON Lines or Parquet. Up to ${formatInteger(MAX_INLINE_EXPORT.rows)} rows that are ready within ${MAX_INLINE_EXPORT.waitMs / 1000} seconds return 200 and the file; larger exports return 202, and get_export has a link once they complete. The signed link needs no sign-in and works for 24 hours, unless the export is deleted, the workspace is archived, or the person or key that created the export loses access to the workspace.`,
  access: { workspace: "viewer" },
  isAllowedWhenArchived: true,
  notATool: "bulk data",
  input: z.strictObject({
    ...workspacePath,
    ...exportRequestFields,
    filters: Filters.optional().describe("Filter; default: all rows."),
  }),
  output: Export,
  sendsFile: { mediaTypes: Object.values(EXPORT_MEDIA_TYPES), toSentFile },
  errors: ["VALIDATION_FAILED"],
  async handle({ what, format, filters = {} }, { tenant, caller, userId, now, newId, exportLinks }) {
    await rejectFilters(tenant, { what, filters });
    const full = findExportLimitError(await countExports(tenant));
    if (full) throw full;
    const id = newId();
    const createdByKey = caller?.reach ? caller.clientId : null;
    const row = await insertExport(tenant, {
      id,
      what,
      format,
      filters,
      createdBy: userId,
      createdByKey,
      createdAt: now,
    });
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "make_export", subjectId: id, at: now });
    return new Queued(shapeExport(row, exportLinks));
  },
  job: {
    queued: QueuedExportSchema,
    waitMs: MAX_INLINE_EXPORT.waitMs,
    async findResult({ id }: z.output<typeof QueuedExportSchema>, tenant) {
      const row = await findExport(tenant, id);
      if (row?.status === "queued" || row?.status === "running") return undefined;
      if (!row?.hasFile || (row.rows ?? 0) > MAX_INLINE_EXPORT.rows) return null;
      return shapeExport(row);
    },
  },
});

/** VALIDATION_FAILED for filters that the table lacks, and for ids without rows in the workspace. */
async function rejectFilters(
  tenant: Tenant,
  { what, filters }: { what: keyof typeof EXPORT_TABLES; filters: z.output<typeof Filters> },
): Promise<void> {
  const { filters: supported } = EXPORT_TABLES[what];
  const filterNames = (Object.keys(filters) as ExportFilter[]).filter((name) => filters[name] !== undefined); // safe: the schema is strict
  const unused = filterNames.filter((name) => !supported.includes(name));
  if (unused.length > 0) {
    throw invalidInput(
      unused.map((name) => ({
        path: `filters.${name}`,
        message: `does not apply to exports of ${what}`,
        allowed: [...supported],
      })),
    );
  }
  for (const name of filterNames) {
    if (name === "sources") continue;
    const unknown = await listUnknownIds(tenant, name, filters);
    if (unknown.length > 0) {
      throw invalidInput([
        { path: `filters.${name}`, message: `has ${unknown.length} that the workspace does not have` },
      ]);
    }
  }
}
