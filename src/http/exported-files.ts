import { Router, type Response } from "express";
import { canCreatorRead } from "../../auth/keys/export-access.ts";
import { AppError } from "../../core/shared/errors.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "../../db/engine/store.ts";
import { toAuditRow } from "../../db/audit-log/audit-event.ts";
import { countAuditRow, type AuditRow } from "../../db/audit-log/audit.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { findUser } from "../../db/identity/users.ts";
import { findLinkedExport, type ExportRow } from "../../db/exports/exports.ts";
import { toSentFile, toLinkedExport, shapeExport } from "../../tools/exports/export.ts";
import type { Deps } from "../call/deps.ts";
import { sendFile } from "./send-file.ts";

/** Serves export files by signed links while their creators may read the workspace. */
export function createExportedFilesRouter(deps: Deps): Router {
  const router = Router();
  const downloads = openDownloadAudit(deps);
  router.get("/files/:export_id/:file_name", async (request, response) => {
    const id = request.params["export_id"];
    const signature = new URL(request.url, deps.baseUrl).searchParams.get("signature") ?? "";
    const found = await deps.store.read((db) => findExport(db, id, deps.now()));
    // An expired file may exist for some minutes until it is deleted.
    const link = found && toLinkedExport(found.row);
    if (!link || deps.now() >= link.expiresAt || !deps.exportLinks.isSignatureValid(link, signature)) {
      throw new AppError(
        "NOT_FOUND",
        "This link is invalid or has expired. Export again: a link works for 24 hours, while its creator can read the workspace.",
      );
    }
    if (request.method !== "HEAD") await downloads.note(found, response);
    await sendFile(response, toSentFile(shapeExport(found.row)), deps.blobs);
  });
  return router;
}

interface FoundExport {
  row: ExportRow;
  creator: string | undefined;
}

async function findExport(db: Db, id: string, now: Instant): Promise<FoundExport | undefined> {
  const row = await findLinkedExport(db, id);
  if (!row || !(await canCreatorRead(db, row, now))) return undefined;
  return { row, creator: (await findUser(db, row.createdBy))?.email };
}

/** Downloads of an export within an hour share an audit row, so that they do not flood the log. */
function openDownloadAudit(deps: Deps) {
  let hour = "";
  const rowIds = new Map<string, string>();

  function getRowId(exportId: string, entry: AuditRow): string {
    const now = entry.at.slice(0, "2026-11-21T04".length);
    if (now !== hour) rowIds.clear();
    hour = now;
    const rowId = rowIds.get(exportId) ?? entry.id;
    rowIds.set(exportId, rowId);
    return rowId;
  }

  return {
    /** Resolves before the first byte is sent. A failed audit row does not block the download. */
    async note(found: FoundExport, response: Response): Promise<void> {
      const entry = downloadRow(found, response, deps);
      const row = { ...entry, id: getRowId(found.row.id, entry) };
      await deps.store
        .write((db) => countAuditRow(db, row))
        .catch(() => {
          rowIds.delete(found.row.id);
          deps.audit.add(entry);
        });
    },
  };
}

/** The link identifies its creator, not the person who uses it. */
function downloadRow({ row, creator }: FoundExport, response: Response, deps: Deps): AuditRow {
  const { id, organizationId, workspaceId, what, format } = row;
  const text = formatEntryText("Downloaded {what} as {format} by the link that {maker} made, export {id}", {
    what,
    format,
    maker: creator,
    id,
  });
  const requestId = response.locals["requestId"] as string;
  const event = {
    name: "downloadExport",
    organizationId,
    userId: null,
    door: "link",
    outcome: "ok",
    requestId,
    text,
  } as const;
  return { ...toAuditRow(event, deps), workspaceId };
}
