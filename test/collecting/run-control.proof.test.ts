import { array, assert, asyncProperty, constantFrom, nat, tuple } from "fast-check";
import { expect, test } from "vitest";
import type { Store } from "../../db/engine/store.ts";
import { addMs } from "../../core/shared/time.ts";
import type { Person } from "../support/world.ts";
import { chooseExtent } from "../support/proof.ts";
import { findCreditFaults, countPendingTasks } from "./run-state.ts";
import { collectScene } from "./scene.ts";

const MONDAY = "2026-11-02T08:00:00.000Z";

const WEEKLY = { schedule: "weekly", ends_at: "2026-11-30T08:00:00.000Z", sources: ["ASSISTANT_B"] };

const TWO = ["phone 0", "phone 1"];

/** Prices and runs a collect; returns the last response. */
async function runNow(person: Person, analysis: string) {
  const priced = await person.post(`${analysis}/collects/price`);
  if (priced.status !== 200) return priced;
  return person.post(`${analysis}/collects`, { quote_id: priced.body.quote_id, confirmed: true });
}

/** A store with some failing writes, before or after their commit. */
function flaky(store: Store): Store {
  let writes = 0;
  return {
    ...store,
    async write(work, ...how) {
      writes += 1;
      if (writes % 7 === 3) throw new Error("died before the commit");
      const result = await store.write(work, ...how);
      if (writes % 7 === 5) throw new Error("died after the commit");
      return result;
    },
  };
}

/** Changes an analysis to this number of keywords, daily instead of weekly. */
async function change(person: Person, analysis: string, keywords: number) {
  const { body } = await person.post(`${analysis}/duplicate`);
  const own = Array.from({ length: keywords }, (_, nth) => ({ text: `other ${nth}` }));
  const thematics = [{ name: "Phones", topics: [{ name: "All", keywords: own }] }];
  const setup = { ...body.setup, thematics, schedule: "daily", ends_at: WEEKLY.ends_at };
  const priced = await person.post(`${analysis}/setup/price`, setup);
  if (priced.status !== 200) return;
  const confirmed = { quote_id: priced.body.quote_id, confirmed: true };
  expect((await person.request("PUT", `${analysis}/setup`, { body: confirmed })).status).toBe(200);
}

const STEPS = [
  "create",
  "change",
  "pause",
  "resume",
  "run",
  "archive",
  "work",
  "work",
  "die",
  "week",
  "weeks",
] as const;

test("whatever people ask for, and whatever dies meanwhile, the ledger adds up", { timeout: 900_000 }, async () => {
  await assert(
    asyncProperty(
      array(tuple(constantFrom(...STEPS), nat(2)), { minLength: 4, maxLength: chooseExtent(20, 6) }),
      async (steps) => {
        // The clock runs, so that a lease that a worker left behind ends.
        let since = { at: MONDAY, ms: performance.now() };
        const now = () => addMs(since.at, Math.round(performance.now() - since.ms));
        await using s = await collectScene({ env: { SERVE: "core" }, now });
        const analyses = [await s.create(TWO, WEEKLY)];
        let person = s.owner;
        const work = async (watched?: (store: Store) => Store) => {
          await using _worker = await s.otherWorker(200, watched);
          await expect.poll(() => countPendingTasks(s, now()), { timeout: 20_000, interval: 10 }).toBe(0);
        };
        for (const [step, nth] of steps) {
          const analysis = analyses[nth % analyses.length] ?? "";
          // Only then the first sign-in, which creates, is valid.
          if (step === "create" && since.at !== MONDAY) continue;
          if (step === "create") analyses.push(await s.create(["else"], { ...WEEKLY, schedule: "daily" }));
          else if (step === "run") await runNow(person, analysis);
          else if (step === "change") await change(person, analysis, nth + 1);
          else if (step === "work") await work();
          else if (step === "die") await work(flaky);
          else if (step === "week" || step === "weeks") {
            since = { at: addMs(now(), (step === "week" ? 7 : 17) * 86_400_000), ms: performance.now() };
            person = await s.signInAgain();
          } else await person.post(`${analysis}/${step}`);
          expect(await findCreditFaults(s)).toEqual([]);
        }
        for (const analysis of analyses) await person.post(`${analysis}/archive`);
        await work();
        expect(await findCreditFaults(s)).toEqual([]);
        expect((await s.credits()).reserved).toBe(0);
      },
    ),
    { numRuns: chooseExtent(40, 1), endOnFailure: true, seed: 20_261_122 },
  );
});
