import { expect, test } from "vitest";
import { QUOTE_KINDS } from "../../core/credits/credits.ts";
import { toToolName } from "../../tools/endpoint.ts";
import { getCreation } from "../../tools/quotes/creations.ts";
import { OPERATION_BY_QUOTE_KIND } from "../../tools/quotes/quote.ts";
import { setupOf, TESTED_KINDS } from "../analyses/analysis-setups.ts";
import { evaluationScene, PAGE } from "../assets/evaluation-scene.ts";
import { formOf, MP4 } from "../assets/files.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITH_WORKER } from "../support/world.ts";

type Fields = Record<string, unknown>;

/** An assistant without forms, in a workspace with two brands and a text. */
async function scene(env: Record<string, string> = {}) {
  const s = await evaluationScene({ env });
  const rival = await s.owner.post(`${s.workspace.path}/brands`, { name: "Bravo" });
  const assetId = await s.addText("Page", PAGE);
  const { token } = await mintToolToken(s.w, s.owner);
  const [connect] = Object.values(CLIENTS);
  const client = await connect?.(s.w.config.mcpUrl, { token });
  const ids = { organization: s.organization.id, workspace: s.workspace.id };
  const call = async (name: string, given: Fields) => {
    const answer = await client?.call(name, { ...ids, ...given });
    return answer?.isError ? JSON.parse(answer.text) : answer?.structured;
  };
  const { brand_id: own, ...evaluation } = s.setupOf([assetId]);
  const setups: Record<string, Fields> = {
    asset_evaluation: { ...evaluation, brand_id: own },
    ...Object.fromEntries(TESTED_KINDS.map((kind) => [kind.type, setupOf(kind, { own, rival: rival.body.id })])),
  };
  return {
    ...s,
    assetId,
    rivalId: rival.body.id as string,
    call,
    setups,
    async [Symbol.asyncDispose]() {
      await client?.[Symbol.asyncDispose]();
      await s[Symbol.asyncDispose]();
    },
  };
}

const proceed = (call: string) =>
  `Show the person the presentation, and wait for an explicit yes. Only then call ${call} this quote_id and confirmed: true.`;
const stop = (call: string) =>
  `Do not call ${call}: obstacle says why. Show it to the person, and price another setup only if they ask.`;

test("a price that can be paid leads to its creation, an evaluation that runs again to its rerun", async () => {
  await using s = await scene(WITH_WORKER);
  const next: Record<string, unknown> = {};
  for (const [kind, setup] of Object.entries(s.setups)) {
    const { notes, obstacle } = await s.call(`price_${kind}`, setup);
    next[kind] = [notes[0], obstacle];
  }
  const { id } = (await s.create([s.assetId])).body;
  await s.until(id);
  const rerun = await s.call("price_asset_evaluation", { evaluation: id });
  expect({ ...next, rerun: [rerun.notes[0], rerun.obstacle] }).toEqual({
    asset_evaluation: [proceed("create_asset_evaluation with"), null],
    search_analysis: [proceed("create_search_analysis with"), null],
    brand_analysis: [proceed("create_brand_analysis with"), null],
    rerun: [proceed(`rerun_asset_evaluation with evaluation ${id},`), null],
  });
  const { quote_id } = rerun;
  expect(await s.call("create_asset_evaluation", { quote_id, confirmed: true })).toEqual({
    code: "NOT_FOUND",
    message: "This quote is for rerun_asset_evaluation. Send it there, or request a price for this call.",
    retryable: false,
    hint: "A quote comes from price_asset_evaluation.",
  });
  const created = await s.call("price_asset_evaluation", s.setups["asset_evaluation"] ?? {});
  expect(
    await s.call("rerun_asset_evaluation", { evaluation: id, quote_id: created.quote_id, confirmed: true }),
  ).toEqual({
    code: "NOT_FOUND",
    message: "This quote is for create_asset_evaluation. Send it there, or request a price for this call.",
    retryable: false,
    hint: "A quote comes from price_asset_evaluation with evaluation.",
  });
  expect(await s.call("rerun_asset_evaluation", { evaluation: id, quote_id, confirmed: true })).toMatchObject({
    run: 2,
  });
});

test("a price beyond the credits or the monthly cap names the obstacle instead of the creation", async () => {
  await using s = await scene();
  await s.owner.patch(s.organization.path, { monthly_credit_cap: 0 });
  for (const [kind, setup] of Object.entries(s.setups)) {
    const { notes, obstacle } = await s.call(`price_${kind}`, setup);
    expect([notes[0], obstacle]).toEqual([
      stop(`create_${kind}`),
      expect.stringContaining("and the monthly cap leaves 0. Make the setup smaller"),
    ]);
  }
  await s.w.store.write(async ({ q, t }) => void (await q.update(t.creditBalances).set({ available: 0 })));
  const { notes, obstacle } = await s.call("price_search_analysis", s.setups["search_analysis"] ?? {});
  expect([notes[0], obstacle]).toEqual([
    stop("create_search_analysis"),
    "This costs 4 credits: more than are available. Make the setup smaller, or ask an owner for more credits.",
  ]);
});

test("a price whose sources or assets nothing can reach names the obstacle", async () => {
  await using s = await scene({ SIMULATION: "0" });
  const video = (await s.owner.post(`${s.workspace.path}/assets`, formOf(MP4, "a.mp4"))).body.id as string;
  const setups = { ...s.setups, asset_evaluation: { ...s.setups["asset_evaluation"], asset_ids: [video] } };
  const obstacles: Record<string, unknown> = {};
  for (const [kind, setup] of Object.entries(setups)) {
    const { notes, obstacle } = await s.call(`price_${kind}`, setup);
    expect(notes[0]).toBe(stop(`create_${kind}`));
    obstacles[kind] = obstacle;
  }
  const noSource =
    "None of the sources has a provider here, so each prompt would fail. Choose other sources; list_sources shows them.";
  expect(obstacles).toEqual({
    asset_evaluation: "rules-1 cannot score video assets. Choose other assets.",
    search_analysis: noSource,
    brand_analysis: noSource,
  });
});

test("a setup that changed after its price is priced again, not confirmed again", async () => {
  await using s = await scene();
  const quotes = new Map<string, string>();
  for (const [kind, setup] of Object.entries(s.setups)) {
    quotes.set(kind, (await s.call(`price_${kind}`, setup)).quote_id as string);
  }
  await s.owner.delete(`${s.workspace.path}/brands/${s.rivalId}`);
  await s.owner.post(`${s.workspace.path}/assets/${s.assetId}/archive`);
  const noBrand = "is not a brand of this workspace; list_brands gives the ids";
  for (const [kind, field] of [
    ["search_analysis", { path: "competitor_ids.0", message: noBrand }],
    ["brand_analysis", { path: "competitor_ids.0", message: noBrand }],
    ["asset_evaluation", { path: "asset_ids.0", message: "is archived" }],
  ] as const) {
    expect(await s.call(`create_${kind}`, { quote_id: quotes.get(kind), confirmed: true })).toEqual({
      code: "PRICE_CHANGED",
      message:
        "The setup does not apply any more: the named fields have changed since it was priced. Correct them, request a new price, show it, and confirm again.",
      retryable: false,
      hint: `Call price_${kind} for a new quote, show it, and wait for a yes.`,
      fields: [field],
    });
  }
});

test("each kind of quote names the operation that uses it", () => {
  const names = QUOTE_KINDS.map((kind) => [kind, toToolName(getCreation({ kind, setup: {} }).endpoint)]);
  expect(Object.fromEntries(names)).toEqual(OPERATION_BY_QUOTE_KIND);
});
