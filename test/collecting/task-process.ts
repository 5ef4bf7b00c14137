import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { openCatalogCache } from "../../db/catalog/catalogs.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { toInstant } from "../../core/shared/time.ts";
import { startWorker } from "../../src/jobs/collect/worker.ts";
import { vendorSources } from "./vendor.ts";

// A process that runs the queue of a data folder against a vendor until killed.

const [dataDir = "", url = "", afterUnknown] = process.argv.slice(2);
startWorker({
  store: await openStore(dataDir),
  now: () => toInstant(Date.now()),
  newId: () => uuidv7(),
  log: pino({ level: "silent" }),
  catalogs: openCatalogCache(),
  sources: vendorSources(url, afterUnknown === "look_up" ? "look_up" : "same_key", {
    VENDOR_MONTHLY_USD: "1000",
    VENDOR_MOST_USD: "1",
  }),
  organizationCapUsd: null,
  maxAttempts: 100,
  backoffBaseMs: 20,
  leaseMs: 300,
  drainMs: 50,
  onStored: () => undefined,
});
