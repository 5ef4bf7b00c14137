import { pino } from "pino";
import { expect, test } from "vitest";
import { setupOf, TESTED_KINDS } from "../analyses/analysis-setups.ts";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { startVendor, vendorSources } from "./vendor.ts";
import { capFor, keywords, watchCaps, readSpending } from "./spend-cap-cases.ts";

test("an analysis's cap holds over two workers and waiting tasks, to the millionth of a dollar", async () => {
  await using vendor = await startVendor({ polled: (_, nth) => (nth < 3 ? "pending" : "done") });
  await using s = await collectScene({ env: { SERVE: "core" } });
  const passed = await watchCaps(s);
  const four = await s.create(keywords(6), { max_spend_usd: capFor(4) });
  const three = await s.create(keywords(6), { max_spend_usd: capFor(4) - 0.000_001 });
  const free = await s.create(keywords(6));
  const sources = () => vendorSources(vendor.url, "same_key", { VENDOR_MOST_USD: "1" });
  await using _first = await s.otherWorker(5000, undefined, sources());
  await using _second = await s.otherWorker(5000, undefined, sources());
  expect(await s.ended(four)).toMatchObject({ status: "partial", succeeded: 4, failed: 2 });
  expect(await s.ended(three)).toMatchObject({ status: "partial", succeeded: 3, failed: 3 });
  expect(await s.ended(free)).toMatchObject({ status: "completed", succeeded: 6 });
  expect(await readSpending(s, four)).toMatchObject({ period: "life", spent: 3_000_000, reserved: 0 });
  expect(await readSpending(s, three)).toMatchObject({ spent: 2_250_000, reserved: 0 });
  expect(await readSpending(s, free)).toMatchObject({ spent: 4_500_000, reserved: 0 });
  expect(await passed()).toBe(0);
});

