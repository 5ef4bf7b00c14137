import { eq } from "drizzle-orm";
import type { tables } from "../schema.ts";
import type { Db } from "../engine/store.ts";

// Secrets of the installation, so no tenant applies.

export async function findInstallationSecret({ q, t }: Db, name: string): Promise<string | undefined> {
  const [row] = await q
    .select({ sealed: t.installationSecrets.sealedValue })
    .from(t.installationSecrets)
    .where(eq(t.installationSecrets.name, name));
  return row?.sealed;
}

export async function insertInstallationSecret({ q, t }: Db, secret: typeof tables.installationSecrets.$inferInsert) {
  await q.insert(t.installationSecrets).values(secret);
}

export function toInstallationSealContext(name: string): string {
  return `installation_secrets/${name}/sealed_value`;
}
