import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnalysisRow } from "../../../db/analyses/analyses.ts";
import { insertAnswers, type ReadAnswer } from "../../../db/answers/answers.ts";
import { addedAnswers, countImported } from "../../../db/analyses/collect-progress.ts";
import { listStoredPlaces, noteImported, type AnswerPlace } from "../../../db/answers/imports.ts";
import { countQuestions, listQuestionTexts } from "../../../db/analyses/questions.ts";
import { findRoom } from "../../../db/credits/quotas.ts";
import { isCurrent, type VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { Reading, UnreadReason } from "../../../core/reading/capture.ts";
import type { RejectedLine } from "../../../core/reading/import-line.ts";
import { localeOf, placeOf } from "../../../core/shared/place.ts";
import { readableText } from "../../../core/reading/reading.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { ImportedQuestions, MeasuredKind } from "../../../tools/analyses/kinds/analysis-kind.ts";
import { acceptLines, type ReadLine } from "../../../tools/answers/import-lines.ts";
import { clearWorkerFailures } from "../../../db/jobs/background-jobs.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";
import { readAnswer } from "../../../tools/analyses/kinds/kinds.ts";
import { storeImportedFigures } from "./imported-figures.ts";

export interface Importing {
  job: Pick<BackgroundJob, "id" | "workerFailures">;
  work: BackgroundWork;
  store: TenantStore;
  collectId: string;
  analysis: AnalysisRow;
  kind: MeasuredKind;
  imports: ImportedQuestions;
  at: Instant;
  known: ReadonlyMap<string, string>;
  /** Number of known prompts at the last query. A changed setup can repeat a prompt text. */
  counted: number;
  atOnce: number;
}

/** Target duration of an import transaction without its commit. */
const HELD_MS = 8;
const [FEWEST_AT_ONCE, MOST_AT_ONCE] = [10, 400];
export const FIRST_AT_ONCE = 20;

const UNREAD_MESSAGES: Record<UnreadReason, string> = { too_slow: "text: takes too long to read" };

export interface ImportBatch {
  from: { offset: number; lines: number };
  to: { offset: number; lines: number };
  collectName: string | null;
  lines: ReadLine[];
  rejected: RejectedLine[];
}

/** Stores a batch with its progress. Does nothing if another process has stored it. */
export async function storeBatch(importing: Importing, batch: ImportBatch): Promise<void> {
  while (!(await tryStore(importing, batch))) importing.work.signal.throwIfAborted();
}

interface Prepared {
  line: ReadLine;
  reading: Reading;
}

/** False if the catalog or the prompts changed before the batch was stored. */
async function tryStore(importing: Importing, batch: ImportBatch): Promise<boolean> {
  const { work, store, imports } = importing;
  const { catalog, stored } = await store.read(async (tenant) => {
    await lookAtQuestions(importing, tenant);
    return { catalog: await work.catalogs.of(tenant), stored: await storedLines(importing, batch, tenant) };
  });
  const room = { known: importing.known, mostQuestions: imports.mostQuestions, collectName: batch.collectName, stored };
  const { accepted, rejected } = acceptLines(batch.lines, room);
  const { prepared, unread } = await readWith(importing, catalog, accepted);
  const { organizationId, workspaceId } = store;
  let heldMs = 0;
  const known = await work.store.write(
    async (db) => {
      const began = performance.now();
      const tenant = { db, organizationId, workspaceId };
      const ids = await storePrepared(importing, tenant, {
        batch,
        catalog,
        prepared,
        rejected: [...rejected, ...unread],
      });
      heldMs = performance.now() - began;
      return ids;
    },
    { isRepeatable: true },
  );
  if (!known) return false;
  importing.counted += known.size - importing.known.size;
  importing.known = known;
  if (prepared.length > 0) importing.atOnce = fittingNumber(prepared.length, HELD_MS / heldMs);
  return true;
}

/** Next batch size, if the target duration allows `more` times as many. */
function fittingNumber(answers: number, more: number): number {
  return Math.max(FEWEST_AT_ONCE, Math.min(MOST_AT_ONCE, Math.floor(answers * Math.min(2, more))));
}

async function lookAtQuestions(importing: Importing, tenant: Tenant): Promise<void> {
  const { analysis } = importing;
  const counted = await countQuestions(tenant, analysis.id);
  if (counted === importing.counted) return;
  importing.known = new Map((await listQuestionTexts(tenant, analysis.id)).map(({ id, text }) => [text, id]));
  importing.counted = counted;
}

function nameOf({ questionId, source, run }: AnswerPlace): string {
  return `${questionId} ${source} ${run}`;
}

async function storedLines({ known, collectId }: Importing, batch: ImportBatch, tenant: Tenant): Promise<Set<number>> {
  const asked = batch.lines.flatMap(({ number, value: { keyword, source, run } }) => {
    const questionId = known.get(keyword);
    return questionId === undefined ? [] : [{ number, questionId, source, run }];
  });
  const stored = new Set((await listStoredPlaces(tenant, collectId, asked)).map(nameOf));
  return new Set(asked.filter((one) => stored.has(nameOf(one))).map(({ number }) => number));
}

async function readWith(
  { kind, work }: Importing,
  { compiled }: VersionedCatalog,
  lines: readonly ReadLine[],
): Promise<{ prepared: Prepared[]; unread: RejectedLine[] }> {
  const prepared: Prepared[] = [];
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
  importing: Importing,
  tenant: Tenant,
  made: { batch: ImportBatch; catalog: VersionedCatalog; prepared: readonly Prepared[]; rejected: RejectedLine[] },
): Promise<ReadonlyMap<string, string> | undefined> {
  const { analysis, at, collectId, imports, known, work } = importing;
  const { batch, catalog, prepared, rejected } = made;
  const addsQuestions = prepared.some(({ line }) => !known.has(line.value.keyword));
  if (addsQuestions && (await countQuestions(tenant, analysis.id)) !== importing.counted) return undefined;
  if (!(await isCurrent(tenant, catalog))) return undefined;
  const { fitting, beyond } = await fittingRoom(tenant, prepared);
  const noted = await noteImported(tenant, collectId, {
    from: batch.from.offset,
    offsetBytes: batch.to.offset,
    linesRead: batch.to.lines,
    collectName: batch.collectName,
    rejected: [...batch.rejected, ...rejected, ...beyond].toSorted((a, b) => a.line - b.line),
  });
  if (!noted) return known;
  await clearWorkerFailures(tenant.db, importing.job);
  const values = fitting.map(({ line }) => line.value);
  const by = { analysisId: analysis.id, catalog: catalog.compiled, newId: work.newId };
  const ids = await imports.add(tenant, known, values, by);
  await storeImportedFigures(tenant, placeOf(analysis.setup), values, at);
  const answers = fitting.map((one) =>
    answerOf(importing, one, { questionId: ids.get(one.line.value.keyword) ?? "", catalog: catalog.compiled }),
  );
  await insertAnswers(tenant.db, answers);
  // Lines without a date do not affect the period.
  const dated = fitting.flatMap(({ line }) => line.value.collected_at ?? []);
  const added = addedAnswers(
    answers.map(({ answer }) => answer),
    dated,
  );
  await countImported(tenant, collectId, { answers: answers.length, added, at: work.now() });
  return ids;
}

/** Selects lines in order until the organization's quota is used up. */
async function fittingRoom(
  tenant: Tenant,
  prepared: readonly Prepared[],
): Promise<{ fitting: Prepared[]; beyond: RejectedLine[] }> {
  const [answers, bytes] = [await findRoom(tenant, "answers"), await findRoom(tenant, "answer_bytes")];
  const fitting: Prepared[] = [];
  const beyond: RejectedLine[] = [];
  let size = 0;
  for (const one of prepared) {
    const more = Buffer.byteLength(one.line.raw);
    const refusal = answers.refuse(fitting.length + 1) ?? bytes.refuse(size + more);
    if (refusal) beyond.push({ line: one.line.number, message: refusal.message });
    else {
      fitting.push(one);
      size += more;
    }
  }
  return { fitting, beyond };
}

function answerOf(
  { work, analysis, collectId, at, store: { organizationId, workspaceId } }: Importing,
  { line: { value, raw }, reading }: Prepared,
  { questionId, catalog }: { questionId: string; catalog: CompiledCatalog },
): ReadAnswer {
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
      locale: value.locale ?? localeOf(placeOf(analysis.setup)),
      collectionMethod: "import",
      costCredits: 0,
      costUsd: null,
      collectedAt: value.collected_at ?? at,
    },
    reading,
  };
}
