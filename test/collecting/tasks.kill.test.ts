import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openCommitted } from "../support/committed.ts";
import { chooseExtent } from "../support/proof.ts";
import { collectScene } from "./scene.ts";
import { ANSWER_USD, SUBMISSION_USD, startVendor } from "./vendor.ts";
import { random } from "../support/random.ts";

const KILLS = chooseExtent(100, 2);
/** Max questions that a creation stores immediately. */
const JOBS = chooseExtent(400, 40);
/** A task takes four requests. */
const BEFORE_A_KILL = Math.floor((JOBS * 3) / KILLS);

test(
  `killed ${KILLS} times while a vendor that bills at submission has ${JOBS} questions, each is billed once and answered once`,
  async () => {
    // Attack on the operator's budget: a process dies between submitting a task and storing its id.
    await using vendor = await startVendor({ delayMs: 10, polled: (_, nth) => (nth < 3 ? "pending" : "done") });
    await using s = await collectScene({ env: { SERVE: "core" } });
    const prompts = Array.from({ length: JOBS }, (_, nth) => `phone ${nth}`);
    await s.create(prompts);
    const { q, t } = openCommitted(s.store);
    const start = (nth: number) =>
      spawn(
        process.execPath,
        [
          "--import",
          "tsx",
          join(import.meta.dirname, "task-process.ts"),
          s.config.DATA_DIR,
          vendor.url,
          nth % 2 ? "look_up" : "same_key",
        ],
        { stdio: "ignore", env: { PATH: process.env["PATH"] } },
      );
    for (let life = 0; life < KILLS; life++) {
      const before = vendor.sent.length;
      const child = start(life);
      while (vendor.sent.length < before + BEFORE_A_KILL) await sleep(2);
      // A random moment: before submission, while the vendor works, or before its id is stored.
      await sleep(random() * 40);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    const underWay = await q.$count(t.jobs, sql`${t.jobs.status} <> 'succeeded'`);
    expect(underWay).toBeGreaterThan(0);
    const child = start(0);
    for (let waited = 0; (await q.$count(t.jobs, eq(t.jobs.status, "succeeded"))) < JOBS; waited += 20) {
      if (waited > 120_000) throw new Error("the collect did not end");
      await sleep(20);
    }
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(vendor.billed()).toEqual(Object.fromEntries(prompts.map((prompt) => [prompt, 1])));
    expect(await q.$count(t.answers)).toBe(JOBS);
    const [spend] = await q.select().from(t.providerSpend);
    expect(spend?.usd).toBe(JOBS * (SUBMISSION_USD + ANSWER_USD));
    // Each task has one reservation, settled in the accounts of provider, organization and
    // analysis.
    const month = { spent: JOBS * (SUBMISSION_USD + ANSWER_USD) * 1_000_000, reserved: 0 };
    expect(await q.select().from(t.spendAccounts)).toMatchObject([month, month, month, month]);
    expect(await q.$count(t.spendReservations)).toBe(0);
    process.stdout.write(
      `${vendor.sent.length} requests for ${JOBS} tasks, ${underWay} of them under way at the last kill\n`,
    );
  },
  60_000 + KILLS * 10_000,
);
