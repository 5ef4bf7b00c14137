import { createHash } from "node:crypto";
import { EXPORT_FORMATS, EXPORT_KINDS } from "../../core/exports/exports.ts";
import type { Exporter, ExportTask } from "../../src/jobs/exports/export-thread.ts";

/** Every table in every format. */
export const ALL_FILES = EXPORT_FORMATS.flatMap((format) => EXPORT_KINDS.map((what) => ({ what, format })));

/** SHA-256 of uninterrupted exports of these rows, by name such as `answers.csv`. */
export async function uninterruptedChecksums(
  of: Pick<ExportTask, "databaseFile" | "organizationId" | "workspaceId">,
  { exporter, files = ALL_FILES }: { exporter: Exporter; files?: typeof ALL_FILES },
): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const { what, format } of files) {
    const sum = createHash("sha256");
    const watch = { onSnapshot: () => undefined, onComplete: () => undefined };
    const order = { ...of, what, format, filters: {} };
    for await (const bytes of exporter.streamFile(order, new AbortController().signal, watch)) sum.update(bytes);
    sums.set(`${what}.${format}`, sum.digest("hex"));
  }
  return sums;
}
