import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findAnalysis } from "../../db/analyses/analyses.ts";
import { insertNextJobs } from "../../db/analyses/collects.ts";
import { enqueueCrawl } from "../../db/audits/crawls.ts";
import { setCollectsHeld } from "../../db/analyses/run-control.ts";
import { CheckFailed } from "../../src/jobs/audits/check-thread.ts";
import { crawlSite } from "../../src/jobs/audits/crawl-site.ts";
import { cancelPlanned } from "../../tools/collects/cancel-planned.ts";
import { openCommitted } from "../support/committed.ts";
import { CHECKER } from "./checker.ts";
import { crawlScene } from "./crawl-scene.ts";
import { fakeSite } from "./fake-site.ts";

const SITE = "https://acme.test";
const [HOME, X1, X2] = [`${SITE}/`, `${SITE}/products/x1`, `${SITE}/products/x2`];
const page = (title: string) => ({ html: `<title>${title}</title>` });

const crash = async () => {
  throw new Error("the process ends");
};

test("a stopped run continues where it was, and stores the page in progress", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([HOME, X1, X2]);
  const collectId = await audit.run();
  const hold = (isHeld: boolean) => s.tenant((tenant) => setCollectsHeld(tenant, audit.analysisId, isHeld));
  const site = fakeSite({
    [HOME]: page("Acme"),
    [X1]: { ...page("X1"), meanwhile: () => hold(true) },
    [X2]: page("X2"),
  });
  await s.crawl(site.crawler);
  expect(await s.stored(collectId)).toMatchObject({ collect: { succeeded: 2, status: "running" }, ends: null });
  await hold(false);
  await s.tenant((tenant) => enqueueCrawl(tenant, collectId, { queuedAt: s.clock.now, newId: s.deps.newId }));
  await s.crawl(site.crawler);
  expect(site.asked.slice(3)).toEqual([HOME, X1, X2]);
  expect(await s.stored(collectId)).toMatchObject({ collect: { succeeded: 3 }, ends: collectId });
});

test("a canceled run stores and charges nothing more, and completes with the pages it has", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([HOME, X1, X2]);
  const collectId = await audit.run();
  const archive = () =>
    s.tenant(async (tenant) => {
      const analysis = await findAnalysis(tenant, audit.analysisId);
      if (analysis) await cancelPlanned(tenant, analysis, { now: s.clock.now, newId: s.deps.newId });
    });
  const site = fakeSite({ [HOME]: page("Acme"), [X1]: { ...page("X1"), meanwhile: archive }, [X2]: page("X2") });
  // The job in progress, and the one queued by archiving.
  const under = await s.nextJob();
  await s.tenant(async ({ db: { q, t } }) => {
    await q
      .update(t.backgroundJobs)
      .set({ status: "leased" })
      .where(eq(t.backgroundJobs.id, under?.id ?? ""));
  });
  if (under) await crawlSite(under, s.workWith(site.crawler));
  await s.crawl(site.crawler);
  expect(site.asked.slice(3)).toEqual([HOME, X1]);
  const { jobs, collect, pages, audit: stored, ends } = await s.stored(collectId);
  const reason = "The page was canceled before it was fetched.";
  expect(jobs).toEqual([
    { url: HOME, status: "succeeded", attempts: 1, reason: null },
    { url: X1, status: "failed", attempts: 0, reason },
    { url: X2, status: "failed", attempts: 0, reason },
  ]);
  expect(collect).toMatchObject({ planned: 3, succeeded: 1, failed: 2, reservedCredits: 1 });
  expect(pages.map(({ url }) => url)).toEqual([HOME]);
  expect(stored?.summary?.notes).toEqual(["The run was canceled before all of its pages were fetched."]);
  expect(ends).toBe(collectId);
  const { q, t } = openCommitted(s.store);
  expect(await q.select({ reserved: t.creditBalances.reserved }).from(t.creditBalances)).toEqual([{ reserved: 1 }]);
});

test("crawls stored pages first, and the rest once they are stored", async () => {
  await using s = await crawlScene();
  const audit = await s.audit(Array.from({ length: 410 }, (_, index) => `${SITE}/${index}`));
  const collectId = await audit.run();
  const site = fakeSite({});
  await s.crawl(site.crawler);
  expect(await s.stored(collectId)).toMatchObject({ collect: { planned: 410, succeeded: 400 }, ends: null });
  const asking = { sources: ["WEBSITE"] as const, runs: 1, at: s.clock.now, newId: s.deps.newId };
  await s.tenant((tenant) => insertNextJobs(tenant, collectId, asking));
  await s.crawl(site.crawler);
  const { collect, audit: stored, ends } = await s.stored(collectId);
  expect(collect).toMatchObject({ succeeded: 410, failed: 0 });
  expect(stored?.summary?.pages).toEqual({ audited: 410, skipped: 0 });
  expect(ends).toBe(collectId);
});

test("a large page that ends the process each time it is checked is given up", async () => {
  await using s = await crawlScene();
  const collectId = await (await s.audit([HOME, X1])).run();
  const site = fakeSite({ [HOME]: { html: "<p>".repeat(200_000) }, [X1]: page("X1") });
  for (let life = 1; life <= 3; life++) {
    await expect(s.crawl(site.crawler, { checker: { ...CHECKER, checkPage: crash } })).rejects.toThrow(
      "the process ends",
    );
  }
  await s.crawl(site.crawler);
  expect((await s.stored(collectId)).jobs).toEqual([
    { url: HOME, status: "failed", attempts: 1, reason: "It takes too long or too much memory to read." },
    { url: X1, status: "succeeded", attempts: 1, reason: null },
  ]);
});

test("skips a page at which a check fails or the thread times out", async () => {
  await using s = await crawlScene();
  const collectId = await (await s.audit([HOME, X1, X2])).run();
  const site = fakeSite({ [HOME]: page("Acme"), [X1]: page("X1"), [X2]: page("X2") });
  const checkPage: typeof CHECKER.checkPage = async (order, signal) => {
    if (order.fetched.url === HOME) throw new CheckFailed("a check failed");
    return order.fetched.url === X1 ? undefined : CHECKER.checkPage(order, signal);
  };
  await s.crawl(site.crawler, { checker: { ...CHECKER, checkPage } });
  expect((await s.stored(collectId)).jobs.map(({ status, reason }) => [status, reason])).toEqual([
    ["failed", "It could not be checked."],
    ["failed", "It takes too long or too much memory to read."],
    ["succeeded", null],
  ]);
});
