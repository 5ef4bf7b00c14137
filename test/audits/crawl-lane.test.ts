import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import { startBackground, type BackgroundJobKind } from "../../src/jobs/background/background.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { CHECKER } from "./checker.ts";
import { crawlScene } from "./crawl-scene.ts";
import { fakeSite } from "./fake-site.ts";

test("however many websites are crawled, briefs and second readings of other organizations begin at once", async () => {
  await using s = await crawlScene();
  const PAGE = "https://acme.test/";
  const runs: string[] = [];
  while (runs.length < 6) runs.push(await (await s.audit([PAGE])).run());
  const rival = await s.insertTenant("Rival");
  const theirs = { organizationId: rival.organization.id, workspaceId: rival.workspace.id };
  const holding = new EventEmitter();
  const held = once(holding, "release");
  const site = fakeSite({ [PAGE]: { html: "<title>Acme</title>", meanwhile: async () => void (await held) } });
  const began: string[] = [];
  const noting = (kind: BackgroundKind): BackgroundJobKind => ({
    ...JOB_KINDS[kind],
    run: async ({ subjectId }) => void began.push(subjectId),
  });
  const runner = startBackground({
    ...s.workWith(site.crawler),
    jobKinds: {
      crawl_site: JOB_KINDS.crawl_site,
      write_brief: noting("write_brief"),
      reread_answers: noting("reread_answers"),
      end_collect: noting("end_collect"),
    },
    checker: CHECKER,
    blobs: openDiskBlobs(join(s.config.DATA_DIR, "assets")),
    leaseMs: 5000,
    drainMs: 50,
    backoffBaseMs: 1,
  });
  const crawled = () => site.asked.filter((url) => url === PAGE).length;
  try {
    await vi.waitFor(() => expect(crawled()).toBe(4), 5000);
    await s.store.write(async (db) => {
      for (const kind of ["write_brief", "reread_answers"] as const) {
        await enqueueBackgroundJob({ db, ...theirs }, { id: s.deps.newId(), kind, subjectId: kind, at: s.clock.now });
      }
    });
    runner.wake();
    await vi.waitFor(() => expect(began).toEqual(expect.arrayContaining(["reread_answers", "write_brief"])), 2000);
    expect(crawled()).toBe(4);
    holding.emit("release");
    await vi.waitFor(() => expect(began).toEqual(expect.arrayContaining(runs)), 10_000);
    expect(crawled()).toBe(6);
  } finally {
    holding.emit("release");
    await runner.close();
  }
});
