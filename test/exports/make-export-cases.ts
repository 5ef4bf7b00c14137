import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { openExporter, type Exporter } from "../../src/jobs/exports/export-thread.ts";
import { backgroundRunner } from "../jobs/background-runner.ts";
import { world } from "../support/world.ts";
import { listExportFiles } from "./list-export-files.ts";

// Shared by the tests of src/jobs/exports/make-export.ts.

export const realExporter = openExporter();

type World = Awaited<ReturnType<typeof world>>;

/** A worker for exports only. */
export function createExportWorker(w: World, exporter: Exporter = realExporter) {
  return backgroundRunner(w, { exporter, jobKinds: { make_export: JOB_KINDS.make_export }, leaseMs: 200 });
}

/** A workspace with a brand, and an export of its catalog that waits. */
export async function createWaitingExport(w: World, format = "jsonl") {
  const { owner, organization, workspace } = await w.acme();
  await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const request = { what: "catalog", format };
  const { body } = await owner.post(`${workspace.path}/exports`, request, { prefer: "respond-async" });
  const at = `${workspace.path}/exports/${body.id}`;
  const state = async () => (await owner.get(at)).body;
  return { owner, organization, workspace, id: body.id as string, at, state };
}

/** Stored file names, and the number of incoming files. */
export function listFiles({ config }: World) {
  const { kept, incoming } = listExportFiles(config.DATA_DIR);
  return { kept, incoming };
}
