import { expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { collectScene } from "../collecting/scene.ts";
import { DATAFORSEO } from "../providers/scenes.ts";

const DAY_MS = 86_400_000;
const BOTH = { ...DATAFORSEO.env, DATAFORSEO_KEYWORDS: "interest" };
const TWO = [{ text: "best phone" }, { text: "cheap phone" }];

/** Expected provider costs of a search analysis with a simulated source, and their description. */
async function estimate(settings: Record<string, string>, keywords: object[], weeklyForDays?: number) {
  await using s = await collectScene({ env: { SERVE: "core,search", ...settings } });
  const ends = addMs(s.deps.now(), (weeklyForDays ?? 0) * DAY_MS);
  const { body } = await s.owner.post(`${s.workspace.path}/search-analyses/price`, {
    name: "Phones",
    website: "https://acme.test",
    brand_id: s.brandId,
    sources: ["ASSISTANT_B"],
    thematics: [{ name: "Phones", topics: [{ name: "All", keywords }] }],
    ...(weeklyForDays === undefined ? {} : { schedule: "weekly", ends_at: ends }),
  });
  const said = body.presentation.split("\n").find((line: string) => line.startsWith("Providers"));
  return { usd: body.cost.estimated_provider_cost_usd, said };
}

test("the quote of a search analysis includes the provider's keyword costs", async () => {
  const said = "Providers are expected to charge the operator about $0.06 besides.";
  expect(await estimate(DATAFORSEO.env, TWO)).toEqual({ usd: 0.06, said });
  expect((await estimate(BOTH, TWO)).usd).toBeCloseTo(0.06 + 2 * 0.0027, 9);
});

test("keyword data costs nothing without a provider, if disabled, or if the setup has it", async () => {
  expect(await estimate({}, TWO)).toEqual({ usd: 0, said: undefined });
  expect((await estimate({ ...DATAFORSEO.env, DATAFORSEO_KEYWORDS: "off" }, TWO)).usd).toBe(0);
  const known = { text: "best phone", search_volume: 10, related_queries: [{ query: "phone" }] };
  expect((await estimate(DATAFORSEO.env, [known])).usd).toBe(0);
  expect((await estimate(BOTH, [known, { text: "cheap phone" }])).usd).toBeCloseTo(0.06 + 0.0027, 9);
});

test("keyword data is paid again after each collect at which it is older than 30 days", async () => {
  // With weekly collects: the fifth after the first, and the fifth after that.
  expect((await estimate(DATAFORSEO.env, TWO, 29)).usd).toBeCloseTo(0.06, 9);
  expect((await estimate(DATAFORSEO.env, TWO, 75)).usd).toBeCloseTo(3 * 0.06, 9);
});
