import { and, asc, eq } from "drizzle-orm";
import { pino } from "pino";
import type { Crawler } from "../../core/audits/crawler.ts";
import { WEBSITE } from "../../core/sources/sources.ts";
import { addMs } from "../../core/shared/time.ts";
import { reserveCredits } from "../../db/credits/credits.ts";
import { insertAnalysis } from "../../db/analyses/analyses.ts";
import { insertCollectWithJobs } from "../../db/analyses/collects.ts";
import { finishCollect } from "../../db/analyses/collect-progress.ts";
import { insertQuestions } from "../../db/analyses/questions.ts";
import { insertSetup } from "../../db/analyses/setups.ts";
import type { Store } from "../../db/engine/store.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../../src/jobs/background/background.ts";
import { crawlSite } from "../../src/jobs/audits/crawl-site.ts";
import { openCommitted } from "../support/committed.ts";
import { world } from "../support/world.ts";
import { CHECKER } from "./checker.ts";

export const STARTED_AT = "2026-11-23T10:00:00.000Z";

/** An organization with a brand, whose audits are crawled manually, with a virtual clock. */
export async function crawlScene(begin = STARTED_AT) {
  const clock = { now: begin };
  const w = await world({ now: () => clock.now });
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, {
    name: "Acme",
    domains: ["acme.test"],
    relationship: "mine",
  });
  const { newId } = w.deps;
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const { q, t } = openCommitted(w.store);
  const log = pino({ level: "silent" });

  /** Stores an audit of these pages with its first run. */
  async function audit(
    pages: readonly string[],
    settings: { render?: boolean; sitemap_url?: string; website?: string } = {},
  ) {
    const [user] = await q.select({ id: t.users.id }).from(t.users).where(eq(t.users.email, owner.email));
    if (!user) throw new Error("the owner has no account");
    const [analysisId, at] = [newId(), clock.now];
    const setup = { website: "https://acme.test/", render: false, ...settings };
    await w.store.write(async (db) => {
      const tenant = { db, ...ids };
      const by = { createdBy: user.id, createdAt: at };
      const schedule = { every: "once" as const, at: "06:00", time_zone: "UTC" };
      const planned = { type: "geo_audit" as const, name: "Site", status: "launching" as const, plannedCollects: 1 };
      const about = {
        id: analysisId,
        brandId: brand.body.id as string,
        setup,
        schedule,
        unitCredits: 1,
        updatedAt: at,
      };
      await insertAnalysis(tenant, { ...planned, ...about, ...by }, []);
      const questionCount = pages.length;
      const asked = { setup, positions: null, questionCount, prompts: null, unitCredits: 1 };
      await insertSetup(tenant, { analysisId, version: 1, ...asked, ...by });
      const questions = pages.map((text, position) => ({ id: newId(), analysisId, position, text }));
      const kind = { type: "Generic" as const, intent: [] };
      await insertQuestions(tenant, { facets: [], questions: questions.map((one) => ({ ...one, ...kind })) });
    });
    return { analysisId, pages, run: () => run(analysisId, pages.length) };
  }

  let number = 0;
  /** Stores a run of an audit; returns its id. */
  async function run(analysisId: string, questionCount: number): Promise<string> {
    const [id, at] = [newId(), clock.now];
    number += 1;
    const round = {
      id,
      analysisId,
      number,
      setupVersion: 1,
      questionCount,
      unitCredits: 1,
      credits: questionCount,
      at,
      newId,
    };
    await w.store.write(async (db) => {
      const tenant = { db, ...ids };
      await reserveCredits(tenant, questionCount, { id: newId(), at, note: "A run" });
      await insertCollectWithJobs(tenant, { ...round, sources: [WEBSITE], runs: 1 });
    });
    return id;
  }

  /** Context of a handler. */
  function workWith(crawler: Crawler, over: Partial<BackgroundWork> = {}): BackgroundWork {
    const outside = { ...w.deps.outside, crawler };
    const own = { log, checker: CHECKER, signal: new AbortController().signal, now: () => clock.now };
    // No other fields are used.
    return { ...w.deps, outside, ...own, ...over } as unknown as BackgroundWork;
  }

  async function nextJob(kind: "crawl_site" | "end_collect" = "crawl_site"): Promise<BackgroundJob | undefined> {
    const [job] = await q
      .select()
      .from(t.backgroundJobs)
      .where(and(eq(t.backgroundJobs.kind, kind), eq(t.backgroundJobs.status, "queued")));
    return job as BackgroundJob | undefined;
  }

  /** Runs a crawl to its end like the runner, including resumptions; returns the number of runs. */
  async function crawl(crawler: Crawler, over: Partial<BackgroundWork> & { most?: number } = {}): Promise<number> {
    const work = workWith(crawler, over);
    for (let turns = 1; turns <= (over.most ?? 50); turns++) {
      const job = await nextJob();
      if (!job) throw new Error("no crawl is asked for");
      try {
        await crawlSite(job, work);
        await w.store.write(
          async (db) => void (await db.q.delete(db.t.backgroundJobs).where(eq(db.t.backgroundJobs.id, job.id))),
        );
        return turns;
      } catch (error) {
        if (!(error instanceof Requeue)) throw error;
        if (error.notBefore !== undefined && error.notBefore > clock.now) clock.now = error.notBefore;
      }
    }
    return over.most ?? 50;
  }

  return {
    ...w,
    ids,
    clock,
    brandId: brand.body.id as string,
    owner,
    workspace,
    audit,
    crawl,
    workWith,
    nextJob,
    tenant: <T>(work: (tenant: { db: Parameters<Parameters<Store["write"]>[0]>[0] } & typeof ids) => Promise<T>) =>
      w.store.write((db) => work({ db, ...ids })),
    /** Ends a run whose pages are done, like the job queued by its crawl. */
    async end(collectId: string, status: "completed" | "partial" = "completed") {
      await w.store.write((db) => finishCollect(db, collectId, { status, costCredits: 0, finishedAt: clock.now }));
      await w.store.write(async (db) => void (await db.q.delete(db.t.backgroundJobs)));
      clock.now = addMs(clock.now, 60_000);
    },
    async stored(collectId: string) {
      const ofRun = { jobs: eq(t.jobs.collectId, collectId), pages: eq(t.auditPages.collectId, collectId) };
      const pages = await q
        .select({ url: t.questions.text, row: t.auditPages, rest: t.auditFindings })
        .from(t.auditPages)
        .innerJoin(t.questions, eq(t.questions.id, t.auditPages.pageId))
        .innerJoin(
          t.auditFindings,
          and(eq(t.auditFindings.collectId, t.auditPages.collectId), eq(t.auditFindings.pageId, t.auditPages.pageId)),
        )
        .where(ofRun.pages)
        .orderBy(asc(t.questions.position));
      const jobs = await q
        .select({
          url: t.questions.text,
          status: t.jobs.status,
          attempts: t.jobs.attempts,
          reason: t.jobs.failureReason,
        })
        .from(t.jobs)
        .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
        .where(ofRun.jobs)
        .orderBy(asc(t.questions.position));
      const [collect] = await q.select().from(t.collects).where(eq(t.collects.id, collectId));
      const [audited] = await q.select().from(t.audits).where(eq(t.audits.collectId, collectId));
      return { pages, jobs, collect, audit: audited, ends: (await nextJob("end_collect"))?.subjectId ?? null };
    },
  };
}
