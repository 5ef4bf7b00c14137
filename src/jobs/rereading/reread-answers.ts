import { setImmediate as nextTurn } from "node:timers/promises";
import type { VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import {
  clearWorkerFailures,
  enqueueBackgroundJob,
  findBackgroundJob,
  noteProgress,
} from "../../../db/jobs/background-jobs.ts";
import {
  countReadingChanges,
  countStoredAnswers,
  isMeasured,
  listNewestMeasured,
  listStoredAnswers,
  listStoredCollects,
  noteSummedVersion,
  replaceReadings,
  type AnswerReading,
  type StoredAnswer,
  type StoredCollect,
} from "../../../db/answers/readings.ts";
import { replaceSums } from "../../../db/metrics/rollups.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { inReadingOrder, RereadProgress } from "../../../core/reading/rereading.ts";
import { READING_VERSION, storedCapture, unreadReading } from "../../../core/reading/reading.ts";
import { kindOf } from "../../../tools/analyses/kinds/kinds.ts";
import { readAnswer } from "../../../tools/answers/read-answer.ts";
import { GiveBack, type BackgroundJob, type BackgroundWork } from "../background/background.ts";
import { namesOfCollect, storeNames } from "./suggest-brands.ts";

const UNREAD = "an answer could not be read";
const ANSWERS_AT_ONCE = 50;
/** Rows of readings that one transaction stores, and deletes about as many of: few enough for a short one. */
const ROWS_AT_ONCE = 100;

/** After so long others have their turn. */
const TURN_MS = 10_000;

/**
 * Reads every stored answer of a workspace again with its catalog, one collect after the other, and then writes the sums
 * of the collect anew. Sums are replaced in one transaction per collect, all of whose answers were read with one catalog,
 * so no figure mixes two. Where the catalog changes meanwhile, the collect that it is at is read to its end with the
 * catalog that it was begun with, as far as it can be, and the next ones with the new one, round to where that began.
 */
export async function rereadAnswers(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const until = performance.now() + TURN_MS;
  let progress = RereadProgress.safeParse(job.progress).data;
  let first = progress?.collect ?? null;
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.of(tenant));
    if (progress?.catalog !== catalog.version) {
      progress = await begin(store, work, { catalog, first });
      if (await handOver(job, store, progress)) return;
    }
    const next = await rereadCollects({ job, work, store, catalog, progress, until });
    if (!next) return;
    ({ first } = next);
  }
}

interface Rereading {
  job: BackgroundJob;
  work: BackgroundWork;
  store: TenantStore;
  catalog: VersionedCatalog;
  progress: RereadProgress;
  /** When the turn of the job is over, by the clock of the process. */
  until: number;
}

async function begin(
  store: TenantStore,
  work: BackgroundWork,
  { catalog, first }: { catalog: VersionedCatalog; first: string | null },
): Promise<RereadProgress> {
  return {
    catalog: catalog.version,
    first,
    collect: null,
    answer: null,
    answers_done: 0,
    answers_total: await store.read(countStoredAnswers),
    started_at: work.now(),
  };
}

/** The change of the catalog asked for a reading of its own: that one goes on from here, and this one is done. */
async function handOver(job: BackgroundJob, store: TenantStore, progress: RereadProgress): Promise<boolean> {
  return store.write(async (tenant) => {
    const newest = await findBackgroundJob(tenant, job.kind, job.subjectId);
    if (!newest || newest.id === job.id || newest.status !== "queued") return false;
    await noteProgress(tenant.db, newest.id, progress);
    return true;
  });
}

/** Undefined where all is read with this catalog; otherwise it has changed, and `first` is read next with the new one. */
async function rereadCollects(rereading: Rereading): Promise<{ first: string | null } | undefined> {
  const { work, store, progress } = rereading;
  const collects = inReadingOrder(await store.read(listStoredCollects), progress.first);
  const at = collects.findIndex(({ id }) => id === progress.collect);
  for (const [index, collect] of collects.entries()) {
    if (index < at) continue;
    if (collect.id !== progress.collect) Object.assign(progress, { collect: collect.id, answer: null });
    const following = collects[(index + 1) % collects.length];
    if ((await rereadCollect(rereading, collect)) !== "current") return { first: following?.id ?? null };
  }
  const stored = await storePart(rereading, async (tenant) => {
    // Those that ended meanwhile hold answers that were read again here, and answers that came since.
    await noteSummedVersion(tenant, rereading.catalog.version);
    // What is recommended rests on figures that are others now.
    for (const { id: subjectId, type } of await listNewestMeasured(tenant)) {
      for (const kind of kindOf(type).afterRereading) {
        const follows = { id: work.newId(), kind, subjectId, at: work.now() };
        await enqueueBackgroundJob(tenant, follows);
      }
    }
  });
  return stored === "current" ? undefined : { first: progress.first };
}

