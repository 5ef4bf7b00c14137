import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import { openRestTokens } from "../auth/oauth/rest-tokens.ts";
import { openKeyRing } from "../auth/keys/key-ring.ts";
import { openScimTokens } from "../auth/sso/scim-tokens.ts";
import { openSecrets } from "../auth/keys/secrets.ts";
import { openSigningKeys } from "../auth/keys/signing-keys.ts";
import { openToolTokens } from "../auth/oauth/tool-tokens.ts";
import { openUses } from "../auth/oauth/uses.ts";
import { touchGrants } from "../db/identity/oauth-records.ts";
import { openStore } from "../db/engine/open-store.ts";
import type { Store } from "../db/engine/store.ts";
import { createApp } from "./http/app.ts";
import { openDiskBlobs } from "./assets/disk-blobs.ts";
import { openUploads } from "./assets/uploads.ts";
import { openAuditBuffer } from "./call/audit.ts";
import type { Sources } from "./outside/sources/provider.ts";
import { adaptersOf } from "./outside/sources/open-sources.ts";
import { masterKeys, withAddresses, type Config, type Environment } from "./config.ts";
import { AppError } from "../core/errors.ts";
import { priceTable } from "../core/prices.ts";
import { instantOf, type Instant } from "../core/time.ts";
import { errorBody } from "./http/error-body.ts";
import { finishLeftOutboxEntry } from "./call/outbox.ts";
import type { Deps } from "./call/invoke.ts";
import type { OpenFeatures } from "./http/mcp/mcp-context.ts";
import { startBackground, type BackgroundOptions } from "./jobs/background/background.ts";
import { JOB_KINDS } from "./jobs/background/background-kinds.ts";
import type { LeaseRunner } from "./jobs/lease-runner.ts";
import { openLimits } from "./limits/open-limits.ts";
import { startWorker, type WorkerOptions } from "./jobs/collect/worker.ts";
import { openOutside } from "./outside/outside.ts";

