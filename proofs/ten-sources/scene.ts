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
import type { collectScene } from "../../test/collecting/scene.ts";
import { startServiceProcess } from "../../test/support/killable-process.ts";
import { chooseExtent } from "../../test/support/proof.ts";
import type { Limits } from "./limits.ts";
import { marketplace } from "./marketplace.ts";
import { openOutside, type ProviderBehavior } from "./outside.ts";
import { PERPLEXITY_MICROS } from "./wires/perplexity.ts";
import { WIRES } from "./wires/wires.ts";

/** `SOURCES_HOLDS_JOBS` reduces the number of prompts, `SOURCES_HOLDS_SEED` changes their fates. */
const JOBS = Number(process.env["SOURCES_HOLDS_JOBS"] ?? 100_000);
const SEED = process.env["SOURCES_HOLDS_SEED"] ?? "20261123";
/** Sources whose providers are polled after many seconds. */
const SLOW: ReadonlySet<Source> = new Set(["SEARCH_A", "SEARCH_B_AIO"]);
export const ASKED_SOURCES = chooseExtent<readonly Source[]>(
  SOURCES,
  SOURCES.filter((source) => !SLOW.has(source)),
);
const ANALYSES = chooseExtent(2, 1);
const KEYWORDS = chooseExtent(Math.ceil(JOBS / ANALYSES / SOURCES.length), 12);
export const KILLS = chooseExtent(3, 1);
export const QUESTIONS = ANALYSES * KEYWORDS * ASKED_SOURCES.length;
export const PROMPTS = Array.from({ length: ANALYSES }, (_, analysis) =>
  Array.from({ length: KEYWORDS }, (_each, nth) => `best phone ${analysis}-${nth} for me`),
);

const AT_ONCE = 16;
const OWN_LIMITS: Limits = { requests: 3000, windowMs: 60_000, isFixed: false, atOnce: AT_ONCE };
/** Limits that responses announce; the service has no configured limit for them. */
const REPORTED_LIMITS: Limits = {
  ...OWN_LIMITS,
  isFixed: true,
  requests: chooseExtent(Math.ceil(JOBS * 0.03), 8),
  windowMs: chooseExtent((60_000 * JOBS) / 100_000, 200),
};
export const PROVIDER_BEHAVIOR: ProviderBehavior = {
  seed: SEED,
  perThousand: chooseExtent(20, 40),
  delayMs: chooseExtent([20, 80], [2, 8]),
  waitMs: chooseExtent(1000, 50),
  limits: {
    openai: REPORTED_LIMITS,
    anthropic: REPORTED_LIMITS,
    perplexity: OWN_LIMITS,
    google: OWN_LIMITS,
    // It serves three sources.
    serpapi: { ...OWN_LIMITS, requests: 7000, atOnce: 2 * AT_ONCE },
    dataforseo: { ...OWN_LIMITS, requests: 5000 },
    cloro: { ...OWN_LIMITS, requests: 4000 },
    marketplace: { ...OWN_LIMITS, requests: 5000 },
  },
};

/** The provider whose cap is reached: the cap covers two thirds of its answers. */
export const CAPPED_PROVIDER = "perplexity";
export const CAPPED_MAX_MICROS = 10_000;
const CAP_USD = Math.round((2 / 3) * ANALYSES * KEYWORDS * PERPLEXITY_MICROS) / 1_000_000;
const PLENTY_USD = 100_000;
export const capMicrosOf = (provider: string) =>
  Math.round(1_000_000 * (provider === CAPPED_PROVIDER ? CAP_USD : PLENTY_USD));

/** Settings of the service for simulated providers at this address. */
export function createEnv(url: string): Record<string, string> {
  const env: Record<string, string> = {
    // A kill uses up one attempt.
    COLLECT_ATTEMPTS: "6",
    COLLECT_BACKOFF_SECONDS: chooseExtent("0.5", "0.02"),
    COLLECT_LEASE_SECONDS: "5",
    ORGANIZATION_MONTHLY_USD: String(PLENTY_USD),
    MARKETPLACE_POLL_MS: chooseExtent("1000", "20"),
    LOG_LEVEL: "error",
  };
  for (const { name, prefix, base, env: own, maxUsd } of WIRES) {
    const { requests, isFixed, atOnce } = PROVIDER_BEHAVIOR.limits[name] ?? OWN_LIMITS;
    Object.assign(env, own, {
      [`${prefix}_BASE_URL`]: `${url}${base}`,
      [`${prefix}_CONCURRENCY`]: String(atOnce),
      [`${prefix}_TIMEOUT_SECONDS`]: chooseExtent("3", "0.2"),
      [`${prefix}_MONTHLY_USD`]: String(name === CAPPED_PROVIDER ? CAP_USD : PLENTY_USD),
      ...(maxUsd === undefined ? {} : { [`${prefix}_MOST_USD`]: maxUsd }),
      ...(isFixed ? {} : { [`${prefix}_REQUESTS_PER_MINUTE`]: String(requests) }),
    });
  }
  return env;
}

/** A service or worker that sends the prompts until it is killed. */
interface QuestionRunner extends AsyncDisposable {
  kill: () => Promise<void>;
  written: () => string;
}

/** The service with the plug-in on a data folder. */
export function startService(env: Record<string, string>, figures: string): Promise<QuestionRunner> {
  const serve = { PORT: "0", DEMO: "0", SERVE: "core,search,mcp,web,worker", FIGURES_FILE: figures };
  return startServiceProcess({ ...env, ...serve }, { preloads: [join(import.meta.dirname, "inside.ts")] });
}

/**
 * A worker in this process, for the short form: killing it takes its leases, and so its jobs in
 * progress.
 */
export async function startKillableWorker(s: Awaited<ReturnType<typeof collectScene>>): Promise<QuestionRunner> {
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
    const child = fork(join(import.meta.dirname, "outside-process.ts"), [JSON.stringify(PROVIDER_BEHAVIOR), logFile], {
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
  return chooseExtent(inAProcess, () => openOutside(PROVIDER_BEHAVIOR, logFile))();
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
export async function waitUntil(isSo: () => Promise<boolean>, written: () => string): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 20) {
    if (waited > chooseExtent(30 * 60_000, 40_000)) throw new Error(`It did not come so far. ${written()}`);
    await sleep(20);
  }
}

/**
 * Measurements of the service's processes: the 99th percentile of each, and the maximum of
 * everything else.
 */
export function readProcessMetrics(file: string): string[] {
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
