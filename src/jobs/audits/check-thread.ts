import { Worker } from "node:worker_threads";
import type { AuditedPage, PageOrder } from "../../../core/audits/audit-page.ts";
import type { StoredFinding } from "../../../core/audits/audit-rows.ts";
import { CHECKS_VERSION, PAGE_CHECKS } from "../../../core/audits/checks.ts";
import type { SiteSubject } from "../../../core/audits/check.ts";
import { threadProgram } from "../../../core/shared/program-file.ts";

/** Checks pages and sites away from the thread that does everything else. */
export interface PageChecker {
  /** Of its rules, and the ids of its checks of pages. */
  rules: { version: number; pageChecks: readonly string[] };
  /** Undefined where it takes too long, or too much memory. Rejects with the reason of `signal`, and with `CheckFailed`. */
  checkPage(order: PageOrder, signal: AbortSignal): Promise<(AuditedPage & { digest: string }) | undefined>;
  checkSite(site: SiteSubject, signal: AbortSignal): Promise<StoredFinding[] | undefined>;
  readSitemap(sitemap: SitemapOrder, signal: AbortSignal): Promise<ListedPages | undefined>;
  readSitemapPages(sitemapPages: SitemapPagesOrder, signal: AbortSignal): Promise<SitemapPages | undefined>;
  readLinks(links: LinksOrder, signal: AbortSignal): Promise<string[] | undefined>;
  readRobots(robots: RobotsOrder, signal: AbortSignal): Promise<RobotsAnswer | undefined>;
}

export interface RobotsOrder {
  text: string;
  /** A crawler's name in it. */
  agent: string;
  url: string;
}

/** What a robots.txt says of a crawler and an address. */
export interface RobotsAnswer {
  allowed: boolean;
  /** Seconds between requests that it asks for. */
  delay: number | null;
  /** Addresses of the first sitemaps that it names. */
  sitemaps: string[];
}

/** A file as it came. Its bytes are the thread's from then on. */
export interface FileOrder {
  bytes: Uint8Array;
  isTruncated: boolean;
  contentType: string | null;
}

export interface SitemapOrder {
  file: FileOrder;
  /** Pages that are looked for in it. */
  pages: readonly string[];
}

export interface ListedPages {
  /** Those of the pages that it lists. */
  listed: string[];
  /** The first others. */
  others: string[];
  /** Those that it lists as an index. */
  sitemaps: string[];
  faults: string[];
}

export interface SitemapPagesOrder {
  file: FileOrder;
  website: string;
  /** Addresses that are read. */
  most: number;
}

export interface SitemapPages {
  pages: string[];
  /** Those that an index lists. */
  sitemaps: string[];
  /** How many addresses are not of the website. */
  others: number;
  isSitemap: boolean;
}

export interface LinksOrder {
  html: string;
  url: string;
  website: string;
}

/** What is said of what it gives undefined for. */
export const TOO_MUCH = "It takes too long or too much memory to read.";

/** A check threw: the page is as it is, and another one may do. */
export class CheckFailed extends Error {
  override name = "CheckFailed";
}

export interface CheckThread extends PageChecker {
  close(): Promise<void>;
}

/** What the thread is asked. */
export type ThreadOrder =
  | { page: Omit<PageOrder, "site">; site: SiteSlot }
  | { site: SiteSubject }
  | { sitemap: SitemapOrder }
  | { sitemapPages: SitemapPagesOrder }
  | { links: LinksOrder }
  | { robots: RobotsOrder };
/** The thread keeps some sites, so that each of their pages need not bring its own. Where `facts` are given they take the slot. */
export interface SiteSlot {
  slot: number;
  facts?: SiteSubject;
}
/** More than are crawled at once. */
const SLOTS = 8;

/** What it says: that it can be asked, that it begins with what it was asked, what it found, or why a check failed. */
export type ThreadAnswer = "ready" | "begun" | { found: unknown } | { error: unknown };

