import { createServer } from "node:http";
import { join } from "node:path";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { openRestTokens } from "../auth/oauth/rest-tokens.ts";
import { openExportLinks } from "../auth/keys/export-links.ts";
import { openKeyRing } from "../auth/keys/key-ring.ts";
import { openScimTokens } from "../auth/sso/scim-tokens.ts";
import { openSecrets } from "../auth/keys/secrets.ts";
import { openSigningKeys, type SigningKeys } from "../auth/keys/signing-keys.ts";
import { openToolTokens } from "../auth/oauth/access-tokens.ts";
import { openLastUses } from "../auth/oauth/last-uses.ts";
import { touchGrants } from "../db/identity/oauth-records.ts";
import { openCatalogCache } from "../db/catalog/catalogs.ts";
import { openStore } from "../db/engine/sqlite/open-store.ts";
import type { Store } from "../db/engine/store.ts";
import { createApp } from "./http/app.ts";
import {
  buildConnectionOptions,
  REQUEST_DEADLINES,
  openDeadlineWatch,
  type Deadlines,
  type DeadlineWatch,
} from "./http/deadlines.ts";
import { drain, listen, respondStarting } from "./http/server.ts";
import { openDiskBlobs } from "./assets/disk-blobs.ts";
import { openUploads } from "./assets/uploads.ts";
import { openAuditBuffer } from "./call/audit.ts";
import { getKeywordDataPrices } from "./outside/sources/keyword-tasks.ts";
import { describeAdapters } from "./outside/sources/open-sources.ts";
import { getMasterKeys, addAddresses, type Config, type Environment } from "./config/config.ts";
import { createPriceTable } from "../core/credits/prices.ts";
import { overrideSourceNames } from "../core/sources/sources.ts";
import { toInstant, type Instant } from "../core/shared/time.ts";
import { finishAbandonedOutboxEntry } from "./call/outbox.ts";
import type { Deps } from "./call/deps.ts";
import type { OpenFeatures } from "./http/mcp/mcp-context.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import { releaseLeases } from "./jobs/lease-runner.ts";
import { openWorkerProcess, type WorkerProcess, type WorkerStart } from "./jobs/worker-process.ts";
import { openLimits } from "./limits/open-limits.ts";
import { openOutside, type OpenOutside } from "./outside/outside.ts";
import { STOP_DEADLINES_MS, openStopDeadlines } from "./process/stop-in-time.ts";
import { openHeavyReads } from "./reads/heavy-reads.ts";
import { openReadiness } from "./process/readiness.ts";

