import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { finishQuestions, setQuestionCount } from "../../../db/analyses/collects.ts";
import { countQuestions, insertQuestions, listFacets, type QuestionRows } from "../../../db/analyses/questions.ts";
import { listPersonasByIds } from "../../../db/catalog/personas.ts";
import { findQuote } from "../../../db/credits/quotes.ts";
import { clearWorkerFailures, storeJobProgress } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { getAnalysisKind } from "../../../tools/analyses/kinds/kinds.ts";
import type { AnalysisSetup } from "../../../tools/analyses/kinds/analysis-kind.ts";
import { LaunchProgress } from "../../../tools/analyses/launch-analysis.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

/** Few enough to keep the transaction short. */
const QUESTIONS_PER_TRANSACTION = 200;

/** Resumes from the number of stored prompts, so each is stored once. */
export async function launchAnalysis(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { now, newId, signal } = work;
  const { subjectId: analysisId } = job;
  const progress = LaunchProgress.parse(job.progress);
  const { quote: quoteId, asking } = progress;
  const store = tenantStore(work.store, job);
  const [analysis, quote] = await store.read(async (tenant) => [
    await findAnalysis(tenant, analysisId),
    await findQuote(tenant, quoteId),
  ]);
  if (!analysis || !quote) throw new Error("a launched analysis has no quote");
  const kind = getAnalysisKind(analysis.type);
  const setup = await completeSetup(job, work, progress, quote.setup);
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    const part = await store.read(async (tenant) => ({
      analysisId,
      first: await countQuestions(tenant, analysisId),
      limit: QUESTIONS_PER_TRANSACTION,
      facetRows: await listFacets(tenant, analysisId),
    }));
    const rows = kind.buildQuestions(setup, part, newId);
    const storing = async (tenant: Tenant) => {
      if ((await countQuestions(tenant, analysisId)) !== part.first) return true;
      await clearWorkerFailures(tenant.db, job);
      await insertQuestions(tenant, await omitDeletedPersonas(tenant, rows));
      if (rows.questions.length === QUESTIONS_PER_TRANSACTION) return true;
      if (setup !== quote.setup) await setQuestionCount(tenant, analysisId, part.first + rows.questions.length);
      await finishQuestions(tenant, analysisId, { ...asking, at: now(), newId });
      return false;
    };
    isMore = await store.write(storing, { isRepeatable: true });
  }
}

const MAX_LOOKUP_MS = 60_000;

/** Stores the result of slow lookups, so they run once. */
async function completeSetup(
  job: BackgroundJob,
  { store, outside }: BackgroundWork,
  progress: LaunchProgress,
  quoted: Record<string, unknown>,
): Promise<object> {
  if (progress.found) return progress.found;
  const analysis = await tenantStore(store, job).read((tenant) => findAnalysis(tenant, job.subjectId));
  const errand = analysis && getAnalysisKind(analysis.type).lookup;
  // Safe: the quote's setup has the kind of its analysis.
  const setup = quoted as unknown as AnalysisSetup;
  if (errand?.missingReason(setup) === undefined) return quoted;
  const found = { ...(await errand.perform(setup, outside, { timeoutMs: MAX_LOOKUP_MS })) };
  await store.write((db) => storeJobProgress(db, job.id, { ...progress, found }));
  return found;
}

/** A persona can be deleted until a stored prompt refers to it. */
async function omitDeletedPersonas(tenant: Tenant, { facets, questions }: QuestionRows): Promise<QuestionRows> {
  const named = new Set(questions.flatMap(({ personaId }) => personaId ?? []));
  const existingIds = new Set((await listPersonasByIds(tenant, [...named])).map(({ id }) => id));
  const keepExisting = (id: string | null | undefined) => (id != null && existingIds.has(id) ? id : null);
  return { facets, questions: questions.map((one) => ({ ...one, personaId: keepExisting(one.personaId) })) };
}
