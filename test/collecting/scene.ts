import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq } from "drizzle-orm";
import { pino } from "pino";
import { openSources } from "../../src/outside/sources/open-sources.ts";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import { startBackground } from "../../src/jobs/background/background.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { startWorker } from "../../src/jobs/collect/worker.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import type { Store } from "../../db/engine/store.ts";
import { world, WITH_WORKER } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

/**
 * A service with its worker, an organization, two brands, and analyses that are created as people
 * create them.
 */
export async function collectScene(options: Parameters<typeof world>[0] = {}) {
  const w = await world({
    ...options,
    env: { COLLECT_BACKOFF_SECONDS: "0.02", ...WITH_WORKER, ...options.env },
  });
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, {
    name: "Acme",
    domains: ["acme.test"],
    relationship: "mine",
  });
  await owner.post(`${workspace.path}/brands`, { name: "Rival", domains: ["rival.test"], relationship: "competitor" });

  let reader = owner;

  /** Prices and creates a search analysis of these keywords; returns its path. */
  async function create(keywords: string[], setup: object = {}) {
    const priced = await owner.post(`${workspace.path}/search-analyses/price`, {
      name: "Phones",
      website: "https://acme.test",
      brand_id: brand.body.id,
      sources: ["ASSISTANT_A"],
      thematics: [{ name: "Phones", topics: [{ name: "All", keywords: keywords.map((text) => ({ text })) }] }],
      runs_per_prompt: 1,
      ...setup,
    });
    if (priced.status !== 200) throw new Error(JSON.stringify(priced.body));
    const created = await owner.post(`${workspace.path}/search-analyses`, {
      quote_id: priced.body.quote_id,
      confirmed: true,
    });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    return `${workspace.path}/analyses/${created.body.id}`;
  }

  /** Waits until the newest collect of an analysis completes; returns it. */
  async function ended(analysis: string, number = 1) {
    for (let waited = 0; waited < 60_000; waited += 20) {
      const { body } = await reader.get(`${analysis}/collects`);
      const collect = body.data.find((row: { number: number }) => row.number === number);
      if (collect?.finished_at != null) return collect;
      await sleep(20);
    }
    throw new Error("the collect did not end in 60 s");
  }

  return {
    ...w,
    owner,
    organization,
    workspace,
    brandId: brand.body.id as string,
    create,
    ended,
    /** Signs the owner in again, for tests whose clock passes a token's expiry. */
    async signInAgain() {
      reader = await w.signIn(owner.email);
      return reader;
    },
    credits: async () => (await reader.get(`${organization.path}/credits`)).body,
    /** Jobs of the whole store, in the order of their keywords. */
    jobs: () => {
      const { q, t } = openCommitted(w.store);
      return q
        .select({
          prompt: t.questions.text,
          source: t.jobs.source,
          status: t.jobs.status,
          attempts: t.jobs.attempts,
          reason: t.jobs.failureReason,
        })
        .from(t.jobs)
        .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
        .orderBy(asc(t.questions.position), asc(t.jobs.source), asc(t.jobs.run));
    },
    /** A worker with a separate connection, as in another process; `watched` wraps its store. */
    async otherWorker(
      leaseMs = 5000,
      watched = (opened: Store) => opened,
      sources = openSources(w.config.providers, w.config.chosenProviders),
      log = pino({ level: "silent" }),
    ) {
      const store = watched(await openStore(w.config.DATA_DIR));
      const limits = { maxAttempts: 3, backoffBaseMs: 20, leaseMs, drainMs: 300 };
      const ends = startBackground({
        ...w.deps,
        ...limits,
        log,
        store,
        jobKinds: {
          launch_analysis: JOB_KINDS.launch_analysis,
          launch_collect: JOB_KINDS.launch_collect,
          end_collect: JOB_KINDS.end_collect,
        },
        blobs: openDiskBlobs(join(w.config.DATA_DIR, "assets")),
        syncMs: 1000,
        finishOutboxEntry: () => Promise.resolve(),
      });
      const outside = {
        log,
        sources,
        organizationCapUsd: w.config.ORGANIZATION_MONTHLY_USD ?? null,
        onStored: () => ends.wake(),
      };
      const worker = startWorker({ ...w.deps, ...limits, ...outside, store });
      return {
        async [Symbol.asyncDispose]() {
          await worker.close();
          await ends.close();
          await store.close();
        },
      };
    },
    answers: () =>
      openCommitted(w.store)
        .q.select()
        .from(openCommitted(w.store).t.answers)
        .orderBy(asc(openCommitted(w.store).t.answers.id)),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
