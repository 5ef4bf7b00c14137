import { openCommitted } from "../support/committed.ts";
import { collectScene } from "./scene.ts";

/** Each answer costs 10 x 0.05 + 5 x 0.1 = 1 US dollar. */
export const PRICES = JSON.stringify({ input_per_million: 50_000, output_per_million: 100_000, per_search: 0 });

export type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Spent and reserved US dollars of each account, and the number of prompts with a reservation. */
export async function readAccounts({ store, organization }: Scene) {
  const { q, t } = openCommitted(store);
  const rows = await q.select().from(t.spendAccounts).orderBy(t.spendAccounts.owner, t.spendAccounts.period);
  const name = (owner: string) => (owner === `organization:${organization.id}` ? "organization" : owner);
  const others = rows.filter(({ owner }) => !owner.startsWith("analysis:"));
  const [organizationMonth, providerMonth, providerDay] = others.map(({ owner, spent, reserved }) => [
    name(owner),
    spent / 1_000_000,
    reserved / 1_000_000,
  ]);
  return { organizationMonth, providerMonth, providerDay, open: await q.$count(t.spendReservations) };
}
