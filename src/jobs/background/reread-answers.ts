import { setImmediate as nextTurn } from "node:timers/promises";
import { isCurrent, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import { enqueueBackgroundJob, findBackgroundJob, noteProgress } from "../../../db/engine/background-jobs.ts";
import {
  countStoredAnswers,
  isMeasured,
  listNewestMeasured,
  listStoredAnswers,
  listStoredCollects,
  replaceReadings,
  type AnswerReading,
  type StoredAnswer,
  type StoredCollect,
} from "../../../db/measuring/readings.ts";
import { storeSums } from "../../../db/measuring/rollups.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { RereadProgress } from "../../../core/reading/rereading.ts";
import { storedCapture } from "../../../core/reading/reading.ts";
import type { MeasuredKind } from "../../../tools/analyses/analysis-kind.ts";
import { kindOf } from "../../../tools/analyses/kinds.ts";
import type { BackgroundJob, BackgroundWork } from "./background.ts";
import { namesOfCollect, storeNames } from "./suggest-brands.ts";

/** Few enough for a short transaction. */
const ANSWERS_AT_ONCE = 50;

/**
 * Reads every stored answer of a workspace again with its catalog, the newest collect first, and then writes the sums
 * of the collect anew. Sums are replaced in one transaction per collect and only while the catalog is the one that all of
 * its answers were read with, so no figure mixes two. A catalog that changes meanwhile is read with from the start.
 */
export async function rereadAnswers(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  let resumed = RereadProgress.safeParse(job.progress).data;
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.of(tenant));
    const progress = resumed?.catalog === catalog.version ? resumed : await begin(store, work, catalog);
    if (await rereadCollects({ job, work, store, catalog, progress })) return;
    const newest = await store.read((tenant) => findBackgroundJob(tenant, job.kind, job.subjectId));
    // The change of the catalog asked for a reading of its own, which does all of it.
    if (newest && newest.id !== job.id && newest.status === "queued") return;
    resumed = undefined;
  }
}

interface Rereading {
  job: BackgroundJob;
  work: BackgroundWork;
  store: TenantStore;
  catalog: VersionedCatalog;
  progress: RereadProgress;
}

async function begin(store: TenantStore, work: BackgroundWork, catalog: VersionedCatalog): Promise<RereadProgress> {
  return {
    catalog: catalog.version,
    collect: null,
    answer: null,
    answers_done: 0,
    answers_total: await store.read(countStoredAnswers),
    started_at: work.now(),
  };
}

/** False where the catalog has changed, so that what was read since is to be read again. */
async function rereadCollects(rereading: Rereading): Promise<boolean> {
  const { work, store, progress } = rereading;
  const collects = await store.read((tenant) => listStoredCollects(tenant, progress.collect));
  for (const collect of collects) {
    if (collect.id !== progress.collect) Object.assign(progress, { collect: collect.id, answer: null });
    if (!(await rereadCollect(rereading, collect))) return false;
  }
  return storePart(rereading, async (tenant) => {
    // What is recommended rests on figures that are others now.
    for (const { id: subjectId, type } of await listNewestMeasured(tenant)) {
      for (const kind of kindOf(type).afterRereading) {
        const follows = { id: work.newId(), kind, subjectId, at: work.now() };
        await enqueueBackgroundJob(tenant, follows);
      }
    }
  });
}

async function rereadCollect(rereading: Rereading, collect: StoredCollect): Promise<boolean> {
  const { store, progress } = rereading;
  for (;;) {
    const part = { collectId: collect.id, after: progress.answer, limit: ANSWERS_AT_ONCE };
    const answers = await store.read((tenant) => listStoredAnswers(tenant, part));
    const last = answers.at(-1);
    if (!last) return endCollect(rereading, collect);
    const readings = await readAgain(answers, kindOf(collect.type), rereading);
    progress.answer = last.id;
    progress.answers_done += answers.length;
    progress.answers_total = Math.max(progress.answers_total, progress.answers_done);
    if (!(await storePart(rereading, ({ db }) => replaceReadings(db, collect.id, readings)))) return false;
  }
}

/** The sums of a collect, and the names in it that no brand has: what is known of one catalog, in one transaction. */
async function endCollect(rereading: Rereading, collect: StoredCollect): Promise<boolean> {
  const { work, store, catalog } = rereading;
  const names = await namesOfCollect(collect.id, catalog, work, store);
  // One that has not ended gets its sums at its end.
  const measured = await store.read((tenant) => isMeasured(tenant, collect.id));
  const sums = measured ? await kindOf(collect.type).sum((read) => work.store.read(read), collect) : undefined;
  return storePart(rereading, async (tenant) => {
    if (sums) await storeSums(tenant.db, collect.id, sums);
    await storeNames(tenant, collect.id, { names, catalog, work });
  });
}

async function readAgain(
  answers: readonly StoredAnswer[],
  kind: MeasuredKind,
  { catalog, work }: Rereading,
): Promise<AnswerReading[]> {
  const readings: AnswerReading[] = [];
  for (const { id, prompt, source, stored } of answers) {
    work.signal.throwIfAborted();
    readings.push({
      answerId: id,
      reading: kind.read(storedCapture(stored, source), catalog.compiled, { prompt, source }),
    });
    // Reading is work: what else waits for this thread goes first.
    await nextTurn();
  }
  return readings;
}

/** Writes, with how far the job is by then; nothing, and false, where the catalog is no longer the one that was read with. */
async function storePart(
  { job, store, catalog, progress }: Rereading,
  write: (tenant: Tenant) => Promise<void>,
): Promise<boolean> {
  return store.write(async (tenant) => {
    if (!(await isCurrent(tenant, catalog))) return false;
    await write(tenant);
    await noteProgress(tenant.db, job.id, progress);
    return true;
  });
}
