import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { SOURCES, type Source } from "../../core/sources/sources.ts";
import type { DeclaredProvider } from "../../src/outside/sources/provider.ts";
import { PROVIDERS } from "../../src/outside/sources/providers.ts";
import type { collecting } from "../../test/collecting/scene.ts";
import { startServiceProcess } from "../../test/support/killable-process.ts";
import { extent } from "../../test/support/proof.ts";
import type { Limits } from "./limits.ts";
import { marketplace } from "./marketplace.ts";
import { openOutside, type Habits } from "./outside.ts";
import { PERPLEXITY_MICROS } from "./wires/perplexity.ts";
import { WIRES } from "./wires/wires.ts";

/** `SOURCES_HOLDS_JOBS` reduces the number of prompts, `SOURCES_HOLDS_SEED` changes their fates. */
const JOBS = Number(process.env["SOURCES_HOLDS_JOBS"] ?? 100_000);
const SEED = process.env["SOURCES_HOLDS_SEED"] ?? "20261123";
/** Sources whose providers are polled after many seconds. */
const SLOW: ReadonlySet<Source> = new Set(["SEARCH_A", "SEARCH_B_AIO"]);
export const ASKED = extent<readonly Source[]>(
  SOURCES,
  SOURCES.filter((source) => !SLOW.has(source)),
);
const ANALYSES = extent(2, 1);
const KEYWORDS = extent(Math.ceil(JOBS / ANALYSES / SOURCES.length), 12);
export const KILLS = extent(3, 1);
export const QUESTIONS = ANALYSES * KEYWORDS * ASKED.length;
export const PROMPTS = Array.from({ length: ANALYSES }, (_, analysis) =>
  Array.from({ length: KEYWORDS }, (_each, nth) => `best phone ${analysis}-${nth} for me`),
);

const AT_ONCE = 16;
const OWN: Limits = { requests: 3000, windowMs: 60_000, isFixed: false, atOnce: AT_ONCE };
/** Limits that responses announce; the service has no configured limit for them. */
const TOLD: Limits = {
  ...OWN,
  isFixed: true,
  requests: extent(Math.ceil(JOBS * 0.03), 8),
  windowMs: extent((60_000 * JOBS) / 100_000, 200),
};
export const HABITS: Habits = {
  seed: SEED,
  perThousand: extent(20, 40),
  delayMs: extent([20, 80], [2, 8]),
  waitMs: extent(1000, 50),
  limits: {
    openai: TOLD,
    anthropic: TOLD,
    perplexity: OWN,
    google: OWN,
    // It serves three sources.
    serpapi: { ...OWN, requests: 7000, atOnce: 2 * AT_ONCE },
    dataforseo: { ...OWN, requests: 5000 },
    cloro: { ...OWN, requests: 4000 },
    marketplace: { ...OWN, requests: 5000 },
  },
};

/** The provider whose cap is reached: the cap covers two thirds of its answers. */
export const CAPPED = "perplexity";
export const CAPPED_MOST_MICROS = 10_000;
const CAP_USD = Math.round((2 / 3) * ANALYSES * KEYWORDS * PERPLEXITY_MICROS) / 1_000_000;
const PLENTY_USD = 100_000;
export const capMicrosOf = (provider: string) => Math.round(1_000_000 * (provider === CAPPED ? CAP_USD : PLENTY_USD));

/** Settings of the service for simulated providers at this address. */
export function envOf(url: string): Record<string, string> {
  const env: Record<string, string> = {
    // A kill uses up one attempt.
    COLLECT_ATTEMPTS: "6",
    COLLECT_BACKOFF_SECONDS: extent("0.5", "0.02"),
    COLLECT_LEASE_SECONDS: "5",
    ORGANIZATION_MONTHLY_USD: String(PLENTY_USD),
    MARKETPLACE_POLL_MS: extent("1000", "20"),
    LOG_LEVEL: "error",
  };
  for (const { name, prefix, base, env: own, mostUsd } of WIRES) {
    const { requests, isFixed, atOnce } = HABITS.limits[name] ?? OWN;
    Object.assign(env, own, {
      [`${prefix}_BASE_URL`]: `${url}${base}`,
      [`${prefix}_CONCURRENCY`]: String(atOnce),
      [`${prefix}_TIMEOUT_SECONDS`]: extent("3", "0.2"),
      [`${prefix}_MONTHLY_USD`]: String(name === CAPPED ? CAP_USD : PLENTY_USD),
      ...(mostUsd === undefined ? {} : { [`${prefix}_MOST_USD`]: mostUsd }),
      ...(isFixed ? {} : { [`${prefix}_REQUESTS_PER_MINUTE`]: String(requests) }),
    });
  }
  return env;
}

