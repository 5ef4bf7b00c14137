import { setImmediate as nextTurn } from "node:timers/promises";
import { listLaterMonths } from "../../../core/credits/months.ts";
import { parseAnswerLine } from "../../../core/reading/recorded-line.ts";
import { type StoredLine, splitStoredLines } from "../../../core/reading/split-stored-lines.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { findCollect } from "../../../db/analyses/analyses.ts";
import { setPeriodEnd, listImportParts, moveToImportPart } from "../../../db/answers/import-parts.ts";
import { finishImport, findImport, type ImportRow, detachImportFile } from "../../../db/answers/imports.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import { type BackgroundJob, type BackgroundWork, Requeue } from "../background/background.ts";
import { completeCollectJob } from "../collect/complete-collect-job.ts";
import { FIRST_BATCH_SIZE, type ImportBatch, type ImportContext, storeBatch } from "./import-batch.ts";

/** After this time, the job yields to others. */
const MAX_RUN_MS = 2000;
const [BYTES_PER_BATCH, LINES_PER_BATCH] = [256 * 1024, 2000];
/** More than an answer of a million characters with its citations. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/**
 * Stores each batch with its progress, so that every line is stored once.
 * Answers stay hidden until the collect completes.
 */
export async function importAnswers(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const found = await store.read((tenant) => findImport(tenant, job.subjectId));
  if (!found) return;
  const { body, collect, analysis } = found;
  const kind = getAnalysisKind(analysis.type);
  if (body.endedAt === null && kind.imports) {
    const into = {
      job,
      collectId: collect.id,
      analysis,
      kind,
      imports: kind.imports,
      at: body.createdAt,
      batchSize: FIRST_BATCH_SIZE,
    };
    await importRemaining({ work, store, ...into, known: new Map(), questionCount: -1 }, body);
  }
  const parts = await splitByMonth({ analysisId: analysis.id, collectId: collect.id }, { store, work });
  // Completes the import's own collect last, because callers wait for that one.
  for (const subjectId of [...parts, collect.id]) await completeCollectJob({ ...job, subjectId }, work);
  await store.write(async (tenant) => {
    const unused = await detachImportFile(tenant, collect.id);
    // Within the transaction, so that a concurrent identical upload comes entirely before or after.
    if (unused !== undefined) await work.blobs.delete(unused);
  });
}

async function importRemaining(importing: ImportContext, body: ImportRow): Promise<void> {
  const { work, store, collectId } = importing;
  const until = performance.now() + MAX_RUN_MS;
  let readTo = body.offsetBytes;
  for await (const batch of readBatches(importing, body)) {
    work.signal.throwIfAborted();
    await storeBatch(importing, batch);
    readTo = batch.to.offset;
    if (performance.now() > until) throw new Requeue();
  }
  await store.write((tenant) => finishImport(tenant, collectId, { readTo, at: work.now() }));
}

async function* readBatches(importing: ImportContext, body: ImportRow): AsyncGenerator<ImportBatch> {
  const begun = { offset: body.offsetBytes, lines: body.linesRead };
  let batch = createEmptyBatch(begun, body.collectName);
  try {
    for await (const line of readLines(importing.work, body)) {
      addLine(batch, line);
      if (line.number % 50 === 0) await nextTurn();
      if (!isFull(batch, importing.batchSize)) continue;
      yield batch;
      batch = createEmptyBatch(batch.to, batch.collectName);
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
    const lost = { line: begun.lines + 1, message: "The stored lines from here on are lost. Import them again." };
    batch = { ...batch, to: { ...begun, offset: body.sizeBytes }, rejectedLines: [lost] };
  }
  if (batch.to.offset > batch.from.offset) yield batch;
}

function createEmptyBatch(from: ImportBatch["from"], collectName: string | null): ImportBatch {
  return { from, to: from, collectName, lines: [], rejectedLines: [] };
}

function isFull({ from, to, lines }: ImportBatch, atOnce: number): boolean {
  if (lines.length >= atOnce || to.lines - from.lines >= LINES_PER_BATCH) return true;
  return lines.length > 0 && to.offset - from.offset >= BYTES_PER_BATCH;
}

function addLine(batch: ImportBatch, { number, end, text }: StoredLine): void {
  batch.to = { offset: end, lines: number };
  if (text === undefined) {
    batch.rejectedLines.push({ line: number, message: `is longer than ${MAX_LINE_BYTES / 1024 / 1024} MB` });
    return;
  }
  if (text.trim() === "") return;
  const read = parseAnswerLine(text);
  if ("message" in read) {
    batch.rejectedLines.push({ line: number, message: read.message });
    return;
  }
  batch.collectName ??= read.value.collect ?? "";
  batch.lines.push({ number, raw: text, value: read.value });
}

async function* readLines(work: BackgroundWork, body: ImportRow): AsyncGenerator<StoredLine> {
  const from = { offset: body.offsetBytes, lineCount: body.linesRead };
  const bytes = work.blobs.read(body.sha256, from.offset);
  for await (const lines of splitStoredLines(bytes, from, MAX_LINE_BYTES)) yield* lines;
}

const ANSWERS_PER_TRANSACTION = 200;

/**
 * An import over more than 31 days becomes monthly collects that can be compared. Resumable.
 * The first month keeps the import's collect. Returns the other ids.
 */
async function splitByMonth(
  ids: { analysisId: string; collectId: string },
  { store, work }: { store: TenantStore; work: BackgroundWork },
): Promise<string[]> {
  const collect = await store.read((tenant) => findCollect(tenant, ids));
  if (!collect || collect.finishedAt !== null || collect.collectedFrom === null || collect.collectedTo === null)
    return [];
  const { now: clock, newId } = work;
  const months = listLaterMonths(collect.collectedFrom, collect.collectedTo);
  for (const month of months) {
    for (let isMore = true; isMore;) {
      work.signal.throwIfAborted();
      const moving = { month, limit: ANSWERS_PER_TRANSACTION, at: clock(), newId };
      isMore = await store.write((tenant) => moveToImportPart(tenant, collect, moving), { isRepeatable: true });
    }
  }
  if (months.length > 0) await store.write((tenant) => setPeriodEnd(tenant, collect.id));
  const parts = await store.read((tenant) => listImportParts(tenant, collect.id));
  return parts.filter(({ finishedAt }) => finishedAt === null).map(({ id }) => id);
}
