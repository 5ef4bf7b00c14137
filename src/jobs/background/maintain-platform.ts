import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import { storePlatformAccounts } from "../../../db/platforms/platform-accounts.ts";
import {
  findPlatformConnection,
  updatePlatformConnection,
  type PlatformConnectionRow,
} from "../../../db/platforms/platform-connections.ts";
import { PlatformFault, type ConnectionProblem, type FoundAccount } from "../../../core/platforms/platforms.ts";
import { addMs, type Instant, isFuture } from "../../../core/shared/time.ts";
import { getFreshTokens, type PlatformUse, type UsableConnection } from "../../outside/platforms/fresh-tokens.ts";
import type { BackgroundJob, BackgroundWork } from "./background.ts";

const HOUR_MS = 3_600_000;
const MIN_WAIT_MS = 1000;
const ACCOUNT_LIST_INTERVAL_MS = 24 * HOUR_MS;
export const MAX_PLATFORM_WAIT_MS = ACCOUNT_LIST_INTERVAL_MS;
const [MIN_RETRY_MS, MAX_RETRY_MS] = [30_000, HOUR_MS];

/** Renews tokens before they expire, lists accounts daily, and schedules its next execution. */
export async function maintainPlatform(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { store, now, newId } = work;
  const { subjectId: id, organizationId, workspaceId } = job;
  if (workspaceId === null) return;
  const problem = await refreshConnection({ organizationId, workspaceId, id }, work);
  await store.write(async (db) => {
    const tenant = { db, organizationId, workspaceId };
    const connection = await findPlatformConnection(tenant, id);
    if (connection?.status !== "active") return;
    const at = now();
    if (problem !== connection.problem) await updatePlatformConnection(tenant, id, { problem, updatedAt: at });
    const waitMs = problem === null ? computeWaitMs(connection, at) : retryMs(connection.refreshedAt, at);
    const notBefore = addMs(at, waitMs);
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "keep_platform", subjectId: id, at, notBefore });
  });
}

async function refreshConnection(
  id: { organizationId: string; workspaceId: string; id: string },
  work: BackgroundWork,
): Promise<ConnectionProblem | null> {
  try {
    const usable = await getFreshTokens(id, work);
    if (!usable || !isListDue(usable, work.now())) return null;
    const found = await listAccounts(id, usable, work);
    if (!found) return null;
    await work.store.write(async (db) => {
      const tenant = { ...id, db };
      const at = work.now();
      const connection = await updatePlatformConnection(tenant, id.id, { accountsListedAt: at });
      if (connection) await storePlatformAccounts(tenant, connection, found, { newId: work.newId, at });
    });
    return null;
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    work.log.warn({ err: error, connectionId: id.id }, "could not list the accounts of a platform");
    return error.kind === "unavailable" ? "unavailable" : "unexpected";
  }
}

/** Retries with renewed tokens if the platform rejects the token; undefined without any. */
async function listAccounts(
  id: { organizationId: string; workspaceId: string; id: string },
  { connection, platform, accessToken }: UsableConnection,
  use: PlatformUse,
): Promise<FoundAccount[] | undefined> {
  try {
    return await platform.listAccounts(accessToken);
  } catch (error) {
    if (!(error instanceof PlatformFault) || error.kind !== "refused") throw error;
    const younger = await getFreshTokens(id, use, connection);
    return younger?.platform.listAccounts(younger.accessToken);
  }
}

function isListDue({ connection: { accountsListedAt } }: UsableConnection, now: Instant): boolean {
  return (
    accountsListedAt === null ||
    addMs(accountsListedAt, ACCOUNT_LIST_INTERVAL_MS) <= now ||
    isFuture(accountsListedAt, now)
  );
}

function computeWaitMs({ refreshAt, accountsListedAt }: PlatformConnectionRow, now: Instant): number {
  const times = [
    accountsListedAt === null ? now : addMs(accountsListedAt, ACCOUNT_LIST_INTERVAL_MS),
    refreshAt ?? addMs(now, ACCOUNT_LIST_INTERVAL_MS),
  ];
  const waitMs = Math.min(...times.map((at) => Date.parse(at))) - Date.parse(now);
  return Math.min(Math.max(waitMs, MIN_WAIT_MS), MAX_PLATFORM_WAIT_MS);
}

/** Grows, so that a platform offline for long costs little. */
function retryMs(refreshedAt: Instant, now: Instant): number {
  const ageMs = Date.parse(now) - Date.parse(refreshedAt);
  return Math.min(Math.max(ageMs / 10, MIN_RETRY_MS), MAX_RETRY_MS);
}
