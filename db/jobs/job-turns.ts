import { and, asc, eq, inArray, lte, ne, or, sql } from "drizzle-orm";
import { ASKED_SOURCES, type AskedSource } from "../../core/sources/asked-sources.ts";
import { isSuspect, SUSPECT } from "../../core/jobs/worker-failures.ts";
import type { Instant } from "../../core/shared/time.ts";
import { above, matches } from "../engine/rows.ts";
import { prepared, type Db } from "../engine/store.ts";

// Each step is one index step, whatever the queue length.

export interface Turns {
  /** Consecutive claims from collects started on request. */
  askedInARow: number;
  /** Consecutive claims other than tasks of paused analyses. */
  othersInARow: number;
  asked: LaneTurns;
  scheduled: LaneTurns;
}

interface LaneTurns {
  organization: string;
  collects: ReadonlyMap<string, string>;
}

const FIRST: LaneTurns = { organization: "", collects: new Map() };
export const FIRST_TURN: Turns = { askedInARow: 0, othersInARow: 0, asked: FIRST, scheduled: FIRST };

/** Claims on request before a scheduled collect gets one, if one waits. */
const ASKED_PER_SCHEDULED = 3;
/** Other claims before a task of a paused analysis gets one, if one waits. */
const OTHERS_PER_HELD = 3;
/** Max organizations and collects checked per lane; the next claim continues behind them. */
const MOST_LOOKED_AT = 200;
/** Max organizations whose collect cursor is stored. */
const MOST_KEPT = 10_000;

export interface Places {
  sources: readonly AskedSource[];
  limit: number;
  /** Max slots per collect; keeps slots free for a new collect. */
  mostOfOne: number;
  held: ReadonlyMap<string, number>;
  /** Remaining suspect jobs that may be claimed; unlimited if omitted. */
  suspects?: { left: number } | undefined;
  now: Instant;
}

function admitted(
  rows: readonly { id: string; workerFailures: number }[],
  { suspects }: Pick<Places, "suspects">,
): string[] {
  return rows.filter((row) => !isSuspect(row) || !suspects || suspects.left-- > 0).map(({ id }) => id);
}

/** In SQL, so that suspects do not fill the query limit. Placeholder: `takesSuspects`. */
function isAdmitted({ workerFailures }: Db["t"]["jobs"]) {
  return or(ne(workerFailures, SUSPECT), sql`${sql.placeholder("takesSuspects")} = 1`);
}

const suspectValues = ({ suspects }: Pick<Places, "suspects">) => ({
  takesSuspects: suspects === undefined || suspects.left > 0 ? 1 : 0,
});

export async function pickJobs(db: Db, places: Places, turns: Turns): Promise<{ ids: string[]; turns: Turns }> {
  const lanes = {
    asked: openLane(db, OPEN.asked, places, turns.asked),
    scheduled: openLane(db, OPEN.scheduled, places, turns.scheduled),
  };
  const ids: string[] = [];
  let { askedInARow, othersInARow } = turns;
  async function nextOther(): Promise<string | undefined> {
    const isTurnOfScheduled = askedInARow >= ASKED_PER_SCHEDULED;
    const early = isTurnOfScheduled ? await lanes.scheduled.next() : undefined;
    const asked = early === undefined ? await lanes.asked.next() : undefined;
    const found = early ?? asked ?? (isTurnOfScheduled ? undefined : await lanes.scheduled.next());
    if (found !== undefined) askedInARow = found === asked ? askedInARow + 1 : 0;
    return found;
  }
  let tasks: string[] | undefined;
  const nextHeld = async () => (tasks ??= await pickHeldTasks(db, places, places.limit)).shift();
  while (ids.length < places.limit) {
    const early = othersInARow >= OTHERS_PER_HELD ? await nextHeld() : undefined;
    const other = early === undefined ? await nextOther() : undefined;
    const found = early ?? other ?? (await nextHeld());
    if (found === undefined) break;
    othersInARow = found === other ? othersInARow + 1 : 0;
    ids.push(found);
  }
  return { ids, turns: { askedInARow, othersInARow, asked: lanes.asked.turns(), scheduled: lanes.scheduled.turns() } };
}

/**
 * Tasks of paused analyses. They are paid for, and providers may drop results before the pause
 * ends.
 */
export async function pickHeldTasks(
  db: Db,
  { sources, now, suspects }: Pick<Places, "sources" | "now" | "suspects">,
  limit: number,
): Promise<string[]> {
  const of = { ...sourceValues(sources), ...suspectValues({ suspects }) };
  return admitted(await heldTasks(db, { now: Date.parse(now), limit, ...of }), { suspects });
}

const heldTasks = prepared(({ q, t: { jobs, collects } }) =>
  q
    .select({ id: jobs.id, workerFailures: jobs.workerFailures })
    .from(jobs)
    .innerJoin(collects, eq(collects.id, jobs.collectId))
    .where(
      and(
        eq(jobs.status, "submitted"),
        lte(jobs.notBefore, sql.placeholder("now")),
        isOfSources(jobs),
        eq(collects.isHeld, true),
        isAdmitted(jobs),
      ),
    )
    .orderBy(asc(jobs.notBefore), asc(jobs.id))
    .limit(sql.placeholder("limit")),
);

