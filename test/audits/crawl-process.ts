import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { openCatalogCache } from "../../db/catalog/catalogs.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";

import { toInstant } from "../../core/shared/time.ts";
import { startBackground } from "../../src/jobs/background/background.ts";
import { crawlSite } from "../../src/jobs/audits/crawl-site.ts";
import { launchCollect } from "../../src/jobs/collect/launch-collect.ts";
import { CHECKER } from "./checker.ts";
import { fakeSite } from "./fake-site.ts";

// A process that crawls the queue of a data folder, page by page, until killed.

const answering = { html: "<title>Acme</title>", meanwhile: () => sleep(2) };
const { crawler } = fakeSite(
  new Proxy({}, { get: (_, url) => (String(url).includes("/page/") ? answering : { status: 404 }) }),
);
startBackground({
  store: await openStore(process.argv[2] ?? ""),
  now: () => toInstant(Date.now()),
  newId: () => uuidv7(),
  log: pino({ level: "silent" }),
  catalogs: openCatalogCache(),
  checker: CHECKER,
  jobKinds: {
    crawl_site: { run: crawlSite, lane: "crawl", maxWaitMs: 60_000 },
    launch_collect: { run: launchCollect, lane: "collect", maxWaitMs: 60_000 },
  },
  leaseMs: 300,
  drainMs: 50,
  backoffBaseMs: 1,
  outside: { crawler },
  // No other fields are used.
} as unknown as Parameters<typeof startBackground>[0]);