test("a collect reports an exhausted analysis cap with the remedy; a higher cap applies immediately", async () => {
  // Each answer costs 10 x 0.05 + 5 x 0.1 = 1 US dollar.
  const prices = JSON.stringify({ input_per_million: 50_000, output_per_million: 100_000, per_search: 0 });
  await using provider = await startAssistant(() => ({ body: responseBody("Acme") }));
  const lines: { msg: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await using s = await collectScene({ env: { ...provider.env, OPENAI_PRICES: prices, OPENAI_MOST_USD: "1" }, log });
  const analysis = await s.create(keywords(3), { max_spend_usd: 2 });
  const { id } = await s.ended(analysis);
  const { body } = await s.owner.get(`${analysis}/collects/${id}`);
  expect(body).toMatchObject({ status: "partial", succeeded: 2, cost: { reserved_credits: 0, spent_credits: 2 } });
  expect(body.sources[0].failures).toEqual([
    {
      cause: "over_analysis_cap",
      questions: 1,
      remedy:
        "The spending cap of this analysis is reached. Raise or remove max_spend_usd in its setup, and run the collect again.",
    },
  ]);
  // The provider is not at fault.
  const { data } = (await s.owner.get(`${s.organization.path}/sources`)).body;
  const source = data.find((one: { source: string }) => one.source === "ASSISTANT_A");
  expect([source.state, source.last_failure, source.usd_this_month]).toEqual(["answers", null, 2]);
  expect(lines.filter(({ msg }) => msg === "a provider is failing")).toEqual([]);
  const again = await s.owner.post(`${analysis}/collects/price`);
  expect(again.body.presentation.split("\n")).toContain(
    "Providers are paid at most $2 for it over its life, of which $2 is spent. Questions beyond that fail, and give their credits back.",
  );
  const { setup } = (await s.owner.post(`${analysis}/duplicate`)).body;
  const change = await s.owner.post(`${analysis}/setup/price`, { ...setup, max_spend_usd: 5 });
  await s.owner.request("PUT", `${analysis}/setup`, { body: { quote_id: change.body.quote_id, confirmed: true } });
  const priced = await s.owner.post(`${analysis}/collects/price`);
  await s.owner.post(`${analysis}/collects`, { quote_id: priced.body.quote_id, confirmed: true });
  expect(await s.ended(analysis, 2)).toMatchObject({ status: "completed", succeeded: 3 });
  expect((await s.owner.get(analysis)).body).toMatchObject({ max_spend_usd: 5, spent_usd: 5 });
});

test("a setup keeps its cap through price, creation, copy and change, in whole millionths", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const brands = (await s.owner.get(`${s.workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const rival = brands.find(({ name }) => name === "Rival")?.id ?? "";
  for (const kind of TESTED_KINDS) {
    const given = { ...setupOf(kind, { own: s.brandId, rival }), max_spend_usd: 1.234_567_8 };
    const priced = await s.owner.post(`${s.workspace.path}/${kind.path}/price`, given);
    expect(priced.body.setup).toMatchObject({ max_spend_usd: 1.234_567 });
    expect(priced.body.presentation.split("\n")).toContain(
      "Providers are paid at most $1.234567 for it over its life. Questions beyond that fail, and give their credits back.",
    );
    const yes = { quote_id: priced.body.quote_id, confirmed: true };
    const created = await s.owner.post(`${s.workspace.path}/${kind.path}`, yes);
    expect(created.body).toMatchObject({ max_spend_usd: 1.234_567 });
    const analysis = `${s.workspace.path}/analyses/${created.body.id}`;
    const shown = (await s.owner.get(analysis)).body;
    expect(shown).toMatchObject({ max_spend_usd: 1.234_567, spent_usd: 0 });
    expect(shown.setup).not.toHaveProperty("max_spend_usd");
    const copy = (await s.owner.post(`${analysis}/duplicate`)).body.setup;
    expect(copy).toEqual({ ...priced.body.setup, name: "Phones (copy)" });
    for (const cap of [20.5, undefined]) {
      const { max_spend_usd: _before, ...uncapped } = copy;
      const body = { ...uncapped, name: "Phones", ...(cap === undefined ? {} : { max_spend_usd: cap }) };
      const change = await s.owner.post(`${analysis}/setup/price`, body);
      expect(change.body.setup).toEqual(body);
      const made = { quote_id: change.body.quote_id, confirmed: true };
      expect((await s.owner.request("PUT", `${analysis}/setup`, { body: made })).body).toMatchObject({
        max_spend_usd: cap ?? null,
      });
      expect((await s.owner.post(`${analysis}/duplicate`)).body.setup).toEqual({ ...body, name: "Phones (copy)" });
    }
  }
});

/** The price of a setup where providers are configured so. */
async function pricedWith(env: Record<string, string>, setup: object, path = "search-analyses") {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { SERVE: "core", ...provider.env, ...env } });
  const own = { name: "Phones", brand_id: s.brandId, website: "https://acme.test", max_spend_usd: 1 };
  const { status, body } = await s.owner.post(`${s.workspace.path}/${path}/price`, { ...own, ...setup });
  return { status, fields: body.fields };
}

function capError(message: string) {
  return { status: 400, fields: [{ path: "max_spend_usd", message }] };
}

test("rejects a cap below one answer, or not enforceable, naming the source; audits have none", async () => {
  const thematics = [{ name: "Phones", topics: [{ name: "All", keywords: [{ text: "best phone" }] }] }];
  const asked = { sources: ["ASSISTANT_A"], thematics };
  expect(await pricedWith({ OPENAI_MOST_USD: "1.5" }, asked)).toEqual(
    capError("is below the maximum price of an answer of ChatGPT: $1.5"),
  );
  expect(await pricedWith({ OPENAI_MOST_USD: "1" }, asked)).toMatchObject({ status: 200 });
  expect(await pricedWith({}, asked)).toEqual(
    capError("cannot be enforced for ChatGPT: the maximum price of an answer is unknown"),
  );
  expect(await pricedWith({}, {}, "geo-audits")).toMatchObject({ status: 400 });
});
