import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openCommitted } from "../support/committed.ts";
import { chooseExtent } from "../support/proof.ts";
import { crawlScene } from "./crawl-scene.ts";
import { random } from "../support/random.ts";

const KILLS = chooseExtent(20, 2);
const PAGES = chooseExtent(1000, 60);

test(
  `killed ${KILLS} times in the middle of ${PAGES} pages, a run ends with each page once, and exact counts`,
  async () => {
    await using s = await crawlScene(new Date().toISOString());
    const audit = await s.audit(Array.from({ length: PAGES }, (_, index) => `https://acme.test/page/${index}`));
    const collectId = await audit.run();
    const { q, t } = openCommitted(s.store);
    const start = () =>
      spawn(process.execPath, ["--import", "tsx", "test/audits/crawl-process.ts", s.config.DATA_DIR], {
        stdio: "ignore",
        env: { PATH: process.env["PATH"] },
      });
    const stored: number[] = [];
    for (let life = 0; life < KILLS; life++) {
      const before = await q.$count(t.auditPages);
      const child = start();
      while ((await q.$count(t.auditPages)) < before + PAGES / KILLS / 4) await sleep(2);
      // Some moment: while a page is fetched, within a transaction, or between two.
      await sleep(random() * 20);
      child.kill("SIGKILL");
      await once(child, "exit");
      stored.push(await q.$count(t.auditPages));
    }
    expect(stored.at(-1)).toBeLessThan(PAGES);
    expect(await q.$count(t.jobs, sql`${t.jobs.status} <> 'queued'`)).toBe(stored.at(-1));
    const child = start();
    for (let waited = 0; (await s.stored(collectId)).ends === null; waited += 10) {
      if (waited > 60_000) throw new Error("the run did not end");
      await sleep(10);
    }
    child.kill("SIGTERM");
    await once(child, "exit");

    const { jobs, collect, audit: found } = await s.stored(collectId);
    expect(jobs).toEqual(audit.pages.map((url) => ({ url, status: "succeeded", attempts: 1, reason: null })));
    expect(collect).toMatchObject({ status: "running", planned: PAGES, succeeded: PAGES, failed: 0 });
    expect(found?.summary).toMatchObject({ pages: { audited: PAGES, skipped: 0 }, outcomes: { warn: PAGES } });
    expect([await q.$count(t.auditPages), await q.$count(t.auditFindings)]).toEqual([PAGES, PAGES]);
    expect(await q.$count(t.backgroundJobs, eq(t.backgroundJobs.kind, "end_collect"))).toBe(1);
  },
  60_000 + KILLS * 10_000,
);
