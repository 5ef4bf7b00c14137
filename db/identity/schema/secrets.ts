import * as c from "../../engine/columns.ts";

export const installationSecrets = c.table("installation_secrets", {
  name: c.string("name").primaryKey(),
  sealedValue: c.string("sealed_value").notNull(),
  createdAt: c.instant("created_at").notNull(),
});
