import { PAID_FOR } from "../../../core/analyses/keyword-figures.ts";
import { SOURCES } from "../../../core/sources/sources.ts";
import { float, id, index, instant, int, oneOf, primaryKey, string, table } from "../../engine/columns.ts";

/** What a provider billed in a calendar month (UTC), over all organizations: the ledger. */
export const providerSpend = table(
  "provider_spend",
  {
    provider: string("provider").notNull(),
    /** As `2026-11`. */
    month: string("month").notNull(),
    usd: float("usd").notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.month] })],
);

/** What came of an organization's questions to a source in a calendar month (UTC), simulated ones left out. */
export const sourceSpend = table(
  "source_spend",
  {
    organizationId: id("organization_id").notNull(),
    /** As `2026-11`. */
    month: string("month").notNull(),
    source: oneOf("source", SOURCES).notNull(),
    /** What providers billed, where that is known. */
    usd: float("usd").notNull(),
    answers: int("answers").notNull(),
    /** Answers whose price is not known. */
    unpriced: int("unpriced").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.month, t.source] })],
);

/**
 * What counts against the caps of a provider in a day and a month (UTC), of an organization in a month, and of an analysis over its life,
 * in millionths of a US dollar. Where it is not known what was billed, that is the most that it can be, so an account can hold more than the ledger.
 */
export const spendAccounts = table(
  "spend_accounts",
  {
    /** `provider:` with its name, or `organization:` or `analysis:` with its id. */
    owner: string("owner").notNull(),
    /** As `2026-11`, or `2026-11-23`; `life` of an analysis. */
    period: string("period").notNull(),
    spent: int("spent").notNull(),
    /** For questions under way. */
    reserved: int("reserved").notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.period] })],
);

/** What is reserved in these accounts for a question under way: the most that it can cost. */
export const spendReservations = table("spend_reservations", {
  jobId: id("job_id").primaryKey(),
  provider: string("provider").notNull(),
  organizationId: id("organization_id").notNull(),
  analysisId: id("analysis_id").notNull(),
  /** When it was reserved, as `2026-11-23`: which accounts it is in. */
  day: string("day").notNull(),
  /** Millionths of a US dollar. */
  micros: int("micros").notNull(),
});

/** When the next request to a provider may begin, over all processes, by what holds it back. Milliseconds since 1970. */
export const providerPaces = table("provider_paces", {
  provider: string("provider").primaryKey(),
  /** By its limit of requests a minute. */
  nextRequestMs: float("next_request_ms").notNull(),
  /** By its limit of tokens a minute. */
  nextTokenMs: float("next_token_ms").notNull(),
  /** By what its replies said. */
  heldUntilMs: float("held_until_ms").notNull(),
});

/** Bills that were higher than the most that a question at this source, or a task about keywords, could cost: the highest one, and how many there were. */
export const excessBills = table(
  "excess_bills",
  {
    provider: string("provider").notNull(),
    source: oneOf("source", PAID_FOR).notNull(),
    /** Millionths of a US dollar. */
    micros: int("micros").notNull(),
    bills: int("bills").notNull(),
    at: instant("at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.source] })],
);

/** Bodies of providers that could not be read, or say why there is no answer: the newest few of each provider, for inspection. */
export const unreadBodies = table(
  "unread_bodies",
  {
    /** Whose attempt it was; a later one takes its place. */
    jobId: id("job_id").primaryKey(),
    provider: string("provider").notNull(),
    /** What kept it from being an answer. */
    kind: string("kind").notNull(),
    at: instant("at").notNull(),
    body: string("body").notNull(),
  },
  (t) => [index("unread_bodies_newest").on(t.provider, t.at, t.jobId)],
);