type Next = () => Promise<string | undefined>;

interface OpenLane {
  next: Next;
  turns: () => LaneTurns;
}

function openLane(db: Db, query: LaneQueries, places: Places, last: LaneTurns): OpenLane {
  let { organization } = last;
  const collects = new Map(last.collects.size > MOST_KEPT ? [] : last.collects);
  const looks = { left: MOST_LOOKED_AT };
  const nextOrganization = async (after: string) => (await query.organization(db, { after }))[0]?.organizationId;
  const next = inTurn(around(organization, nextOrganization, looks), (organizationId) => {
    const nextCollect = async (after: string) => (await query.collect(db, { organizationId, after }))[0]?.id;
    const ofCollects = inTurn(around(collects.get(organizationId) ?? "", nextCollect, looks), (collectId) => {
      const ofCollect = openCollect(db, collectId, places);
      return () => {
        collects.set(organizationId, collectId);
        return ofCollect();
      };
    });
    return () => {
      organization = organizationId;
      return ofCollects();
    };
  });
  return { next, turns: () => ({ organization, collects }) };
}

/** Iterates once over all keys in circular order, starting after `start`. */
async function* around(
  start: string,
  next: (after: string) => Promise<string | undefined>,
  looks: { left: number },
): AsyncGenerator<string, undefined> {
  let at = start;
  let isBehindStart = false;
  while (looks.left > 0) {
    const found = await next(at);
    if (found === undefined) {
      if (isBehindStart || start === "") return undefined;
      [at, isBehindStart] = ["", true];
      continue;
    }
    if (isBehindStart && found > start) return undefined;
    looks.left -= 1;
    at = found;
    yield found;
  }
  return undefined;
}

function inTurn(keys: AsyncIterator<string, undefined>, open: (key: string) => Next): Next {
  const line: Next[] = [];
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

function openCollect(db: Db, collectId: string, places: Places): Next {
  const { sources, limit, mostOfOne, held, now } = places;
  let ready: string[] | undefined;
  return async () => {
    if (!ready) {
      const most = Math.min(limit, mostOfOne - (held.get(collectId) ?? 0));
      const values = { collectId, now: Date.parse(now), ...sourceValues(sources) };
      ready = [];
      // Submitted tasks first: they are paid for, and providers store results for a limited time.
      for (const status of ["submitted", "queued"]) {
        const wanted = { ...values, ...suspectValues(places), status, limit: Math.max(0, most - ready.length) };
        ready.push(...admitted(await readyJobs(db, wanted), places));
      }
    }
    return ready.shift();
  };
}

function queriesOf(isScheduled: boolean) {
  return {
    organization: prepared(({ q, t: { collects } }) =>
      q
        .select({ organizationId: collects.organizationId })
        .from(collects)
        .where(
          matches(collects, {
            finishedAt: null,
            isHeld: false,
            isScheduled,
            organizationId: above(sql.placeholder("after")),
          }),
        )
        .orderBy(asc(collects.organizationId))
        .limit(1),
    ),
    collect: prepared(({ q, t: { collects } }) =>
      q
        .select({ id: collects.id })
        .from(collects)
        .where(
          matches(collects, {
            finishedAt: null,
            isHeld: false,
            isScheduled,
            organizationId: sql.placeholder("organizationId"),
            id: above(sql.placeholder("after")),
          }),
        )
        .orderBy(asc(collects.id))
        .limit(1),
    ),
  };
}
type LaneQueries = ReturnType<typeof queriesOf>;
const OPEN = { asked: queriesOf(false), scheduled: queriesOf(true) };

/**
 * Repeats the first source in unused placeholders, so that one prepared query serves any sources.
 */
const sourceValues = (sources: readonly AskedSource[]) =>
  Object.fromEntries(ASKED_SOURCES.map((_, index) => [`source${index}`, sources[index] ?? sources[0]]));

function isOfSources({ source }: Db["t"]["jobs"]) {
  return inArray(
    source,
    ASKED_SOURCES.map((_, index) => sql.placeholder(`source${index}`)),
  );
}

const readyJobs = prepared(({ q, t: { jobs } }) =>
  q
    .select({ id: jobs.id, workerFailures: jobs.workerFailures })
    .from(jobs)
    .where(
      and(
        matches(jobs, { collectId: sql.placeholder("collectId"), status: sql.placeholder("status") }),
        isOfSources(jobs),
        lte(jobs.notBefore, sql.placeholder("now")),
        isAdmitted(jobs),
      ),
    )
    // Index order, so that the scan stops at the limit.
    .orderBy(asc(jobs.source), asc(jobs.notBefore), asc(jobs.id))
    .limit(sql.placeholder("limit")),
);
