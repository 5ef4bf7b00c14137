import { findAnalysis } from "../../../db/measuring/analyses.ts";
import { endQuestions } from "../../../db/measuring/collects.ts";
import { countQuestions, insertQuestions, listFacets, type QuestionRows } from "../../../db/measuring/questions.ts";
import { listPersonasByIds } from "../../../db/catalog/personas.ts";
import { findQuote } from "../../../db/catalog/quotes.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { kindOf } from "../../../tools/analyses/kinds.ts";
import { LaunchProgress } from "../../../tools/analyses/launch-analysis.ts";
import type { BackgroundJob, BackgroundWork } from "./background.ts";

/** Few enough, with their groups, for a short transaction. */
const QUESTIONS_AT_ONCE = 200;

/**
 * Stores the questions of an analysis that its creation did not store, from the setup in its quote, and then asks for the
 * rest of its collects. How many are stored says which come next, so each is stored once whatever happens.
 */
export async function launchAnalysis(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { now, newId, signal } = work;
  const { subjectId: analysisId } = job;
  const { quote: quoteId, asking } = LaunchProgress.parse(job.progress);
  const store = tenantStore(work.store, job);
  const [analysis, quote] = await store.read(async (tenant) => [
    await findAnalysis(tenant, analysisId),
    await findQuote(tenant, quoteId),
  ]);
  if (!analysis || !quote) throw new Error("an analysis that is launched has lost its quote");
  const kind = kindOf(analysis.type);
  for (let isMore = true; isMore;) {
    signal.throwIfAborted();
    const part = await store.read(async (tenant) => ({
      analysisId,
      first: await countQuestions(tenant, analysisId),
      most: QUESTIONS_AT_ONCE,
      facets: await listFacets(tenant, analysisId),
    }));
    const rows = kind.questions(quote.setup, part, newId);
    const storing = async (tenant: Tenant) => {
      // Another process stored these meanwhile.
      if ((await countQuestions(tenant, analysisId)) !== part.first) return true;
      await insertQuestions(tenant, await withoutGonePersonas(tenant, rows));
      if (rows.questions.length === QUESTIONS_AT_ONCE) return true;
      await endQuestions(tenant, analysisId, { ...asking, at: now(), newId });
      return false;
    };
    isMore = await store.write(storing, { isRepeatable: true });
  }
}

/** A persona can be deleted as long as no stored question has it. */
async function withoutGonePersonas(tenant: Tenant, { facets, questions }: QuestionRows): Promise<QuestionRows> {
  const named = new Set(questions.flatMap(({ personaId }) => personaId ?? []));
  const there = new Set((await listPersonasByIds(tenant, [...named])).map(({ id }) => id));
  const kept = (id: string | null | undefined) => (id != null && there.has(id) ? id : null);
  return { facets, questions: questions.map((one) => ({ ...one, personaId: kept(one.personaId) })) };
}
