import { AppError } from "../shared/errors.ts";
import type { Source } from "../sources/sources.ts";
import { later, type Instant } from "../shared/time.ts";

/** The tables that can be exported, in the order of the reference. */
export const EXPORTED = [
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
export type Exported = (typeof EXPORTED)[number];

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

/** What a column of an export holds. Times are UTC in ISO 8601 where a format has no type for them; JSON is text. */
export const COLUMN_TYPES = ["text", "integer", "number", "boolean", "time", "json"] as const;
export interface ExportColumn {
  name: string;
  type: (typeof COLUMN_TYPES)[number];
  unit?: string;
  doc: string;
}

/** A value of a row: a time is text in ISO 8601, JSON is text. */
export type ExportCell = string | number | boolean | null;

/** How long the file of an export is kept, and its link is good. */
export const EXPORT_LIFE_MS = 24 * 3_600_000;

/** A call that makes an export waits for so long, and is answered with the file if that has at most so many rows. */
export const SENT_AT_ONCE = { waitMs: 2000, rows: 10_000 };

/** Exports that an organization may have under way, and keep, at once. */
export const MOST_EXPORTS = { open: 5, kept: 100 };
const RETRY_AFTER_SECONDS = 30;

/** RATE_LIMITED where an organization has as many exports as it may. */
export function fullOfExports({ open, kept }: { open: number; kept: number }): AppError | undefined {
  const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (open >= MOST_EXPORTS.open) {
    const message = `${MOST_EXPORTS.open} exports of your organization are under way. Wait until one has ended.`;
    return new AppError("RATE_LIMITED", message, retry);
  }
  if (kept < MOST_EXPORTS.kept) return undefined;
  const message = `Your organization keeps ${MOST_EXPORTS.kept} exports. Delete some, or wait until they expire.`;
  return new AppError("RATE_LIMITED", message, retry);
}

/** When the file of an export that ended at this instant is deleted. */
export function exportExpiry(endedAt: Instant): Instant {
  return later(endedAt, EXPORT_LIFE_MS);
}

/** `answers-2026-11-24.csv`: the day is that of the state which it shows. */
export function exportFileName(of: { what: Exported; format: ExportFormat; asOf: Instant }): string {
  return `${of.what}-${of.asOf.slice(0, 10)}.${of.format}`;
}
