import { PAID_ITEMS } from "../../../core/analyses/keyword-data.ts";
import { SOURCES } from "../../../core/sources/sources.ts";
import * as c from "../../engine/columns.ts";

/** Over all organizations. */
export const providerSpend = c.table(
  "provider_spend",
  {
    provider: c.string("provider").notNull(),
    /** UTC, as `2026-11`. */
    month: c.string("month").notNull(),
    usd: c.float("usd").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.provider, t.month] })],
);

/** Without simulated answers. */
export const sourceSpend = c.table(
  "source_spend",
  {
    organizationId: c.id("organization_id").notNull(),
    month: c.string("month").notNull(),
    source: c.oneOf("source", SOURCES).notNull(),
    usd: c.float("usd").notNull(),
    answers: c.int("answers").notNull(),
    unpriced: c.int("unpriced").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.organizationId, t.month, t.source] })],
);

/** In millionths of a US dollar. Unknown bills count as their upper bound. */
export const spendAccounts = c.table(
  "spend_accounts",
  {
    /** `provider:<name>`, `organization:<id>` or `analysis:<id>`. */
    owner: c.string("owner").notNull(),
    /** `2026-11` or `2026-11-23` (UTC); `life` for an analysis. */
    period: c.string("period").notNull(),
    spent: c.int("spent").notNull(),
    reserved: c.int("reserved").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.owner, t.period] })],
);

/** For prompts in progress: the upper bound of their cost. */
export const spendReservations = c.table("spend_reservations", {
  jobId: c.id("job_id").primaryKey(),
  provider: c.string("provider").notNull(),
  organizationId: c.id("organization_id").notNull(),
  analysisId: c.id("analysis_id").notNull(),
  /** Day of the reservation (UTC), formatted as `2026-11-23`. */
  day: c.string("day").notNull(),
  /** Millionths of a US dollar. */
  micros: c.int("micros").notNull(),
});

/** Earliest next request per limit, over all processes. Milliseconds since 1970. */
export const providerPaces = c.table("provider_paces", {
  provider: c.string("provider").primaryKey(),
  nextRequestMs: c.float("next_request_ms").notNull(),
  nextTokenMs: c.float("next_token_ms").notNull(),
  /** Set by the provider's retry-after responses. */
  heldUntilMs: c.float("held_until_ms").notNull(),
});

/** Bills above the upper bound of a prompt or keyword task. */
export const excessBills = c.table(
  "excess_bills",
  {
    provider: c.string("provider").notNull(),
    source: c.oneOf("source", PAID_ITEMS).notNull(),
    micros: c.int("micros").notNull(),
    bills: c.int("bills").notNull(),
    at: c.instant("at").notNull(),
  },
  (t) => [c.primaryKey({ columns: [t.provider, t.source] })],
);

/** Unparsable or empty responses, the newest few per provider. */
export const unreadBodies = c.table(
  "unread_bodies",
  {
    /** A later attempt of the job replaces the body. */
    jobId: c.id("job_id").primaryKey(),
    provider: c.string("provider").notNull(),
    kind: c.string("kind").notNull(),
    at: c.instant("at").notNull(),
    body: c.string("body").notNull(),
  },
  (t) => [c.index("unread_bodies_newest").on(t.provider, t.at, t.jobId)],
);
