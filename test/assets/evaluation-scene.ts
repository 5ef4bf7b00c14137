import { setTimeout as sleep } from "node:timers/promises";
import { world, type Person } from "../support/world.ts";

export const PAGE = `# Are Acme running shoes durable?

Acme running shoes last 900 km in our test. The durability of the sole comes from recycled rubber.

## Price

- Running shoes by Acme cost 120 €.
- The price is 20% below that of comparable shoes.

Most runners wear running shoes every other day and want to know when to replace them.`;
export const OFF_TOPIC = `Our bakery opens at seven. Bread is baked every morning, and cakes are made to order.
Come by and taste what we made today, or order by phone until noon.`;

/** A world with texts to score, and operations on them. */
export async function evaluationScene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const base = `${workspace.path}/asset-evaluations`;
  const addText = async (name: string, text: string) =>
    (await owner.post(`${workspace.path}/assets`, { name, text })).body.id as string;
  const setupOf = (assetIds: string[]) => ({
    name: "Shoes",
    asset_ids: assetIds,
    category: "running shoes",
    attributes: ["durability", "price / value for money", "comfort"],
    brand_id: brand.body.id as string,
  });
  const price = (body: object, by: Person = owner) => by.post(`${base}/price`, body);
  return {
    w,
    owner,
    organization,
    workspace,
    base,
    addText,
    setupOf,
    price,
    /** Prices, confirms and creates. */
    async create(assetIds: string[], setup: object = {}) {
      const quote = await price({ ...setupOf(assetIds), ...setup });
      return owner.post(base, { quote_id: quote.body.quote_id, confirmed: true });
    },
    async until(id: string) {
      for (let waited = 0; waited < 10_000; waited += 10) {
        const { body } = await owner.get(`${base}/${id}`);
        if (body.finished_at !== null) return body;
        await sleep(10);
      }
      throw new Error("the evaluation does not end");
    },
    scores: async (id: string, query = "") => (await owner.get(`${base}/${id}/scores${query}`)).body.data,
    async credits() {
      const { body } = await owner.get(`${organization.path}/credits`);
      return { available: body.available as number, reserved: body.reserved as number };
    },
    async ledger(id: string) {
      const { body } = await owner.get(`${organization.path}/credits/ledger?limit=100`);
      const rows = body.data as {
        kind: string;
        evaluation_id: string;
        available_delta: number;
        reserved_delta: number;
      }[];
      return rows
        .filter((row) => row.evaluation_id === id)
        .map((row) => [row.kind, row.available_delta, row.reserved_delta]);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
