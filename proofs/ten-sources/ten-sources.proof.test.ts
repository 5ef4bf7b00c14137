import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { grantCredits } from "../../db/credits/credits.ts";
import { collectScene } from "../../test/collecting/scene.ts";
import { chooseExtent, report } from "../../test/support/proof.ts";
import { billedTwice, differences, expectedEnds, judge, tally, type Verdict } from "./judge.ts";
import type { End } from "./fates.ts";
import type { Limits } from "./limits.ts";
import type { LogLine } from "./outside.ts";
import {
  ASKED_SOURCES,
  CAPPED_PROVIDER,
  CAPPED_MAX_MICROS,
  capMicrosOf,
  createEnv,
  readProcessMetrics,
  PROVIDER_BEHAVIOR,
  KILLS,
  openFolder,
  PROMPTS,
  QUESTIONS,
  startKillableWorker,
  startOutside,
  startService,
  waitUntil,
  withPlugIn,
} from "./scene.ts";
import {
  areCollectsFinished,
  countEndedQuestions,
  storedAnswers,
  storedEnds,
  storedSpending,
  watchSpending,
  type Money,
} from "./stored.ts";
import type { Wire } from "./wire.ts";
import { WIRES } from "./wires/wires.ts";
import { random } from "../../test/support/random.ts";

