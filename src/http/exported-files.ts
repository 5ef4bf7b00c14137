import { Router, type Response } from "express";
import { AppError } from "../../core/errors.ts";
import type { Db } from "../../db/engine/store.ts";
import { eventRow } from "../../db/identity/audit/audit-event.ts";
import { insertAuditRows } from "../../db/identity/audit/audit.ts";
import { entryText } from "../../db/identity/audit/entry-text.ts";
import { findUser } from "../../db/identity/users.ts";
import { findLinkedExport, type ExportRow } from "../../db/measuring/exports.ts";
import { fileOf, linkedExport, shapeExport } from "../../tools/exports/export.ts";
import type { Deps } from "../call/invoke.ts";
import { sendFile } from "./send-file.ts";

/** The files that signed links of exports lead to, for who has the link. */
export function exportedFilesRouter(deps: Deps): Router {
  const router = Router();
  router.get("/files/:export_id/:file_name", async (request, response) => {
    const id = request.params["export_id"];
    const signature = new URL(request.url, deps.baseUrl).searchParams.get("signature") ?? "";
    const found = await deps.store.read((db) => findExportOf(db, id));
    // An expired file is deleted some minutes later.
    const link = found && linkedExport(found.row);
    if (!link || deps.now() >= link.expiresAt || !deps.exportLinks.isSigned(link, signature)) {
      throw new AppError("NOT_FOUND", "This link is wrong or over. Exports are kept for 24 hours: make it again.");
    }
    if (request.method !== "HEAD") await noteDownload(found, response, deps);
    await sendFile(response, fileOf(shapeExport(found.row)), deps.blobs);
  });
  return router;
}

interface FoundExport {
  row: ExportRow;
  /** E-mail of who made the export, and so has its link. */
  maker: string | undefined;
}

async function findExportOf(db: Db, id: string): Promise<FoundExport | undefined> {
  const row = await findLinkedExport(db, id);
  return row && { row, maker: (await findUser(db, row.createdBy))?.email };
}

/**
 * Writes the audit row of a download before its first byte. A link says whose it is, not who uses it. Where the row cannot be
 * written it waits among those that are tried again, and the download goes on.
 */
async function noteDownload({ row, maker }: FoundExport, response: Response, deps: Deps): Promise<void> {
  const { id, organizationId, workspaceId, what, format } = row;
  const event = {
    name: "downloadExport",
    organizationId,
    userId: null,
    door: "link",
    outcome: "ok",
    requestId: response.locals["requestId"] as string,
    text: entryText("Downloaded {what} as {format} by the link that {maker} made, export {id}", {
      what,
      format,
      maker,
      id,
    }),
  } as const;
  const entry = { ...eventRow(event, deps), workspaceId };
  await deps.store.write((db) => insertAuditRows(db, [entry])).catch(() => deps.audit.add(entry));
}
