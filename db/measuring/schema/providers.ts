import { float, id, index, instant, primaryKey, string, table } from "../../engine/columns.ts";

/** What a provider charged in a calendar month (UTC), over all organizations: what a spend cap bounds. */
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
