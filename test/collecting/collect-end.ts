import { isSource, toSource } from "../../core/sources/sources.ts";
import { eq } from "drizzle-orm";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import { insertAnswers, type ExtractedAnswer } from "../../db/answers/answers.ts";
import { listMeasuredSources } from "../../db/analyses/projects.ts";
import { computeSums } from "../../db/metrics/rollups.ts";
import { openCommitted } from "../support/committed.ts";
import type { collectScene } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Visible state of a collect; all of it changes on completion. */
export async function readCollectState({
  store,
  organization,
  workspace,
}: Pick<Scene, "store" | "organization" | "workspace">) {
  const db = openCommitted(store);
  const { q, t } = db;
  const tenant = { db, organizationId: organization.id, workspaceId: workspace.id };
  const [collect] = await q.select().from(t.collects);
  const [analysis] = await q.select({ status: t.analyses.status }).from(t.analyses);
  const [balance] = await q.select({ reserved: t.creditBalances.reserved }).from(t.creditBalances);
  return {
    status: collect?.status,
    succeeded: collect?.succeeded,
    ended: collect?.finishedAt !== null,
    methods: collect?.collectionMethods,
    spent: collect?.costCredits,
    analysis: analysis?.status,
    sources: await listMeasuredSources(tenant, collect?.analysisId ?? ""),
    reserved: balance?.reserved,
    ledger: await q.$count(t.ledgerEntries, eq(t.ledgerEntries.kind, "spend")),
    follows: await q.$count(t.backgroundJobs, eq(t.backgroundJobs.kind, "recommend_actions")),
  };
}

/** Differences between stored sums and answers of the only collect; none after completion. */
export async function findRollupDifferences({ store }: Pick<Scene, "store">) {
  const db = openCommitted(store);
  const [collect] = await db.q.select().from(db.t.collects);
  if (!collect) throw new Error("there is no collect");
  return (await computeSums((work) => work(db), collect)).changes;
}

/**
 * Answers all but `left` questions of the only collect without a provider; each answer names both
 * brands. Returns the collect's id.
 */
export async function answerAllBut(s: Scene, left: number): Promise<string> {
  return s.store.write(async (db) => {
    const { q, t } = db;
    const [collect] = await q.select().from(t.collects);
    if (!collect) throw new Error("there is no collect");
    const brands = await listTrackedBrands({ db, ...collect });
    const catalog = compileCatalog(brands);
    const jobs = (await q.select().from(t.jobs)).slice(left);
    const { organizationId, workspaceId, analysisId, id: collectId } = collect;
    const answers = jobs.flatMap((job, index): ExtractedAnswer[] => {
      const { questionId, source, run } = job;
      if (!isSource(source)) return [];
      const ids = { id: job.id, organizationId, workspaceId, analysisId, collectId, jobId: job.id, questionId };
      const text = { prompt: "", text: "An answer.", results: [], rawBody: "", locale: "en-US", provider: "openai" };
      const cost = { collectionMethod: "api" as const, costCredits: 1, collectedAt: s.deps.now() };
      const citations = [1, 2, 3, 4].map((position) => {
        const domain = `site-${index % 50}.test`;
        const url = `https://${domain}/${index}/${position}`;
        return { position, url, domain, competitor_type: "UNKNOWN" as const, brand_id: null };
      });
      const brandRanks = brands.map(({ id }, place) => ({
        brand_id: id,
        rank: place + 1,
        brand_rank: place + 1,
        mentions: 1,
        url: null,
      }));
      const read = { version: 1, isShown: true, isInformative: true, mentions: [], retrieved: [], queries: [] };
      const reading = { ...read, brandRanks, citations };
      return [{ answer: { ...ids, ...text, ...cost, source: toSource(source), run }, reading, catalog }];
    });
    await insertAnswers(db, answers);
    for (const { id } of jobs) await q.update(t.jobs).set({ status: "succeeded" }).where(eq(t.jobs.id, id));
    await q.update(t.collects).set({ status: "running", startedAt: s.deps.now(), succeeded: jobs.length });
    await q.update(t.analyses).set({ status: "collecting" });
    return collectId;
  });
}
