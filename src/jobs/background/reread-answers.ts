import { setImmediate as nextTurn } from "node:timers/promises";
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
import { RereadProgress } from "../../../core/reading/rereading.ts";
import { storedCapture } from "../../../core/reading/reading.ts";
import type { MeasuredKind } from "../../../tools/analyses/analysis-kind.ts";
import { kindOf } from "../../../tools/analyses/kinds.ts";
import type { BackgroundJob, BackgroundWork } from "./background.ts";
import { namesOfCollect, storeNames } from "./suggest-brands.ts";
import { isCurrent, loadCatalog, type VersionedCatalog } from "./versioned-catalog.ts";

/** Few enough for a transaction that holds up nobody. */
const ANSWERS_AT_ONCE = 50;

/**
 * Reads every stored answer of a workspace again with its catalog, the newest collect first, and then writes the sums
 * of the collect anew. Sums are replaced in one transaction per collect and only while the catalog is the one that all of
 * its answers were read with, so no figure mixes two. A catalog that changes meanwhile is read with from the start.
 */
export async function rereadAnswers(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { organizationId, workspaceId } = job;
  const tenant = { db: work.store.read, organizationId, workspaceId };
  let resumed = RereadProgress.safeParse(job.progress).data;
  for (;;) {
    const catalog = await loadCatalog(tenant);
    const progress = resumed?.catalog === catalog.version ? resumed : await begin(job, work, catalog);
    if (await rereadCollects({ job, work, catalog, progress })) return;
    const newest = await findBackgroundJob(tenant, job.kind, job.subjectId);
    // Whoever changed the catalog asked for a reading of its own, which does all of it.
    if (newest && newest.id !== job.id && newest.status === "queued") return;
    resumed = undefined;
  }
}

interface Rereading {
  job: BackgroundJob;
  work: BackgroundWork;
  catalog: VersionedCatalog;
  progress: RereadProgress;
}

async function begin(job: BackgroundJob, work: BackgroundWork, catalog: VersionedCatalog): Promise<RereadProgress> {
  const { organizationId, workspaceId } = job;
  return {
    catalog: catalog.version,
    collect: null,
    answer: null,
    answers_done: 0,
    answers_total: await countStoredAnswers({ db: work.store.read, organizationId, workspaceId }),
    started_at: work.now(),
  };
}

/** False where the catalog has changed, so that what was read since is to be read again. */
async function rereadCollects(rereading: Rereading): Promise<boolean> {
  const { job, work, progress } = rereading;
  const { organizationId, workspaceId } = job;
  const collects = await listStoredCollects({ db: work.store.read, organizationId, workspaceId }, progress.collect);
  for (const collect of collects) {
    if (collect.id !== progress.collect) Object.assign(progress, { collect: collect.id, answer: null });
    if (!(await rereadCollect(rereading, collect))) return false;
  }
  return store(rereading, async (db) => {
    // What is recommended rests on figures that are others now.
    for (const { id: subjectId, type } of await listNewestMeasured({ db, organizationId, workspaceId })) {
      for (const kind of kindOf(type).afterRereading) {
        const follows = { id: work.newId(), kind, subjectId, at: work.now() };
        await enqueueBackgroundJob({ db, organizationId, workspaceId }, follows);
      }
    }
  });
}

async function rereadCollect(rereading: Rereading, collect: StoredCollect): Promise<boolean> {
  const { job, work, progress } = rereading;
  const { organizationId, workspaceId } = job;
  const tenant = { db: work.store.read, organizationId, workspaceId };
  for (;;) {
    const part = { collectId: collect.id, after: progress.answer, limit: ANSWERS_AT_ONCE };
    const answers = await listStoredAnswers(tenant, part);
    const last = answers.at(-1);
    if (!last) return endCollect(rereading, collect);
    const readings = await readAgain(answers, kindOf(collect.type), rereading);
    progress.answer = last.id;
    progress.answers_done += answers.length;
    progress.answers_total = Math.max(progress.answers_total, progress.answers_done);
    if (!(await store(rereading, (db) => replaceReadings(db, readings)))) return false;
  }
}

/** The sums of a collect, and the names in it that no brand has: what is known of one catalog, in one transaction. */
async function endCollect(rereading: Rereading, collect: StoredCollect): Promise<boolean> {
  const { job, work, catalog } = rereading;
  const { organizationId, workspaceId } = job;
  const tenant = { db: work.store.read, organizationId, workspaceId };
  const names = await namesOfCollect(collect.id, catalog, work, tenant);
  return store(rereading, async (db) => {
    if (await isMeasured({ ...tenant, db }, collect.id)) await kindOf(collect.type).rollUp(db, collect);
    await storeNames({ ...tenant, db }, collect.id, { names, catalog, work });
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
    // Reading is work: whoever else waits for this thread goes first.
    await nextTurn();
  }
  return readings;
}

/** Writes, with how far the job is by then; nothing, and false, where the catalog is no longer the one that was read with. */
async function store(
  { job, work, catalog, progress }: Rereading,
  write: (db: Parameters<typeof noteProgress>[0]) => Promise<void>,
): Promise<boolean> {
  const { organizationId, workspaceId } = job;
  return work.store.write(async (db) => {
    if (!(await isCurrent({ db, organizationId, workspaceId }, catalog))) return false;
    await write(db);
    await noteProgress(db, job.id, progress);
    return true;
  });
}
