import { instant, string, table } from "../../engine/columns.ts";

export const installationSecrets = table("installation_secrets", {
  name: string("name").primaryKey(),
  sealedValue: string("sealed_value").notNull(),
  createdAt: instant("created_at").notNull(),
});
