import { float, primaryKey, string, table } from "../../engine/columns.ts";

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
