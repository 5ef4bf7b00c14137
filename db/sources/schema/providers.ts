import { PAID_ITEMS } from "../../../core/analyses/keyword-data.ts";
import { SOURCES } from "../../../core/sources/sources.ts";
import { float, id, index, instant, int, oneOf, primaryKey, string, table } from "../../engine/columns.ts";

/** Amounts billed by providers per calendar month (UTC), over all organizations. */
export const providerSpend = table(
  "provider_spend",
  {
    provider: string("provider").notNull(),
    /** Calendar month (UTC), formatted as `2026-11`. */
    month: string("month").notNull(),
    usd: float("usd").notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.month] })],
);

/** Without simulated answers. */
export const sourceSpend = table(
  "source_spend",
  {
    organizationId: id("organization_id").notNull(),
    /** Calendar month (UTC), formatted as `2026-11`. */
    month: string("month").notNull(),
    source: oneOf("source", SOURCES).notNull(),
    /** Billed amount, where known. */
    usd: float("usd").notNull(),
    answers: int("answers").notNull(),
    /** Answers with unknown price. */
    unpriced: int("unpriced").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.month, t.source] })],
);

/**
 * Amounts counted against caps, in millionths of a US dollar. Unknown bills count as their upper
 * bound.
 */
export const spendAccounts = table(
  "spend_accounts",
  {
    /** `provider:<name>`, `organization:<id>` or `analysis:<id>`. */
    owner: string("owner").notNull(),
    /** `2026-11` or `2026-11-23` (UTC); `life` for an analysis. */
    period: string("period").notNull(),
    spent: int("spent").notNull(),
    /** Reserved for prompts in progress. */
    reserved: int("reserved").notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.period] })],
);

/** Reservations for prompts in progress: the upper bound of their cost. */
export const spendReservations = table("spend_reservations", {
  jobId: id("job_id").primaryKey(),
  provider: string("provider").notNull(),
  organizationId: id("organization_id").notNull(),
  analysisId: id("analysis_id").notNull(),
  /** Day of the reservation, as `2026-11-23`; determines its accounts. */
  day: string("day").notNull(),
  /** Amount in millionths of a US dollar. */
  micros: int("micros").notNull(),
});

/** Earliest next request per limit, over all processes. Milliseconds since 1970. */
export const providerPaces = table("provider_paces", {
  provider: string("provider").primaryKey(),
  /** Earliest next request by the limit of requests per minute. */
  nextRequestMs: float("next_request_ms").notNull(),
  /** Earliest next request by the limit of tokens per minute. */
  nextTokenMs: float("next_token_ms").notNull(),
  /** Earliest next request by the provider's retry-after responses. */
  heldUntilMs: float("held_until_ms").notNull(),
});

/** Bills above the upper bound of a prompt or keyword task: the highest bill and their number. */
export const excessBills = table(
  "excess_bills",
  {
    provider: string("provider").notNull(),
    source: oneOf("source", PAID_ITEMS).notNull(),
    /** Highest bill in millionths of a US dollar. */
    micros: int("micros").notNull(),
    bills: int("bills").notNull(),
    at: instant("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.source] })],
);

/** Unparsable or empty provider responses, the newest few per provider, for inspection. */
export const unreadBodies = table(
  "unread_bodies",
  {
    /** The job of the attempt; a later attempt replaces the body. */
    jobId: id("job_id").primaryKey(),
    provider: string("provider").notNull(),
    /** Why the body is not an answer. */
    kind: string("kind").notNull(),
    at: instant("at").notNull(),
    body: string("body").notNull(),
  },
  (t) => [index("unread_bodies_newest").on(t.provider, t.at, t.jobId)],
);
