import { sqliteTable } from "drizzle-orm/sqlite-core";
import { instant, string } from "../../engine/columns.ts";

/** Secrets that the installation made for itself, sealed. */
export const installationSecrets = sqliteTable("installation_secrets", {
  name: string("name").primaryKey(),
  sealedValue: string("sealed_value").notNull(),
  createdAt: instant("created_at").notNull(),
});