async function rereadCollect(rereading: Rereading, collect: StoredCollect): Promise<Stored> {
  const { store, progress } = rereading;
  let changes = await store.read((tenant) => countReadingChanges(tenant, collect.id));
  // No answer comes to it any more, and all of them are as this reading left them.
  const canEnd: CanEnd = async (tenant) =>
    changes !== undefined && (await countReadingChanges(tenant, collect.id)) === changes;
  for (;;) {
    const part = { collectId: collect.id, after: progress.answer, limit: ANSWERS_AT_ONCE };
    const answers = await store.read((tenant) => listStoredAnswers(tenant, part));
    if (answers.length === 0) return endCollect(rereading, collect, canEnd);
    for (const readings of shortParts(await readAgain(answers, collect, rereading))) {
      progress.answer = readings.at(-1)?.answerId ?? null;
      progress.answers_done += readings.length;
      progress.answers_total = Math.max(progress.answers_total, progress.answers_done);
      const stored = await storePart(rereading, ({ db }) => replaceReadings(db, collect.id, readings), canEnd);
      if (stored === "refused") return stored;
      if (changes !== undefined) changes += 1;
      if (stored === "current" && performance.now() > rereading.until) throw new GiveBack();
    }
  }
}

/** A new reading, with the id of its answer, which says how far the job is. */
type ReadAgain = AnswerReading & { answerId: string };

/** Cuts readings into parts of which each takes one short transaction. */
function shortParts(readings: readonly ReadAgain[]): ReadAgain[][] {
  const parts: ReadAgain[][] = [];
  let room = 0;
  for (const one of readings) {
    const { mentions, places, citations, retrieved, queries } = one.reading;
    const rows = 1 + [mentions, places, citations, retrieved, queries].reduce((sum, { length }) => sum + length, 0);
    room -= rows;
    const open = parts.at(-1);
    if (open && room >= 0) open.push(one);
    else {
      parts.push([one]);
      room = ROWS_AT_ONCE - rows;
    }
  }
  return parts;
}

/** The sums of a collect, and then the names in it that no brand has, unless the catalog is another one by then. */
async function endCollect(rereading: Rereading, collect: StoredCollect, canEnd: CanEnd): Promise<Stored> {
  const { work, store, catalog } = rereading;
  const names = await namesOfCollect(collect.id, catalog, work, store);
  // One that has not ended gets its sums at its end.
  const measured = await store.read((tenant) => isMeasured(tenant, collect.id));
  const sums = measured ? await kindOf(collect.type).sum((read) => work.store.read(read), collect) : undefined;
  const stored = await storePart(
    rereading,
    async ({ db }) => {
      if (sums) await replaceSums(db, collect.id, sums, catalog.version);
    },
    canEnd,
  );
  if (stored === "current") await storeNames(store, collect.id, { names, catalog, work });
  return stored;
}

async function readAgain(
  answers: readonly StoredAnswer[],
  { type, settings }: StoredCollect,
  { catalog, work }: Rereading,
): Promise<ReadAgain[]> {
  const kind = kindOf(type);
  const readings: ReadAgain[] = [];
  for (const { id, key, prompt, source, asked, stored, ...before } of answers) {
    work.signal.throwIfAborted();
    const context = { prompt, source, asked, ...settings };
    const capture = storedCapture(stored, source);
    const { unreadReason: reason } = before;
    // An answer that these rules could not read is not tried again.
    const reading =
      reason !== null && before.readingVersion === READING_VERSION
        ? unreadReading(capture, catalog.compiled, { source, reason })
        : readAnswer(kind, capture, { catalog: catalog.compiled, context });
    if (reading.unread && reason === null) work.log.warn({ answerId: id, reason: reading.unread }, UNREAD);
    readings.push({ answerId: id, answerKey: key, reading, catalog: catalog.compiled });
    // Reading is work: what else waits for this thread goes first.
    await nextTurn();
  }
  return readings;
}

/** Whether a part was stored: read with the catalog as it is, with an older one, or not at all. */
type Stored = "current" | "older" | "refused";

type WritePart = (tenant: Tenant) => Promise<void>;
/** True where a collect can be read to its end with a catalog that has changed. */
type CanEnd = (tenant: Tenant) => Promise<boolean>;

/** Writes, with how far the job is by then; nothing where the catalog has changed, unless the collect can be ended with it. */
async function storePart(
  { job, work, store, catalog, progress }: Rereading,
  write: WritePart,
  canEnd: CanEnd = async () => false,
): Promise<Stored> {
  // One that has changed is compiled here rather than in the transaction.
  await store.read((tenant) => work.catalogs.of(tenant));
  const storing = async (tenant: Tenant): Promise<Stored> => {
    const now = await work.catalogs.of(tenant);
    const stored = now.version === catalog.version ? "current" : "older";
    if (stored === "older" && !(hasAllBrands(now, catalog) && (await canEnd(tenant)))) return "refused";
    await write(tenant);
    await noteProgress(tenant.db, job.id, progress);
    await clearWorkerFailures(tenant.db, job);
    return stored;
  };
  // Beginnings and ends of collects go before it.
  return store.write(storing, { isRepeatable: true });
}

/** True where every brand that was read with is still there. */
function hasAllBrands(now: VersionedCatalog, then: VersionedCatalog): boolean {
  const ids = new Set(now.compiled.brands.map(({ id }) => id));
  return then.compiled.brands.every(({ id }) => ids.has(id));
}