/** A service or worker that sends the prompts until it is killed. */
interface Asker extends AsyncDisposable {
  kill: () => Promise<void>;
  written: () => string;
}

/** The service with the plug-in on a data folder. */
export function startService(env: Record<string, string>, figures: string): Promise<Asker> {
  const serve = { PORT: "0", DEMO: "0", SERVE: "core,search,mcp,web,worker", FIGURES_FILE: figures };
  return startServiceProcess({ ...env, ...serve }, { preloads: [join(import.meta.dirname, "inside.ts")] });
}

/**
 * A worker in this process, for the short form: killing it takes its leases, and so its jobs in
 * progress.
 */
export async function startMortal(s: Awaited<ReturnType<typeof collecting>>): Promise<Asker> {
  const worker = await s.otherWorker();
  let ending: PromiseLike<void> | undefined;
  const end = async () => (ending ??= worker[Symbol.asyncDispose]());
  return {
    written: () => "",
    async kill() {
      await s.store.write(async ({ q, t }) => {
        await q.update(t.jobs).set({ leaseOwner: "gone", notBefore: s.deps.now() }).where(eq(t.jobs.status, "leased"));
      });
      await end();
    },
    [Symbol.asyncDispose]: end,
  };
}

/** All providers; a separate process in the full form. */
export async function startOutside(logFile: string) {
  const inAProcess = async () => {
    const child = fork(join(import.meta.dirname, "outside-process.ts"), [JSON.stringify(HABITS), logFile], {
      execArgv: ["--import", "tsx"],
    });
    const [url] = (await once(child, "message")) as [string];
    return {
      url,
      async [Symbol.asyncDispose]() {
        if (!child.connected) return;
        const ended = once(child, "exit");
        child.disconnect();
        await ended;
      },
    };
  };
  return extent(inAProcess, () => openOutside(HABITS, logFile))();
}

/** Registers the plug-in in this process's list of providers. */
export function withPlugIn() {
  // Safe: disposing removes it.
  const providers = PROVIDERS as DeclaredProvider[];
  providers.push(marketplace);
  return { [Symbol.dispose]: () => void providers.splice(providers.indexOf(marketplace), 1) };
}

export async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), "ten-sources-"));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** Waits until the condition holds; throws with the service's output on timeout. */
export async function until(isSo: () => Promise<boolean>, written: () => string): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 20) {
    if (waited > extent(30 * 60_000, 40_000)) throw new Error(`It did not come so far. ${written()}`);
    await sleep(20);
  }
}

/**
 * Measurements of the service's processes: the 99th percentile of each, and the maximum of
 * everything else.
 */
export function figuresIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const said = readFileSync(file, "utf8").trim().split("\n");
  const rows = said.map((line) => JSON.parse(line) as Record<string, number> & { role: string });
  return [...new Set(rows.map(({ role, pid }) => `${role} ${pid}`))].map((process) => {
    const own = rows.filter(({ role, pid }) => `${role} ${pid}` === process);
    const most = (name: string) => Math.max(...own.map((row) => row[name] ?? 0)).toFixed(0);
    const p99 = (own.at(-1)?.["p99Ms"] ?? 0).toFixed(0);
    return `${process}: event loop p99 ${p99} ms, longest ${most("mostMs")} ms; ${most("rssMb")} MB, ${most("heapMb")} of them used by objects; ${most("cpuS")} s of CPU`;
  });
}