test(
  `${QUESTIONS} questions to ${ASKED_SOURCES.length} sources whose providers fail in every way, with ${KILLS} kills of the service: expected outcomes within every limit and cap`,
  async () => {
    // Attack on metrics and budget: failures and crashes that lose answers, repeat requests or
    // exceed a cap.
    await using folder = await openFolder();
    const [log, figures] = [join(folder.path, "log"), join(folder.path, "figures")];
    await using outside = await startOutside(log);
    using _plugIn = withPlugIn();
    const env = createEnv(outside.url);
    await using s = await collectScene({ dataDir: join(folder.path, "data"), env: { ...env, SERVE: "core" } });
    const grant = { id: s.deps.newId(), at: s.deps.now(), note: "For the proof" };
    await s.store.write((db) => grantCredits({ db, organizationId: s.organization.id }, 10_000_000, grant));

    const spending = watchSpending(s.store, capMicrosOf);
    const began = performance.now();
    for (const prompts of PROMPTS) await s.create(prompts, { sources: ASKED_SOURCES });
    const inAProcess = () => startService({ ...env, DATA_DIR: s.config.DATA_DIR }, figures);
    const start = chooseExtent(inAProcess, () => startKillableWorker(s));
    const killedAt: number[] = [];
    for (let life = 1; life <= KILLS; life++) {
      await using service = await start();
      const share = (0.8 * life) / (KILLS + 1);
      await waitUntil(async () => (await countEndedQuestions(s.store)) >= QUESTIONS * share, service.written);
      // A random moment: inside a transaction, between two, or while waiting for providers.
      await sleep(random() * 60);
      await service.kill();
      killedAt.push(await countEndedQuestions(s.store));
    }
    expect(killedAt.at(-1)).toBeLessThan(QUESTIONS);
    {
      await using _last = await start();
      await waitUntil(
        () => areCollectsFinished(s.store),
        () => "",
      );
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    const watched = await spending.stop();
    await outside[Symbol.asyncDispose]();
    report(
      `${QUESTIONS} questions in ${seconds} s, killed after ${killedAt.join(", ")}; spending looked at ${watched.looks} times`,
      ...readProcessMetrics(figures),
    );

    const lines = readLog(log);
    const ends = await storedEnds(s.store);
    expect(ends.size).toBe(QUESTIONS);
    const answers = await storedAnswers(s.store, ends);
    const answered = [...ends.values()].filter((end) => ["answered", "refused", "not_shown"].includes(end)).length;
    expect(answers).toEqual({ count: answered, wrong: [] });
    expect(watched.over).toEqual([]);
    const spent = await storedSpending(s.store);
    const judged = WIRES.flatMap((wire) => {
      const limits = PROVIDER_BEHAVIOR.limits[wire.name];
      const sources = wire.sources.filter((source) => ASKED_SOURCES.includes(source));
      if (!limits || sources.length === 0) return [];
      const own = lines.filter(({ provider }) => provider === wire.name);
      const expected = expectedEnds(
        { ...wire, sources },
        { prompts: PROMPTS.flat(), odds: PROVIDER_BEHAVIOR, lines: own },
      );
      return [{ wire, own, expected, verdict: judge(own, limits), money: spent(wire.name), limits }];
    });
    for (const { wire, verdict, expected, money, limits } of judged) {
      const asStored = tally([...expected.keys()].map((key) => ends.get(key) ?? "none"));
      report(
        `${wire.name}: ${verdict.requests} requests, at most ${verdict.maxInWindow} of ${limits.requests} in ${limits.windowMs / 1000} s and ${verdict.mostAtOnce} of ${limits.atOnce} at once; ${verdict.again} answered again; billed ${verdict.billed}, ledger ${money.ledger}, account ${money.spent} of ${capMicrosOf(wire.name)}; ${JSON.stringify(asStored)}`,
      );
    }
    for (const one of judged) {
      const { wire, own, verdict, expected } = one;
      const { unknown, early } = verdict;
      const wrong = wrongEnds(expected, ends, { isCapped: wire.name === CAPPED_PROVIDER, over: verdict.over });
      const found = { unknown, early, twice: billedTwice(own), wrong, faults: faultsOf(one) };
      const none = { unknown: 0, early: 0, twice: [], wrong: {}, faults: [] };
      expect({ provider: wire.name, ...found }).toEqual({ provider: wire.name, ...none });
    }
  },
  chooseExtent(45 * 60_000, 60_000),
);

interface Judged {
  wire: Wire;
  verdict: Verdict;
  money: Money;
  limits: Limits;
}

/** Violations in a provider's billing and answers, and in their stored state. */
function faultsOf({ wire, verdict, money, limits }: Judged): string[] {
  const { name, tasks } = wire;
  const { billed, again, over } = verdict;
  const cap = capMicrosOf(name);
  // Each process learns a limit from its first response; only earlier requests can exceed it.
  const maxOver = limits.isFixed ? (KILLS + 1) * Math.max(0, limits.atOnce - limits.requests) : 0;
  const facts: [string, boolean][] = [
    ["requests stay within the limit", over <= maxOver],
    // At most the jobs in progress at each kill: twice its concurrency.
    ["few answers are asked for again", again <= KILLS * 2 * limits.atOnce],
    ["nothing is reserved any more", money.reserved === 0],
    ["the account knows of every bill", billed <= money.spent],
    ["no cap is passed", money.spent <= cap],
    ["the cap is reached", name !== CAPPED_PROVIDER || money.spent > cap - CAPPED_MAX_MICROS],
    // A task is billed when accepted, and the service learns of the bill eventually, whatever was
    // interrupted.
    ["the ledger has what tasks cost", tasks === undefined || money.ledger === billed],
  ];
  return facts.filter(([, holds]) => !holds).map(([fact]) => fact);
}

/**
 * Counts unexpected outcomes. Allowed are questions behind a reached cap, a last attempt cut off by
 * a kill, and one rate-limited question per request that a process sent before it knew the limit.
 */
function wrongEnds(
  expected: ReadonlyMap<string, End>,
  ends: ReadonlyMap<string, string>,
  { isCapped, over }: { isCapped: boolean; over: number },
): Record<string, number> {
  const isAllowed = ([what, count]: [string, number]) =>
    (isCapped && what.endsWith(" is over_cap")) ||
    what === "unavailable is internal" ||
    (what === "answered is rate_limited" && count <= over);
  return Object.fromEntries(Object.entries(differences(expected, ends)).filter((one) => !isAllowed(one)));
}

function readLog(file: string): LogLine[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as LogLine).toSorted((a, b) => a.in - b.in);
}