export interface ThreadLimits {
  /** What one page may take, from when the thread begins with it. */
  pageMs: number;
  /**
   * Of what JavaScript allocates in it. Several times what a page as large as the crawler gives takes: close to its limit V8 may end the
   * whole process.
   */
  heapMegabytes: number;
  /** It is ended when it was asked nothing for so long. */
  idleMs: number;
}
const LIMITS: ThreadLimits = { pageMs: 10_000, heapMegabytes: 512, idleMs: 30_000 };
/** A thread that is not there by then, or does not begin, will not. */
const START_MS = 60_000;

/** One thread that does one thing after the other, started when it is first asked, and anew where it had to be ended. */
export function openCheckThread(limits: ThreadLimits = LIMITS): CheckThread {
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

  /** `order` is made for the thread that it is sent to. */
  async function ask(order: (worker: Worker) => ThreadOrder, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    clearTimeout(idle);
    try {
      const worker = await (thread ??= start());
      signal.throwIfAborted();
      const answer = await answerOf(worker, { order: order(worker), signal, limitMs: limits.pageMs });
      if (answer === undefined) await end();
      return answer;
    } catch (error) {
      await end();
      throw error;
    } finally {
      idle = setTimeout(() => void end(), limits.idleMs).unref();
    }
  }

  /** After what was asked before. */
  function inTurn(order: (worker: Worker) => ThreadOrder, signal: AbortSignal): Promise<unknown> {
    const asked = last.then(() => ask(order, signal));
    last = asked.catch(() => undefined);
    return asked;
  }

  return {
    rules: { version: CHECKS_VERSION, pageChecks: PAGE_CHECKS.map(({ id }) => id) },
    // The thread answers each order with what it finds of it.
    checkPage: async ({ site, ...page }, signal) =>
      (await inTurn((worker) => ({ page, site: slotOf(worker, site) }), signal)) as
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

const kept = new WeakMap<Worker, { sites: SiteSubject[]; next: number }>();

/** Where a thread keeps a site. One that it does not keep takes the place of the one that was brought first. */
function slotOf(worker: Worker, facts: SiteSubject): SiteSlot {
  const slots = kept.get(worker) ?? { sites: [], next: 0 };
  kept.set(worker, slots);
  const known = slots.sites.indexOf(facts);
  if (known !== -1) return { slot: known };
  const slot = slots.next;
  slots.sites[slot] = facts;
  slots.next = (slot + 1) % SLOTS;
  return { slot, facts };
}

/** Compiled, or from source if this process runs from source. */
function startThread(heapMegabytes: number): Promise<Worker> {
  const { program, eval: isCode } = threadProgram("src/jobs/audits/check-worker");
  const worker = new Worker(program, {
    eval: isCode,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: heapMegabytes / 16 },
  });
  // A process that has nothing else to do ends. What ends the thread while it is asked nothing is seen when it is asked again.
  worker.on("error", () => undefined).unref();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the thread that checks pages did not start")), START_MS);
    worker.once("error", reject);
    worker.once("message", () => {
      clearTimeout(late);
      worker.removeListener("error", reject);
      resolve(worker);
    });
  });
}

/** Memory that is not copied: that of a large file, which has all of it for itself. */
function givenAway(order: ThreadOrder): ArrayBuffer[] {
  const file = "sitemap" in order ? order.sitemap.file : "sitemapPages" in order ? order.sitemapPages.file : undefined;
  const buffer = file?.bytes.buffer;
  return buffer instanceof ArrayBuffer && buffer.byteLength === file?.bytes.byteLength ? [buffer] : [];
}

/** Undefined where the thread exceeds its limits: it is of no use then. */
function answerOf(
  worker: Worker,
  { order, signal, limitMs }: { order: ThreadOrder; signal: AbortSignal; limitMs: number },
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
    const onMessage = (answer: Exclude<ThreadAnswer, "ready">) => {
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
    let late = setTimeout(onExit, START_MS);
    signal.addEventListener("abort", onAbort);
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(order, givenAway(order));
  });
}
