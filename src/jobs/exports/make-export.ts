import { insertFileHold, endFileProtection } from "../../../db/assets/file-holds.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { startExport, finishExport, findExport, type ExportRow } from "../../../db/exports/exports.ts";
import { computeExportExpiry } from "../../../core/exports/exports.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

export const MAX_EXPORT_ATTEMPTS = 3;

const MAX_BYTES = 4 * 1024 ** 3;

class FileTooLarge extends Error {
  override name = "FileTooLarge";
}

/** No row refers to the file until the last transaction, so a crash leaves nothing behind. */
export async function makeExport(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const row = await store.read((tenant) => findExport(tenant, job.subjectId));
  if (!row || row.finishedAt !== null) return;
  const fail = (failureReason: string) =>
    store.write((tenant) =>
      finishExport(tenant, row.id, { ...computeCompletionTimes(work), status: "failed", failureReason }),
    );
  // Fails an export that repeatedly crashes its process.
  if (job.attempts > MAX_EXPORT_ATTEMPTS) return void (await fail("It failed several times."));
  try {
    await store.write((tenant) => startExport(tenant, row.id));
    await writeExportFile(row, store, work);
  } catch (error) {
    if (error instanceof FileTooLarge) return void (await fail(error.message));
    if (!work.signal.aborted && job.attempts === MAX_EXPORT_ATTEMPTS) {
      await fail("The job failed. The log of the service has the reason.");
    }
    throw error;
  }
}

async function writeExportFile(row: ExportRow, store: TenantStore, work: BackgroundWork): Promise<void> {
  const { organizationId, workspaceId, what, format, filters } = row;
  const order = { databaseFile: work.store.file, organizationId, workspaceId, what, format, filters };
  let [asOf, rows] = [work.now(), 0];
  const bytes = work.exporter.streamFile(order, work.signal, {
    onSnapshot: () => void (asOf = work.now()),
    onComplete: (count) => void (rows = count),
  });
  const staged = await work.blobs.stage(limitSize(bytes));
  const { sha256, sizeBytes } = staged;
  const holdId = work.newId();
  try {
    await work.store.write((db) => insertFileHold(db, { id: holdId, sha256, createdAt: work.now() }));
    await staged.commit();
    const end = {
      ...computeCompletionTimes(work),
      status: "completed" as const,
      asOf,
      rows,
      sizeBytes,
      sha256,
      hasFile: true,
    };
    await store.write(async (tenant) => {
      await finishExport(tenant, row.id, end);
      const unused = await endFileProtection(tenant.db, holdId);
      // Within the transaction, so that a concurrent identical file comes entirely before or after.
      if (unused !== undefined) await work.blobs.delete(unused);
    });
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

function computeCompletionTimes({ now }: BackgroundWork) {
  const finishedAt = now();
  return { finishedAt, expiresAt: computeExportExpiry(finishedAt) };
}

async function* limitSize(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > MAX_BYTES)
      throw new FileTooLarge("The file would be larger than 4 GB. Narrow what is exported by filters.");
    yield part;
  }
}
