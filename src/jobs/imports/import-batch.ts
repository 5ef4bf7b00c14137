import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { insertAnswers, type ExtractedAnswer } from "../../../db/answers/answers.ts";
import { sumAnswerTotals, addImportedAnswers } from "../../../db/analyses/collect-progress.ts";
import { listStoredSlots, recordImportProgress, type AnswerSlot } from "../../../db/answers/imports.ts";
import { countQuestions, listQuestionTexts } from "../../../db/analyses/questions.ts";
import { findRemainingQuota } from "../../../db/credits/quotas.ts";
import { isCurrentCatalog, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { Reading, UnreadReason } from "../../../core/reading/capture.ts";
import type { RejectedLine } from "../../../core/reading/import-line.ts";
import { toLocale, parseLocation } from "../../../core/shared/analysis-location.ts";
import { readableText } from "../../../core/reading/reading.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { ImportedQuestions, MeasuredKind } from "../../../tools/analyses/kinds/analysis-kind.ts";
import { acceptLines, type ReadLine } from "../../../tools/answers/import-lines.ts";
import { clearWorkerFailures } from "../../../db/jobs/background-jobs.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";
import { readAnswer } from "../../../tools/analyses/kinds/kinds.ts";
import { storeImportedKeywords } from "./store-imported-keywords.ts";

export interface ImportContext {
  job: Pick<BackgroundJob, "id" | "workerFailures">;
  work: BackgroundWork;
  store: TenantStore;
  collectId: string;
  analysis: AnalysisRow;
  kind: MeasuredKind;
  imports: ImportedQuestions;
  at: Instant;
  known: ReadonlyMap<string, string>;
  /** Counted at the last query. A changed setup can repeat a prompt text. */
  questionCount: number;
  batchSize: number;
}

/** Excludes the commit. */
const TARGET_TRANSACTION_MS = 8;
const [MIN_BATCH_SIZE, MAX_BATCH_SIZE] = [10, 400];
export const FIRST_BATCH_SIZE = 20;

const UNREAD_MESSAGES: Record<UnreadReason, string> = { too_slow: "text: takes too long to read" };

export interface ImportBatch {
  from: { offset: number; lines: number };
  to: { offset: number; lines: number };
  collectName: string | null;
  lines: ReadLine[];
  rejectedLines: RejectedLine[];
}

/** Does nothing if another process has stored the batch. */
export async function storeBatch(importing: ImportContext, batch: ImportBatch): Promise<void> {
  while (!(await tryStore(importing, batch))) importing.work.signal.throwIfAborted();
}

interface PreparedLine {
  line: ReadLine;
  reading: Reading;
}

/** False if the catalog or the prompts changed before the batch was stored. */
async function tryStore(importing: ImportContext, batch: ImportBatch): Promise<boolean> {
  const { work, store, imports } = importing;
  const { catalog, stored } = await store.read(async (tenant) => {
    await refreshQuestions(importing, tenant);
    return { catalog: await work.catalogs.load(tenant), stored: await listStoredLineNumbers(importing, batch, tenant) };
  });
  const room = { known: importing.known, maxQuestions: imports.maxQuestions, collectName: batch.collectName, stored };
  const { acceptedLines, rejectedLines } = acceptLines(batch.lines, room);
  const { prepared, unread } = await extractLines(importing, catalog, acceptedLines);
  const { organizationId, workspaceId } = store;
  let transactionMs = 0;
  const known = await work.store.write(
    async (db) => {
      const began = performance.now();
      const tenant = { db, organizationId, workspaceId };
      const ids = await storePrepared(importing, tenant, {
        batch,
        catalog,
        prepared,
        rejectedLines: [...rejectedLines, ...unread],
      });
      transactionMs = performance.now() - began;
      return ids;
    },
    { isRepeatable: true },
  );
  if (!known) return false;
  importing.questionCount += known.size - importing.known.size;
  importing.known = known;
  if (prepared.length > 0)
    importing.batchSize = computeNextBatchSize(prepared.length, TARGET_TRANSACTION_MS / transactionMs);
  return true;
}

/** `more` is the factor that the target duration allows. */
function computeNextBatchSize(answers: number, more: number): number {
  return Math.max(MIN_BATCH_SIZE, Math.min(MAX_BATCH_SIZE, Math.floor(answers * Math.min(2, more))));
}

async function refreshQuestions(importing: ImportContext, tenant: Tenant): Promise<void> {
  const { analysis } = importing;
  const counted = await countQuestions(tenant, analysis.id);
  if (counted === importing.questionCount) return;
  importing.known = new Map((await listQuestionTexts(tenant, analysis.id)).map(({ id, text }) => [text, id]));
  importing.questionCount = counted;
}

function toSlotKey({ questionId, source, run }: AnswerSlot): string {
  return `${questionId} ${source} ${run}`;
}

async function listStoredLineNumbers({ known, collectId }: ImportContext, batch: ImportBatch, tenant: Tenant) {
  const asked = batch.lines.flatMap(({ number, value: { keyword, source, run } }) => {
    const questionId = known.get(keyword);
    return questionId === undefined ? [] : [{ number, questionId, source, run }];
  });
  const stored = new Set((await listStoredSlots(tenant, collectId, asked)).map(toSlotKey));
  return new Set(asked.filter((one) => stored.has(toSlotKey(one))).map(({ number }) => number));
}

async function extractLines({ kind, work }: ImportContext, { compiled }: VersionedCatalog, lines: readonly ReadLine[]) {
  const prepared: PreparedLine[] = [];
  const unread: RejectedLine[] = [];
  for (const line of lines) {
    work.signal.throwIfAborted();
    const { keyword: prompt, source } = line.value;
    const reading = readAnswer(kind, line.value, { catalog: compiled, context: { prompt, source } });
    if (reading.unread) unread.push({ line: line.number, message: UNREAD_MESSAGES[reading.unread] });
    else prepared.push({ line, reading });
    await nextTurn();
  }
  return { prepared, unread };
}

/** Returns the current prompts; undefined if the batch must be prepared again. */
async function storePrepared(
  importing: ImportContext,
  tenant: Tenant,
  made: {
    batch: ImportBatch;
    catalog: VersionedCatalog;
    prepared: readonly PreparedLine[];
    rejectedLines: RejectedLine[];
  },
): Promise<ReadonlyMap<string, string> | undefined> {
  const { analysis, at, collectId, imports, known, work } = importing;
  const { batch, catalog, prepared, rejectedLines } = made;
  const addsQuestions = prepared.some(({ line }) => !known.has(line.value.keyword));
  if (addsQuestions && (await countQuestions(tenant, analysis.id)) !== importing.questionCount) return undefined;
  if (!(await isCurrentCatalog(tenant, catalog))) return undefined;
  const { accepted, rejected: beyond } = await selectWithinQuota(tenant, prepared);
  const noted = await recordImportProgress(tenant, collectId, {
    from: batch.from.offset,
    offsetBytes: batch.to.offset,
    linesRead: batch.to.lines,
    collectName: batch.collectName,
    rejectedLines: [...batch.rejectedLines, ...rejectedLines, ...beyond].toSorted((a, b) => a.line - b.line),
  });
  if (!noted) return known;
  await clearWorkerFailures(tenant.db, importing.job);
  const values = accepted.map(({ line }) => line.value);
  const by = { analysisId: analysis.id, catalog: catalog.compiled, newId: work.newId };
  const ids = await imports.addQuestions(tenant, known, values, by);
  await storeImportedKeywords(tenant, parseLocation(analysis.setup), values, at);
  const answers = accepted.map((one) =>
    toAnswer(importing, one, { questionId: ids.get(one.line.value.keyword) ?? "", catalog: catalog.compiled }),
  );
  await insertAnswers(tenant.db, answers);
  // Lines without a date do not affect the period.
  const dated = accepted.flatMap(({ line }) => line.value.collected_at ?? []);
  const added = sumAnswerTotals(
    answers.map(({ answer }) => answer),
    dated,
  );
  await addImportedAnswers(tenant, collectId, { answers: answers.length, added, at: work.now() });
  return ids;
}

/** Takes lines in order. */
async function selectWithinQuota(tenant: Tenant, prepared: readonly PreparedLine[]) {
  const [answers, bytes] = [
    await findRemainingQuota(tenant, "answers"),
    await findRemainingQuota(tenant, "answer_bytes"),
  ];
  const accepted: PreparedLine[] = [];
  const rejected: RejectedLine[] = [];
  let size = 0;
  for (const line of prepared) {
    const more = Buffer.byteLength(line.line.raw);
    const refusal = answers.errorFor(accepted.length + 1) ?? bytes.errorFor(size + more);
    if (refusal) rejected.push({ line: line.line.number, message: refusal.message });
    else {
      accepted.push(line);
      size += more;
    }
  }
  return { accepted, rejected };
}

function toAnswer(
  { work, analysis, collectId, at, store: { organizationId, workspaceId } }: ImportContext,
  { line: { value, raw }, reading }: PreparedLine,
  { questionId, catalog }: { questionId: string; catalog: CompiledCatalog },
): ExtractedAnswer {
  return {
    catalog,
    answer: {
      id: work.newId(),
      organizationId,
      workspaceId,
      analysisId: analysis.id,
      collectId,
      questionId,
      source: value.source,
      run: value.run,
      prompt: value.keyword,
      rawBody: raw,
      text: readableText(value, value.source),
      results: value.results,
      provider: value.provider ?? "import",
      model: value.model ?? null,
      locale: value.locale ?? toLocale(parseLocation(analysis.setup)),
      collectionMethod: "import",
      costCredits: 0,
      costUsd: null,
      collectedAt: value.collected_at ?? at,
    },
    reading,
  };
}
