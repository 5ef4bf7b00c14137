import { AppError } from "../shared/errors.ts";
import type { Source } from "../sources/sources.ts";
import { addMs, type Instant } from "../shared/time.ts";

/** Exportable tables in reference order. */
export const EXPORT_KINDS = [
  "answers",
  "mentions",
  "citations",
  "queries",
  "jobs",
  "catalog",
  "visibility",
  "stances",
  "pages",
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_FORMATS = ["csv", "jsonl", "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_STATUSES = ["queued", "running", "completed", "failed"] as const;

/** Media types of the formats (RFC 4180 and 7111; the registered type of Parquet). */
export const EXPORT_MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/x-ndjson; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

export interface ExportFilters {
  analysis_ids?: readonly string[] | undefined;
  collect_ids?: readonly string[] | undefined;
  sources?: readonly Source[] | undefined;
  brand_ids?: readonly string[] | undefined;
}
export type ExportFilter = keyof ExportFilters;

/** Column types. Times are UTC in ISO 8601 unless the format has a type for them; JSON is text. */
export const COLUMN_TYPES = ["text", "integer", "number", "boolean", "time", "json"] as const;
export interface ExportColumn {
  name: string;
  type: (typeof COLUMN_TYPES)[number];
  unit?: string;
  doc: string;
}

/** Value of a row; times (ISO 8601) and JSON are text. */
export type ExportCell = string | number | boolean | null;

export const EXPORT_LIFETIME_MS = 24 * 3_600_000;

/** Max wait of the creating call, and max rows of a file sent in its response. */
export const MAX_INLINE_EXPORT = { waitMs: 2000, rows: 10_000 };

/** Max exports per organization, in progress and stored. */
export const MAX_EXPORTS = { open: 5, kept: 100 };
const RETRY_SECONDS = 30;

/** Returns a RATE_LIMITED error at the limit of exports. */
export function findExportLimitError({
  openCount,
  storedCount,
}: {
  openCount: number;
  storedCount: number;
}): AppError | undefined {
  const retry = { retryAfterSeconds: RETRY_SECONDS };
  if (openCount >= MAX_EXPORTS.open) {
    const message = `${MAX_EXPORTS.open} exports of your organization are in progress. Wait until one completes.`;
    return new AppError("RATE_LIMITED", message, retry);
  }
  if (storedCount < MAX_EXPORTS.kept) return undefined;
  const message = `Your organization keeps ${MAX_EXPORTS.kept} exports. Delete some, or wait until they expire.`;
  return new AppError("RATE_LIMITED", message, retry);
}

export function computeExportExpiry(endedAt: Instant): Instant {
  return addMs(endedAt, EXPORT_LIFETIME_MS);
}

/** File name such as `answers-2026-11-24.csv`; its day is that of the exported state. */
export function buildExportFileName(of: { what: ExportKind; format: ExportFormat; asOf: Instant }): string {
  return `${of.what}-${of.asOf.slice(0, 10)}.${of.format}`;
}
