import { Worker } from "node:worker_threads";
import type { AuditedPage, PageAuditInput } from "../../../core/audits/audit-page.ts";
import type { StoredFinding } from "../../../core/audits/audit-rows.ts";
import { CHECKS_VERSION, PAGE_CHECKS } from "../../../core/audits/checks.ts";
import type { SiteSubject } from "../../../core/audits/check.ts";
import { resolveWorkerProgram } from "../../../core/shared/program-url.ts";

/** Checks pages and sites in a separate thread, so that the event loop stays free. */
export interface PageChecker {
  checkRules: { checksVersion: number; pageChecks: readonly string[] };
  /** Undefined above a limit of time or memory. May reject with CheckFailed. */
  checkPage(order: PageAuditInput, signal: AbortSignal): Promise<(AuditedPage & { digest: string }) | undefined>;
  checkSite(site: SiteSubject, signal: AbortSignal): Promise<StoredFinding[] | undefined>;
  readSitemap(sitemap: SitemapTask, signal: AbortSignal): Promise<ListedPages | undefined>;
  readSitemapPages(sitemapPages: SitemapPagesTask, signal: AbortSignal): Promise<SitemapPages | undefined>;
  readLinks(links: LinksTask, signal: AbortSignal): Promise<string[] | undefined>;
  readRobots(robots: RobotsTask, signal: AbortSignal): Promise<RobotsAnswer | undefined>;
}

export interface RobotsTask {
  text: string;
  agent: string;
  url: string;
}

export interface RobotsAnswer {
  isAllowed: boolean;
  /** In seconds. */
  delay: number | null;
  sitemaps: string[];
}

/** The memory of `bytes` moves to the thread. */
export interface SitemapFile {
  bytes: Uint8Array;
  isTruncated: boolean;
  contentType: string | null;
}

export interface SitemapTask {
  file: SitemapFile;
  wantedPages: readonly string[];
}

export interface ListedPages {
  listedUrls: string[];
  otherUrls: string[];
  sitemaps: string[];
  parseErrors: string[];
}

export interface SitemapPagesTask {
  file: SitemapFile;
  website: string;
  maxPages: number;
}

export interface SitemapPages {
  pages: string[];
  sitemaps: string[];
  otherCount: number;
  isSitemap: boolean;
}

export interface LinksTask {
  html: string;
  url: string;
  website: string;
}

export const LIMITS_EXCEEDED = "It takes too long or too much memory to read.";

export class CheckFailed extends Error {
  override name = "CheckFailed";
}

export interface CheckThread extends PageChecker {
  close(): Promise<void>;
}

export type CheckThreadInput =
  | { page: Omit<PageAuditInput, "site">; site: SiteSlot }
  | { site: SiteSubject }
  | { sitemap: SitemapTask }
  | { sitemapPages: SitemapPagesTask }
  | { links: LinksTask }
  | { robots: RobotsTask };
/** Cache slot of a site in the thread. Only the first page of a site sends `facts`. */
export interface SiteSlot {
  slot: number;
  facts?: SiteSubject;
}
/** More than crawls run at once. */
const SITE_SLOTS = 8;

export type CheckThreadOutput = "ready" | "begun" | { found: unknown } | { error: unknown };

export interface ThreadLimits {
  /** Counts from the start in the thread. */
  pageMs: number;
  /** Several times the need of the largest page: near its limit V8 may abort the whole process. */
  heapMegabytes: number;
  idleMs: number;
}
const THREAD_LIMITS: ThreadLimits = { pageMs: 10_000, heapMegabytes: 512, idleMs: 30_000 };
const MAX_START_MS = 60_000;

