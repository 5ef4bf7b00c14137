import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { ReextractionProgress } from "../../core/reading/reextraction.ts";
import { startKillableService } from "../support/killable-process.ts";
import { chooseExtent } from "../support/proof.ts";
import { catalogScene, recordedLines, storedFigures, UNKNOWN } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";
import { random } from "../support/random.ts";

const ANSWERS = chooseExtent(1280, 320);
/** Answers that are imported a second time. */
const AGAIN = ANSWERS / 4;
const KILLS = chooseExtent(3, 1);
const SERVE = "core,search";

const startWorker = (DATA_DIR: string) =>
  startKillableService({ DATA_DIR, SERVE: "core,worker", COLLECT_LEASE_SECONDS: "1" });

test(
  "killed repeatedly during re-extraction, the result is as if nothing had happened",
  async () => {
    const competitor = { name: UNKNOWN, domains: [`${UNKNOWN.toLowerCase()}.test`] };
    const lines = recordedLines(ANSWERS);
    const dataDir = await mkdtemp(join(tmpdir(), "reread-"));
    {
      await using s = await catalogScene({ dataDir, env: { SERVE } });
      await s.import(lines);
      await s.import(lines.slice(0, AGAIN));
      await s.owner.post(s.brands, competitor);
    }
    const store = await openStore(dataDir);
    const { q, t } = openCommitted(store);
    const job = async () => {
      const [row] = await q.select().from(t.backgroundJobs).where(eq(t.backgroundJobs.kind, "reread_answers"));
      return { status: row?.status, done: ReextractionProgress.safeParse(row?.progress).data?.answers_done ?? 0 };
    };
    let child: ChildProcess | undefined;
    try {
      const killedAt: number[] = [];
      for (let life = 0; life < KILLS; life += 1) {
        const before = (await job()).done;
        child = startWorker(dataDir);
        while ((await job()).done <= before) await sleep(2);
        // Some moment: within a transaction, between two, or while answers are read.
        await sleep(random() * 200);
        child.kill("SIGKILL");
        await once(child, "exit");
        killedAt.push((await job()).done);
      }
      child = startWorker(dataDir);
      for (let waited = 0; (await job()).status !== "succeeded"; waited += 20) {
        if (waited > 120_000) throw new Error("the reading did not end");
        await sleep(20);
      }
      child.kill("SIGTERM");
      await once(child, "exit");
      expect((await job()).done).toBe(ANSWERS + AGAIN);
      process.stdout.write(`killed after ${killedAt.join(", ")} of ${ANSWERS + AGAIN} answers\n`);
      const after = await storedFigures(openCommitted(store));

      await using always = await catalogScene({ env: { SERVE } });
      await always.owner.post(always.brands, competitor);
      await always.import(lines);
      await always.import(lines.slice(0, AGAIN));
      expect(after).toEqual(await always.figures());
    } finally {
      child?.kill("SIGKILL");
      await store.close();
      await rm(dataDir, { recursive: true });
    }
  },
  120_000 + KILLS * 60_000,
);
