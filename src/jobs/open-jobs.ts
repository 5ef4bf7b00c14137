import { startSweeping } from "../../auth/sweep.ts";
import { toIdleMs, type Config } from "../config/config.ts";
import type { OpenOutside } from "../outside/outside.ts";
import { startBackground, type BackgroundWork } from "./background/background.ts";
import { JOB_KINDS } from "./background/background-kinds.ts";
import { rereadOutdated } from "./rereading/reread-outdated.ts";
import { startWorker } from "./collect/worker.ts";
import { startDomainLookups } from "./domain-lookups.ts";
import { openQuarantine, type LeaseRunner } from "./lease-runner.ts";

interface JobsOptions extends Omit<BackgroundWork, "signal" | "checker" | "exporter" | "backoffBaseMs"> {
  outside: OpenOutside;
  drainMs: number;
  owner?: string | undefined;
}

async function rereadAtStart(
  work: Omit<JobsOptions, "outside"> & Pick<BackgroundWork, "signal">,
  background: LeaseRunner,
): Promise<void> {
  try {
    const workspaces = await rereadOutdated(work);
    if (workspaces === 0) return;
    work.log.info({ workspaces }, "re-extracting stored answers with the rules of this version");
    background.wake();
  } catch (error) {
    if (!work.signal.aborted) work.log.error({ err: error }, "could not re-extract stored answers");
  }
}

/** Does nothing unless SERVE includes `worker`. */
export function openJobs(config: Config, work: JobsOptions): LeaseRunner {
  if (!config.SERVE.includes("worker")) return { wake: () => undefined, close: () => Promise.resolve() };
  const timing = {
    backoffBaseMs: config.COLLECT_BACKOFF_SECONDS * 1000,
    leaseMs: config.COLLECT_LEASE_SECONDS * 1000,
  };
  const quarantine = openQuarantine();
  const organizationCapUsd = config.ORGANIZATION_MONTHLY_USD ?? null;
  const { keywords: teller } = work.outside;
  const asking = {
    ...work,
    ...timing,
    quarantine,
    sources: work.outside.sources,
    judge: work.outside.judge,
    maxAttempts: config.COLLECT_ATTEMPTS,
    organizationCapUsd,
    hasKeywordProvider: teller !== undefined,
  };
  const background = startBackground({
    ...work,
    ...timing,
    quarantine,
    keywords: teller && { provider: teller, organizationCapUsd },
    jobKinds: JOB_KINDS,
  });
  const opening = new AbortController();
  const outdated = rereadAtStart({ ...work, signal: opening.signal }, background);
  const collects = startWorker({
    ...asking,
    onStored: () => background.wake(),
  });
  const lookups = startDomainLookups(work);
  const sweeping = startSweeping(work.store, {
    now: work.now,
    auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    idleMs: toIdleMs(config),
    onError: (error) => work.log.error({ err: error }, "could not delete expired records"),
  });
  return {
    wake() {
      collects.wake();
      background.wake();
    },
    async close() {
      opening.abort();
      await outdated;
      await Promise.all([collects.close(), background.close(), lookups.close(), sweeping.stop()]);
    },
  };
}