export function openCheckThread(limits: ThreadLimits = THREAD_LIMITS): CheckThread {
  let thread: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.then((worker) => worker.terminate()).catch(() => undefined);
  }

  function start(): Promise<Worker> {
    const starting = startThread(limits.heapMegabytes);
    const forget = () => {
      if (thread === starting) thread = undefined;
    };
    starting.then((worker) => worker.once("exit", forget), forget);
    return starting;
  }

  async function ask(order: (worker: Worker) => CheckThreadInput, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    clearTimeout(idle);
    try {
      const worker = await (thread ??= start());
      signal.throwIfAborted();
      const answer = await requestAnswer(worker, { threadInput: order(worker), signal, limitMs: limits.pageMs });
      if (answer === undefined) await end();
      return answer;
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), limits.idleMs).unref();
    }
  }

  function inTurn(order: (worker: Worker) => CheckThreadInput, signal: AbortSignal): Promise<unknown> {
    const asked = last.then(() => ask(order, signal));
    last = asked.catch(() => undefined);
    return asked;
  }

  return {
    checkRules: { checksVersion: CHECKS_VERSION, pageChecks: PAGE_CHECKS.map(({ id }) => id) },
    // Safe: the thread answers each order with the result of its type.
    checkPage: async ({ site, ...page }, signal) =>
      (await inTurn((worker) => ({ page, site: assignSlot(worker, site) }), signal)) as
        | (AuditedPage & { digest: string })
        | undefined,
    checkSite: async (site, signal) => (await inTurn(() => ({ site }), signal)) as StoredFinding[] | undefined,
    readSitemap: async (sitemap, signal) => (await inTurn(() => ({ sitemap }), signal)) as ListedPages | undefined,
    readSitemapPages: async (sitemapPages, signal) =>
      (await inTurn(() => ({ sitemapPages }), signal)) as SitemapPages | undefined,
    readLinks: async (links, signal) => (await inTurn(() => ({ links }), signal)) as string[] | undefined,
    readRobots: async (robots, signal) => (await inTurn(() => ({ robots }), signal)) as RobotsAnswer | undefined,
    close: end,
  };
}

const siteSlots = new WeakMap<Worker, { sites: SiteSubject[]; nextSlotIndex: number }>();

function assignSlot(worker: Worker, facts: SiteSubject): SiteSlot {
  const slots = siteSlots.get(worker) ?? { sites: [], nextSlotIndex: 0 };
  siteSlots.set(worker, slots);
  const known = slots.sites.indexOf(facts);
  if (known !== -1) return { slot: known };
  const slot = slots.nextSlotIndex;
  slots.sites[slot] = facts;
  slots.nextSlotIndex = (slot + 1) % SITE_SLOTS;
  return { slot, facts };
}

function startThread(heapMegabytes: number): Promise<Worker> {
  const { program, eval: isCode } = resolveWorkerProgram("src/jobs/audits/check-worker");
  const worker = new Worker(program, {
    eval: isCode,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: heapMegabytes / 16 },
  });
  // An idle thread must not keep the process alive. Its failure is detected at the next order.
  worker.on("error", () => undefined).unref();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the thread that checks pages did not start")), MAX_START_MS);
    worker.once("error", reject);
    worker.once("message", () => {
      clearTimeout(late);
      worker.removeListener("error", reject);
      resolve(worker);
    });
  });
}

/** Transfers the memory of a large file instead of copying it. */
function listTransferables(order: CheckThreadInput): ArrayBuffer[] {
  const file = "sitemap" in order ? order.sitemap.file : "sitemapPages" in order ? order.sitemapPages.file : undefined;
  const buffer = file?.bytes.buffer;
  return buffer instanceof ArrayBuffer && buffer.byteLength === file?.bytes.byteLength ? [buffer] : [];
}

/** Undefined if the thread exceeded its limits and must be replaced. */
function requestAnswer(
  worker: Worker,
  { threadInput, signal, limitMs }: { threadInput: CheckThreadInput; signal: AbortSignal; limitMs: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      clearTimeout(late);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      then();
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    const onExit = () => settle(() => resolve(undefined));
    const onError = (error: NodeJS.ErrnoException) =>
      settle(() => (error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(undefined) : reject(error)));
    const onMessage = (answer: Exclude<CheckThreadOutput, "ready">) => {
      if (answer === "begun") {
        clearTimeout(late);
        late = setTimeout(onExit, limitMs);
        return;
      }
      settle(() =>
        "found" in answer
          ? resolve(answer.found)
          : reject(new CheckFailed("a page could not be checked", { cause: answer.error })),
      );
    };
    let late = setTimeout(onExit, MAX_START_MS);
    signal.addEventListener("abort", onAbort);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(threadInput, listTransferables(threadInput));
  });
}
