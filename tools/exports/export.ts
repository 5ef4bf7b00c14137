import { z } from "zod";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  EXPORT_FORMATS,
  EXPORT_MEDIA_TYPES,
  EXPORT_STATUSES,
  EXPORT_KINDS,
  buildExportFileName,
  type ExportFilters,
} from "../../core/exports/exports.ts";
import type { ExportLinks, LinkedExport } from "../../auth/keys/export-links.ts";
import { Id, InstantField, SourceField, workspacePath } from "../../core/shared/fields.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import type { SentFile } from "../endpoint.ts";
import type { ExportRow } from "../../db/exports/exports.ts";

export const exportPathFields = { ...workspacePath, export_id: Id.describe("Export id, from list_exports.") };

const MAX_IDS = 100;

export const Filters = z
  .strictObject({
    analysis_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only these analyses, including archived ones."),
    collect_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only these runs."),
    sources: z.array(SourceField).min(1).max(SOURCES.length).optional().describe("Only these sources."),
    brand_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only these brands."),
  })
  .meta({ id: "ExportFilters" });

export const exportRequestFields = {
  what: z.enum(EXPORT_KINDS).describe("Table; docs/exports.md describes its columns."),
  format: z.enum(EXPORT_FORMATS).describe("jsonl: one JSON object per line."),
};

export const Export = z
  .object({
    id: Id,
    ...exportRequestFields,
    filters: Filters.describe("Filter of the rows; empty: all rows."),
    status: z.enum(EXPORT_STATUSES),
    failure_reason: z.string().nullable(),
    rows: z.int().nullable(),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().describe("SHA-256 of the file, in hex."),
    as_of: InstantField.nullable().describe("Time of the snapshot."),
    url: z.url().nullable().describe("Link to the file, valid until expires_at; null until the file exists."),
    created_by: Id.describe("Creator; for a key, the person who owns it."),
    created_at: InstantField,
    finished_at: InstantField.nullable(),
    expires_at: InstantField.nullable().describe("Time of the file's deletion, 24 hours after its creation."),
  })
  .meta({ id: "Export" });

export function toLinkedExport(row: ExportRow): LinkedExport | undefined {
  const { id, organizationId, expiresAt, asOf, hasFile } = row;
  if (!hasFile || expiresAt === null || asOf === null) return undefined;
  return { id, organizationId, expiresAt, fileName: buildExportFileName({ ...row, asOf }) };
}

export function shapeExport(row: ExportRow, links?: Pick<ExportLinks, "urlOf">): z.input<typeof Export> {
  const link = toLinkedExport(row);
  return {
    ...toSnakeCase(row),
    filters: shapeFilters(row.filters),
    url: link && links ? links.urlOf(link) : null,
  };
}

function shapeFilters({ analysis_ids, collect_ids, sources, brand_ids }: ExportFilters): z.input<typeof Filters> {
  return {
    ...(analysis_ids && { analysis_ids: [...analysis_ids] }),
    ...(collect_ids && { collect_ids: [...collect_ids] }),
    ...(sources && { sources: [...sources] }),
    ...(brand_ids && { brand_ids: [...brand_ids] }),
  };
}

const FILE_FIELDS = ["what", "format", "sha256", "size_bytes", "as_of"] as const;

export function toSentFile(row: Pick<z.output<typeof Export>, (typeof FILE_FIELDS)[number]>): SentFile {
  const { format, sha256, size_bytes, what, as_of } = row;
  if (sha256 === null || as_of === null) throw new Error("an export without a file is sent as one");
  return {
    sha256,
    sizeBytes: size_bytes ?? 0,
    name: buildExportFileName({ what, format, asOf: as_of }),
    mediaType: EXPORT_MEDIA_TYPES[format],
  };
}
