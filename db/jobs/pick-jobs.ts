import { and, asc, eq, inArray, lte, ne, or, sql } from "drizzle-orm";
import { JOB_SOURCES, type JobSource } from "../../core/sources/sources.ts";
import { isSuspect, SUSPECT_FAILURES } from "../../core/jobs/worker-failures.ts";
import type { Instant } from "../../core/shared/time.ts";
import { greaterThan, matches } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

// Each step is one index step, whatever the queue length.

export interface RoundRobinCursor {
  /** Claims from collects started on request. */
  requestedInARow: number;
  /** Claims other than tasks of paused analyses. */
  othersInARow: number;
  requested: LaneCursor;
  scheduled: LaneCursor;
}

interface LaneCursor {
  organization: string;
  collects: ReadonlyMap<string, string>;
}

const LANE_START: LaneCursor = { organization: "", collects: new Map() };
export const INITIAL_CURSOR: RoundRobinCursor = {
  requestedInARow: 0,
  othersInARow: 0,
  requested: LANE_START,
  scheduled: LANE_START,
};

/** Applies while a scheduled collect waits. */
const REQUESTED_PER_SCHEDULED = 3;
/** Applies while a task of a paused analysis waits. */
const OTHERS_PER_PAUSED = 3;
/** Organizations and collects checked; the next claim continues behind them. */
const MAX_LOOKUPS_PER_LANE = 200;
const MAX_CURSOR_ORGANIZATIONS = 10_000;

export interface JobSlots {
  sources: readonly JobSource[];
  limit: number;
  /** Keeps slots free for a new collect. */
  maxPerCollect: number;
  usedPerCollect: ReadonlyMap<string, number>;
  /** Unlimited if omitted. */
  suspects?: { left: number } | undefined;
  now: Instant;
}

function admitJobIds(
  rows: readonly { id: string; workerFailures: number }[],
  { suspects }: Pick<JobSlots, "suspects">,
): string[] {
  return rows.filter((row) => !isSuspect(row) || !suspects || suspects.left-- > 0).map(({ id }) => id);
}

/** In SQL, so that suspects do not fill the query limit. Placeholder: `canTakeSuspects`. */
function admissibleCondition({ workerFailures }: Db["t"]["jobs"]) {
  return or(ne(workerFailures, SUSPECT_FAILURES), sql`${sql.placeholder("canTakeSuspects")} = 1`);
}

const toSuspectParameters = ({ suspects }: Pick<JobSlots, "suspects">) => ({
  canTakeSuspects: suspects === undefined || suspects.left > 0 ? 1 : 0,
});

export async function pickJobs(db: Db, slots: JobSlots, cursor: RoundRobinCursor) {
  const lanes = {
    requested: openLane(db, LANE_QUERIES.requested, slots, cursor.requested),
    scheduled: openLane(db, LANE_QUERIES.scheduled, slots, cursor.scheduled),
  };
  const ids: string[] = [];
  let { requestedInARow, othersInARow } = cursor;
  async function nextOther(): Promise<string | undefined> {
    const isScheduledDue = requestedInARow >= REQUESTED_PER_SCHEDULED;
    const early = isScheduledDue ? await lanes.scheduled.pickNext() : undefined;
    const requested = early === undefined ? await lanes.requested.pickNext() : undefined;
    const found = early ?? requested ?? (isScheduledDue ? undefined : await lanes.scheduled.pickNext());
    if (found !== undefined) requestedInARow = found === requested ? requestedInARow + 1 : 0;
    return found;
  }
  let tasks: string[] | undefined;
  const nextPaused = async () => (tasks ??= await pickPausedTasks(db, slots, slots.limit)).shift();
  while (ids.length < slots.limit) {
    const early = othersInARow >= OTHERS_PER_PAUSED ? await nextPaused() : undefined;
    const other = early === undefined ? await nextOther() : undefined;
    const found = early ?? other ?? (await nextPaused());
    if (found === undefined) break;
    othersInARow = found === other ? othersInARow + 1 : 0;
    ids.push(found);
  }
  return {
    ids,
    cursor: { requestedInARow, othersInARow, requested: lanes.requested.cursor(), scheduled: lanes.scheduled.cursor() },
  };
}

/** Paused tasks are paid for, and providers may drop results before the pause ends. */
export async function pickPausedTasks(
  db: Db,
  { sources, now, suspects }: Pick<JobSlots, "sources" | "now" | "suspects">,
  limit: number,
): Promise<string[]> {
  const of = { ...toSourceParameters(sources), ...toSuspectParameters({ suspects }) };
  return admitJobIds(await selectPausedTasks(db, { now: Date.parse(now), limit, ...of }), { suspects });
}

const selectPausedTasks = prepareQuery(({ q, t: { jobs, collects } }) =>
  q
    .select({ id: jobs.id, workerFailures: jobs.workerFailures })
    .from(jobs)
    .innerJoin(collects, eq(collects.id, jobs.collectId))
    .where(
      and(
        eq(jobs.status, "submitted"),
        lte(jobs.notBefore, sql.placeholder("now")),
        ofSourcesCondition(jobs),
        eq(collects.isHeld, true),
        admissibleCondition(jobs),
      ),
    )
    .orderBy(asc(jobs.notBefore), asc(jobs.id))
    .limit(sql.placeholder("limit")),
);