export interface RunningService {
  config: Config;
  store: Store;
  deps: Deps;
  /** Creates the first account; undefined once one exists, or if no pages are served. */
  setupLink: string | undefined;
  /** Rejects if lazily loaded parts cannot be loaded. */
  whenLoaded: Promise<void>;
  /**
   * Lets requests and jobs in progress finish, and closes in reverse order of the start.
   * Resolves within nine seconds; rejects with the parts that had not finished by then.
   */
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

/** Resolves when requests are answered. */
export async function startService(
  environment: Environment,
  options: {
    log: Logger;
    now?: () => Instant;
    newId?: () => string;
    fetch?: typeof globalThis.fetch;
    /** `main` starts a `worker`, which serves no requests; `alone`, the default, does both. */
    role?: "main" | "worker" | "alone";
    /** The only database that a worker may open; it never creates one. */
    database?: string | undefined;
    /** Creates a missing database, also in production. */
    init?: boolean;
    /** `onBegin` is called before the first job begins. */
    worker?: (Pick<WorkerStart, "id" | "failedWorker"> & { onBegin: () => Promise<void> }) | undefined;
    /** Default: the product's. */
    mcpFeatures?: OpenFeatures | undefined;
    deadlines?: Deadlines | undefined;
  },
): Promise<RunningService> {
  const { log, now = () => toInstant(Date.now()), newId = () => uuidv7(), role = "alone" } = options;
  overrideSourceNames(environment.SOURCE_NAMES);
  const outside = openOutside(environment, options);
  const onlyWorks = environment.SERVE.every((part) => part === "worker");
  const store = await openStore(environment.DATA_DIR, {
    create: options.init === true || environment.NODE_ENV !== "production",
    expects: options.database,
    leavesPauses: onlyWorks,
    onNotice: (notice) => log.warn(notice),
  });
  const deadlines = options.deadlines ?? REQUEST_DEADLINES;
  const deadlineWatch = openDeadlineWatch(deadlines);
  const server = createServer(buildConnectionOptions(environment.KEEP_ALIVE_SECONDS, deadlines), respondStarting);
  const answers = role !== "worker";
  const config = addAddresses(environment, answers ? await listen(server, environment) : environment.PORT);
  const auth = await openAuth(config, { store, log, now });
  const { secrets } = auth;
  const audit = openAuditBuffer(store, log);
  const blobs = openDiskBlobs(join(config.DATA_DIR, "assets"));
  const importLimits = {
    bytes: config.IMPORT_MAX_MB * MEGABYTE,
    lines: config.IMPORT_MAX_LINES,
    atOnce: { organization: config.IMPORTS_ORGANIZATION, all: config.IMPORTS },
  };
  const limits = {
    imports: importLimits,
    bytes: config.ASSET_MAX_MB * MEGABYTE,
    videoBytes: config.ASSET_VIDEO_MAX_MB * MEGABYTE,
    atOnce: { all: config.UPLOADS, account: config.UPLOADS_ACCOUNT },
  };
  const uploads = openUploads({ blobs, store, now, newId, log, limits });
  const catalogs = openCatalogCache();
  const forks = role === "main" && config.SERVE.includes("worker") && config.SERVE.length > 1;
  const workers = forks ? openWorkerProcess(config, log, { database: store.identity }) : undefined;
  const { worker } = options;
  if (worker?.failedWorker !== undefined) await releaseLeases(store, worker.failedWorker, now());
  await worker?.onBegin();
  const jobs =
    workers ??
    openJobs(config, {
      store,
      log,
      now,
      newId,
      outside,
      secrets,
      blobs,
      catalogs,
      drainMs: STOP_DEADLINES_MS.breakOff,
      syncMs: config.PARTNER_SYNC_SECONDS * 1000,
      owner: worker?.id,
      finishOutboxEntry: (id) => finishAbandonedOutboxEntry(id, deps),
    });
  const deps: Deps = {
    ...auth.tokens,
    store,
    audit,
    now,
    newId,
    secrets,
    exportLinks: openExportLinks(secrets, config.baseUrl),
    outside,
    uploads,
    blobs,
    baseUrl: config.baseUrl,
    prices: createPriceTable(config.CREDIT_PRICES),
    importLimits,
    adapters: describeAdapters(outside.sources),
    keywordPrices: getKeywordDataPrices(outside.keywords),
    catalogs,
    wakeWorker: () => jobs.wake(),
    outbox: new Map(),
    longPollCounts: new Map(),
    outboxRecoveryMs: config.PARTNER_RECOVERY_SECONDS * 1000,
    limits: openLimits(config),
    heavyReads: openHeavyReads(workers?.workerReads),
  };
  const interfaces = await openInterfaces({
    config,
    deps,
    log,
    signingKeys: auth.keys,
    outside,
    mcpFeatures: options.mcpFeatures,
    deadlineWatch,
    workerProblem: () => workers?.findProblem(),
  });
  server.off("request", respondStarting);
  server.on("request", interfaces.listener);
  // Sends `100 Continue` only where the body is read, to clients that wait for it.
  server.on("checkContinue", interfaces.listener);
  // An unknown expectation is ignored (RFC 9110 section 10.1.1), so that every request has deadlines.
  server.on("checkExpectation", interfaces.listener);
  // Starts the worker last, so that requests have the processor during the start.
  workers?.start();
  return {
    whenLoaded: interfaces.load(),
    config,
    store,
    deps,
    setupLink: interfaces.setupLink,
    async close() {
      const stopping = openStopDeadlines(log);
      const jobsEnded = stopping.waitFor("jobs", jobs.close());
      const breakOff = setTimeout(() => {
        if (deps.outbox.size > 0)
          log.warn({ sends: deps.outbox.size }, "sends were aborted: the next start resumes them");
        outside.close();
      }, STOP_DEADLINES_MS.breakOff);
      await stopping.waitFor("event streams", interfaces.endStreams());
      if (answers) await stopping.waitFor("requests", drain(server, log));
      deadlineWatch.close();
      clearTimeout(breakOff);
      outside.close();
      uploads.close();
      await stopping.waitFor("pages", interfaces.close());
      await jobsEnded;
      await stopping.waitFor("sends", Promise.allSettled(deps.outbox.values()));
      await stopping.waitFor("audit log", audit.close(), STOP_DEADLINES_MS.leaveStore);
      await stopping.waitFor("uses of grants", auth.close(), STOP_DEADLINES_MS.leaveStore);
      await stopping.waitFor("database", store.close(), STOP_DEADLINES_MS.leaveStore);
      stopping.finish();
    },
  };
}

async function openAuth(config: Config, { store, log, now }: Pick<Deps, "store" | "now"> & { log: Logger }) {
  const secrets = await openSecrets(store, openKeyRing(config.DATA_DIR, getMasterKeys(config)), now());
  const signingKeys = await openSigningKeys({
    store,
    secrets,
    now,
    onError: (error) => log.error({ err: error }, "could not rotate signing keys"),
  });
  const lastUses = openLastUses(store, touchGrants, (error) => log.error({ err: error }, "could not record last uses"));
  const { baseUrl: issuer, mcpUrl } = config;
  return {
    secrets,
    keys: signingKeys,
    tokens: {
      restTokens: openRestTokens({ signingKeys, secrets, issuer, audience: `${issuer}/v1` }),
      scimTokens: openScimTokens(secrets),
      toolTokens: openToolTokens({ signingKeys, issuer, mcpUrl, lastUses }),
    },
    async close() {
      await signingKeys.settled();
      await lastUses.close();
    },
  };
}

/** Loads no interfaces that SERVE does not name. */
async function openInterfaces(options: {
  config: Config;
  deps: Deps;
  log: Logger;
  signingKeys: SigningKeys;
  outside: OpenOutside;
  mcpFeatures: OpenFeatures | undefined;
  deadlineWatch: DeadlineWatch;
  workerProblem: WorkerProcess["findProblem"];
}) {
  const { config, deps, log, signingKeys, outside, mcpFeatures, deadlineWatch, workerProblem } = options;
  const { secrets } = deps;
  const serves = (part: Config["SERVE"][number]) => config.SERVE.includes(part);
  const web = serves("web")
    ? await import("./http/web/open-web.ts").then(({ openWeb }) =>
        openWeb({ config, deps, log, secrets, signingKeys, outside }),
      )
    : undefined;
  const scim = serves("core")
    ? await import("./http/scim/router.ts").then(({ createScimHandler: scimHandler }) => scimHandler({ config, deps }))
    : undefined;
  const tools = serves("mcp")
    ? await import("./http/mcp/tool-server.ts").then(({ openToolServer }) =>
        openToolServer({ config, deps, log, secrets, openFeatures: mcpFeatures }),
      )
    : undefined;
  const readiness = openReadiness({
    store: deps.store,
    dataDir: config.DATA_DIR,
    minFreeBytes: config.MIN_FREE_DISK_MB * MEGABYTE,
    workerProblem,
    log,
  });
  const partHandlers = [scim, web?.router].filter((part) => part !== undefined);
  return {
    listener: createApp({
      config,
      deps,
      signingKeys,
      log,
      mcpHandler: tools?.handleRequest,
      partHandlers,
      deadlineWatch,
      checkReadiness: () => readiness.report(),
    }),
    setupLink: web?.setupLink,
    /** Reports the process as not ready, and ends the streams that would not end by themselves. */
    async endStreams() {
      readiness.stop();
      await tools?.close();
    },
    load: async () => web?.preloadModules(),
    close: async () => web?.close(),
  };
}