/** A running process: what it serves, and how it stops. */
export interface Service {
  config: Config;
  store: Store;
  deps: Deps;
  /** The address that makes the first account; undefined where there is one, or where no pages are served. */
  setupLink: string | undefined;
  /** Takes no new requests, lets those in flight end, and closes everything in reverse order of its start. */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;
const MEGABYTE = 1024 * 1024;

/** Starts everything that `environment.SERVE` names. Resolves when requests are answered. */
export async function startService(
  environment: Environment,
  options: {
    log: Logger;
    now?: () => Instant;
    newId?: () => string;
    fetch?: typeof globalThis.fetch;
    /** What the tool server has besides its tools; the product's prompts and resources unless given. */
    mcpFeatures?: OpenFeatures | undefined;
  },
): Promise<Service> {
  const { log } = options;
  const now = options.now ?? (() => instantOf(Date.now()));
  const newId = options.newId ?? (() => uuidv7());
  const outside = openOutside(environment, options);
  const store = openStore(environment.DATA_DIR);
  const blobs = openDiskBlobs(join(environment.DATA_DIR, "assets"));
  const server = createServer(notYet);
  const config = withAddresses(environment, await listen(server, environment));
  const secrets = await openSecrets(store, openKeyRing(config.DATA_DIR, masterKeys(config)), now());
  const keys = await openSigningKeys({
    store,
    secrets,
    now,
    onError: (error) => log.error({ err: error }, "signing keys could not be rotated"),
  });
  const audience = `${config.baseUrl}/v1`;
  const restTokens = openRestTokens({ keys, secrets, issuer: config.baseUrl, audience });
  const grantUses = openUses(store, touchGrants, (error) => log.error({ err: error }, "uses could not be noted"));
  const toolTokens = openToolTokens({
    keys,
    issuer: config.baseUrl,
    audiences: [config.mcpUrl, `${config.mcpUrl}/connect`],
    uses: grantUses,
  });
  const audit = openAuditBuffer(store, log);
  const works = config.SERVE.includes("worker");
  const background = works
    ? openBackground(config, {
        store,
        log,
        now,
        newId,
        outside,
        secrets,
        blobs,
        syncMs: config.PARTNER_SYNC_SECONDS * 1000,
        finishOutboxEntry: (id) => finishLeftOutboxEntry(id, deps),
      })
    : undefined;
  const wakeBackground = () => background?.wake();
  const worker = works
    ? openWorker(config, outside.sources, { store, log, now, newId, onStored: wakeBackground })
    : undefined;
  const limits = { bytes: config.ASSET_MAX_MB * MEGABYTE, videoBytes: config.ASSET_VIDEO_MAX_MB * MEGABYTE };
  const uploads = openUploads({ blobs, store, now, newId, log, limits });
  const deps: Deps = {
    store,
    audit,
    now,
    newId,
    baseUrl: config.baseUrl,
    prices: priceTable(config.CREDIT_PRICES),
    adapters: adaptersOf(outside.sources),
    wakeWorker: () => {
      worker?.wake();
      background?.wake();
    },
    restTokens,
    scimTokens: openScimTokens(secrets),
    toolTokens,
    secrets,
    outside,
    outbox: new Map(),
    outboxRecoveryMs: config.PARTNER_RECOVERY_SECONDS * 1000,
    uploads,
    limits: openLimits(config),
  };

  // Parts that this process does not serve are not loaded.
  const web = config.SERVE.includes("web")
    ? await import("./http/web/open-web.ts").then(({ openWeb }) =>
        openWeb({ config, deps, log, secrets, keys, outside }),
      )
    : undefined;
  const scim = config.SERVE.includes("core")
    ? await import("./http/scim/router.ts").then(({ scimRouter }) => scimRouter({ config, deps, log }))
    : undefined;
  const routers = [scim, web?.router].filter((router) => router !== undefined);

  let ready = true;
  const tools = config.SERVE.includes("mcp")
    ? await import("./http/mcp/tool-server.ts").then(({ openToolServer }) =>
        openToolServer({ config, deps, log, secrets, features: options.mcpFeatures }),
      )
    : null;
  const direct = tools ? [tools] : [];
  server.off("request", notYet);
  server.on("request", createApp({ config, deps, keys, log, routers, direct, ready: () => ready }));
  return {
    config,
    store,
    deps,
    setupLink: web?.setupLink,
    async close() {
      ready = false;
      await tools?.close();
      await drain(server);
      outside.close();
      uploads.close();
      await web?.close();
      await worker?.close();
      await background?.close();
      await Promise.allSettled(deps.outbox.values());
      await audit.close();
      await keys.settled();
      await grantUses.close();
      await store.close();
    },
  };
}

/** Answers requests while the service starts, so that no client hangs. */
function notYet(_request: IncomingMessage, response: ServerResponse): void {
  const starting = new AppError("UNAVAILABLE", "The service is starting. Try again in a moment.");
  const { status, ...body } = errorBody(starting, uuidv7());
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": "1",
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

function openWorker(
  config: Config,
  sources: Sources,
  process: Pick<WorkerOptions, "store" | "log" | "now" | "newId" | "onStored">,
): LeaseRunner {
  return startWorker({
    ...process,
    sources,
    attempts: config.COLLECT_ATTEMPTS,
    backoffBaseMs: config.COLLECT_BACKOFF_SECONDS * 1000,
    leaseMs: config.COLLECT_LEASE_SECONDS * 1000,
    drainMs: DRAIN_MS,
  });
}

function openBackground(
  config: Config,
  process: Omit<BackgroundOptions, "kinds" | "backoffBaseMs" | "leaseMs" | "drainMs">,
): LeaseRunner {
  return startBackground({
    ...process,
    kinds: JOB_KINDS,
    backoffBaseMs: config.COLLECT_BACKOFF_SECONDS * 1000,
    leaseMs: config.COLLECT_LEASE_SECONDS * 1000,
    drainMs: DRAIN_MS,
  });
}

async function listen(server: Server, { PORT, HOST }: Environment): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(force);
}