type NextJob = () => Promise<string | undefined>;

interface OpenLane {
  pickNext: NextJob;
  cursor: () => LaneCursor;
}

function openLane(db: Db, query: LaneQueries, slots: JobSlots, last: LaneCursor): OpenLane {
  let { organization } = last;
  const collects = new Map(last.collects.size > MAX_CURSOR_ORGANIZATIONS ? [] : last.collects);
  const lookups = { left: MAX_LOOKUPS_PER_LANE };
  const nextOrganization = async (after: string) => (await query.organization(db, { after }))[0]?.organizationId;
  const pickNext = createRoundRobin(iterateCircularly(organization, nextOrganization, lookups), (organizationId) => {
    const nextCollect = async (after: string) => (await query.collect(db, { organizationId, after }))[0]?.id;
    const ofCollects = createRoundRobin(
      iterateCircularly(collects.get(organizationId) ?? "", nextCollect, lookups),
      (collectId) => {
        const ofCollect = openCollectQueue(db, collectId, slots);
        return () => {
          collects.set(organizationId, collectId);
          return ofCollect();
        };
      },
    );
    return () => {
      organization = organizationId;
      return ofCollects();
    };
  });
  return { pickNext, cursor: () => ({ organization, collects }) };
}

/** Starts after `start`. */
async function* iterateCircularly(
  start: string,
  next: (after: string) => Promise<string | undefined>,
  lookups: { left: number },
): AsyncGenerator<string, undefined> {
  let at = start;
  let isBehindStart = false;
  while (lookups.left > 0) {
    const found = await next(at);
    if (found === undefined) {
      if (isBehindStart || start === "") return undefined;
      [at, isBehindStart] = ["", true];
      continue;
    }
    if (isBehindStart && found > start) return undefined;
    lookups.left -= 1;
    at = found;
    yield found;
  }
  return undefined;
}

function createRoundRobin(keys: AsyncIterator<string, undefined>, open: (key: string) => NextJob): NextJob {
  const line: NextJob[] = [];
  return async () => {
    for (;;) {
      const key = await keys.next();
      const next = key.done ? line.shift() : open(key.value);
      if (!next) return undefined;
      const found = await next();
      if (found === undefined) continue;
      line.push(next);
      return found;
    }
  };
}

function openCollectQueue(db: Db, collectId: string, slots: JobSlots): NextJob {
  const { sources, limit, maxPerCollect, usedPerCollect, now } = slots;
  let ready: string[] | undefined;
  return async () => {
    if (!ready) {
      const max = Math.min(limit, maxPerCollect - (usedPerCollect.get(collectId) ?? 0));
      const values = { collectId, now: Date.parse(now), ...toSourceParameters(sources) };
      ready = [];
      // Submitted tasks first: they are paid for, and providers store results for a limited time.
      for (const status of ["submitted", "queued"]) {
        const wanted = { ...values, ...toSuspectParameters(slots), status, limit: Math.max(0, max - ready.length) };
        ready.push(...admitJobIds(await selectReadyJobs(db, wanted), slots));
      }
    }
    return ready.shift();
  };
}

function prepareLaneQueries(isScheduled: boolean) {
  return {
    organization: prepareQuery(({ q, t: { collects } }) =>
      q
        .select({ organizationId: collects.organizationId })
        .from(collects)
        .where(
          matches(collects, {
            finishedAt: null,
            isHeld: false,
            isScheduled,
            organizationId: greaterThan(sql.placeholder("after")),
          }),
        )
        .orderBy(asc(collects.organizationId))
        .limit(1),
    ),
    collect: prepareQuery(({ q, t: { collects } }) =>
      q
        .select({ id: collects.id })
        .from(collects)
        .where(
          matches(collects, {
            finishedAt: null,
            isHeld: false,
            isScheduled,
            organizationId: sql.placeholder("organizationId"),
            id: greaterThan(sql.placeholder("after")),
          }),
        )
        .orderBy(asc(collects.id))
        .limit(1),
    ),
  };
}
type LaneQueries = ReturnType<typeof prepareLaneQueries>;
const LANE_QUERIES = { requested: prepareLaneQueries(false), scheduled: prepareLaneQueries(true) };

/** Repeats the first source, so that one prepared query serves any sources. */
const toSourceParameters = (sources: readonly JobSource[]) =>
  Object.fromEntries(JOB_SOURCES.map((_, index) => [`source${index}`, sources[index] ?? sources[0]]));

function ofSourcesCondition({ source }: Db["t"]["jobs"]) {
  return inArray(
    source,
    JOB_SOURCES.map((_, index) => sql.placeholder(`source${index}`)),
  );
}

const selectReadyJobs = prepareQuery(({ q, t: { jobs } }) =>
  q
    .select({ id: jobs.id, workerFailures: jobs.workerFailures })
    .from(jobs)
    .where(
      and(
        matches(jobs, { collectId: sql.placeholder("collectId"), status: sql.placeholder("status") }),
        ofSourcesCondition(jobs),
        lte(jobs.notBefore, sql.placeholder("now")),
        admissibleCondition(jobs),
      ),
    )
    // Index order, so that the scan stops at the limit.
    .orderBy(asc(jobs.source), asc(jobs.notBefore), asc(jobs.id))
    .limit(sql.placeholder("limit")),
);
