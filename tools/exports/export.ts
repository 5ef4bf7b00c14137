import { z } from "zod";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import {
  EXPORT_FORMATS,
  EXPORT_MEDIA_TYPES,
  EXPORT_STATUSES,
  EXPORT_KINDS,
  exportFileName,
  type ExportFilters,
} from "../../core/exports/exports.ts";
import type { ExportLinks, LinkedExport } from "../../auth/keys/export-links.ts";
import { Id, InstantField, SourceField, workspacePath } from "../../core/shared/fields.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import type { SentFile } from "../endpoint.ts";
import type { ExportRow } from "../../db/exports/exports.ts";

export const exportPath = { ...workspacePath, export_id: Id.describe("Export; list_exports gives it.") };

const MAX_IDS = 100;

export const Filters = z
  .strictObject({
    analysis_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only of these analyses; archived ones too."),
    collect_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only of these collects."),
    sources: z.array(SourceField).min(1).max(SOURCES.length).optional().describe("Only of these sources."),
    brand_ids: z.array(Id).min(1).max(MAX_IDS).optional().describe("Only rows of these brands."),
  })
  .meta({ id: "ExportFilters" });

export const ExportRequest = {
  what: z.enum(EXPORT_KINDS).describe("The table; docs/exports.md describes its columns."),
  format: z.enum(EXPORT_FORMATS).describe("jsonl: one JSON object a line."),
};

export const Export = z
  .object({
    id: Id,
    ...ExportRequest,
    filters: Filters.describe("What the rows are narrowed to; all where nothing is named."),
    status: z.enum(EXPORT_STATUSES),
    failure_reason: z.string().nullable(),
    rows: z.int().nullable(),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().describe("Of the file, in hex."),
    as_of: InstantField.nullable().describe("The moment whose state the file shows."),
    url: z.url().nullable().describe("Link to the file until expires_at; null until it is there."),
    created_by: Id.describe("Person who made it; of a key, the person it belongs to."),
    created_at: InstantField,
    finished_at: InstantField.nullable(),
    expires_at: InstantField.nullable().describe("When the file is deleted, 24 hours after it was made."),
  })
  .meta({ id: "Export" });

export function linkedExport(row: ExportRow): LinkedExport | undefined {
  const { id, organizationId, expiresAt, asOf, hasFile } = row;
  if (!hasFile || expiresAt === null || asOf === null) return undefined;
  return { id, organizationId, expiresAt, fileName: exportFileName({ ...row, asOf }) };
}

export function shapeExport(row: ExportRow, links?: Pick<ExportLinks, "urlOf">): z.input<typeof Export> {
  const link = linkedExport(row);
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

export function toSentFile(of: Pick<z.output<typeof Export>, (typeof FILE_FIELDS)[number]>): SentFile {
  const { format, sha256, size_bytes, what, as_of } = of;
  if (sha256 === null || as_of === null) throw new Error("an export without a file is sent as one");
  return {
    sha256,
    sizeBytes: size_bytes ?? 0,
    name: exportFileName({ what, format, asOf: as_of }),
    mediaType: EXPORT_MEDIA_TYPES[format],
  };
}
