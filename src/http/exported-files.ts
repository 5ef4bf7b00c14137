import { Router } from "express";
import { AppError } from "../../core/errors.ts";
import { findLinkedExport } from "../../db/measuring/exports.ts";
import { fileOf, linkedExport, shapeExport } from "../../tools/exports/export.ts";
import type { Deps } from "../call/invoke.ts";
import { sendFile } from "./send-file.ts";

/** The files that signed links of exports lead to, for who has the link. */
export function exportedFilesRouter(deps: Deps): Router {
  const router = Router();
  router.get("/files/:export_id/:file_name", async (request, response) => {
    const id = request.params["export_id"];
    const signature = new URL(request.url, deps.baseUrl).searchParams.get("signature") ?? "";
    const row = await deps.store.read((db) => findLinkedExport(db, id));
    // An expired file is deleted some minutes later.
    const link = row && linkedExport(row);
    if (!link || deps.now() >= link.expiresAt || !deps.exportLinks.isSigned(link, signature)) {
      throw new AppError("NOT_FOUND", "This link is wrong or over. Exports are kept for 24 hours: make it again.");
    }
    await sendFile(response, fileOf(shapeExport(row)), deps.blobs);
  });
  return router;
}
