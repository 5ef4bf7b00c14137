import { expect, test } from "vitest";
import { PROJECT, searchWorld } from "../metrics/search-metrics-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

type Arguments = Record<string, unknown>;

/** A workspace with metrics, and a function that calls a tool in it. */
async function scene() {
  const w = await searchWorld();
  const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token: (await mintToolToken(w, w.owner)).token });
  if (!client) throw new Error("there is no such client");
  return {
    w,
    /** Structured result, or the error. */
    async answer(tool: string, given: Arguments) {
      const { isError, text, structured } = await client.call(tool, given);
      return isError ? JSON.parse(text) : structured;
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
    },
  };
}

const KEYWORDS = [{ text: "best machine" }];
const SETUP = {
  name: "Machines",
  website: "https://kestrova.example",
  brand: "Kestrova",
  sources: ["ASSISTANT_A", "ASSISTANT_B"],
  thematics: [{ name: "Home", topics: [{ name: "First", keywords: KEYWORDS }] }],
  runs_per_prompt: 2,
  ends_at: "2027-01-31T00:00:00Z",
  schedule: { every: "weekly", weekday: "friday", at: "09:00" },
};

/**
 * Calls as clients were recorded to send them, next to what they mean: Claude Code and Claude
 * Desktop send text for lists, objects, numbers and booleans; Cursor "" and ChatGPT null for
 * parameters that are left out; Gemini one value for a list.
 */
const RECORDED: [client: string, tool: string, sent: Arguments, meant: Arguments][] = [
  ["Claude Code", "get_visibility", { sources: '["ASSISTANT_A"]' }, { sources: ["ASSISTANT_A"] }],
  ["Claude Code", "get_visibility", { group_by: '["brand","source"]' }, { group_by: ["brand", "source"] }],
  ["Claude Code", "get_visibility", { statistics: "true" }, { statistics: true }],
  ["Claude Code", "get_visibility", { statistics: "false", limit: "2" }, { statistics: false, limit: 2 }],
  ["Claude Code", "get_visibility", { basis: "FULL" }, { basis: "full" }],
  ["ChatGPT", "list_citations", { basis: null }, {}],
  ["Claude Code", "list_workspaces", { limit: "10" }, { limit: 10 }],
  ["Claude Code", "list_workspaces", { fields: '["id","name"]' }, { fields: ["id", "name"] }],
  ["Claude Code", "list_answers", { collect: 3 }, { collect: "3" }],
  ["Cursor", "list_workspaces", { cursor: "", fields: "", include_archived: "" }, {}],
  ["Cursor", "get_visibility", { sort: "", topics: "", statistics: "", brands: "", only: "" }, {}],
  ["Cursor", "list_top_brands", { organization: "", workspace: "", collect: "", sort_direction: "" }, {}],
  ["ChatGPT", "list_workspaces", { cursor: null, limit: null, fields: null, include_archived: null }, {}],
  ["ChatGPT", "get_visibility", { sources: null, group_by: null, statistics: null, collects: null, only: null }, {}],
  ["ChatGPT", "list_top_brands", { analysis: null, brands: null, keyword_types: null, limit: null }, {}],
  [
    "Gemini",
    "get_visibility",
    { sources: "ChatGPT", group_by: "source" },
    { sources: ["ChatGPT"], group_by: ["source"] },
  ],
  [
    "Gemini",
    "list_top_brands",
    { brands: "Kestrova", topics: "offices" },
    { brands: ["Kestrova"], topics: ["Offices"] },
  ],
  [
    "Gemini",
    "list_answers",
    { sources: "chatgpt", sort_direction: "ASC" },
    { sources: ["ChatGPT"], sort_direction: "asc" },
  ],
];

test("answers calls as Claude Code, Cursor, ChatGPT and Gemini send them like the calls that they mean", async () => {
  // Fault: VALIDATION_FAILED for each of them, which the client cannot avoid.
  await using s = await scene();
  for (const [client, tool, sent, meant] of RECORDED) {
    const expected = await s.answer(tool, meant);
    expect([client, tool, expected.code]).toEqual([client, tool, undefined]);
    expect([client, tool, await s.answer(tool, sent)]).toEqual([client, tool, expected]);
  }
});

test("prices a setup whose parts arrive as text like the setup itself", async () => {
  await using s = await scene();
  const { quote_id: _id, expires_at: _end, ...price } = await s.answer("price_search_analysis", SETUP);
  expect(price.code).toBe(undefined);
  const texts = Object.entries(SETUP).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const informal = {
    ...SETUP,
    website: "kestrova.example",
    sources: '["chatgpt", "PERPLEXITY"]',
    schedule: '{"every":"Weekly","weekday":"FRIDAY","at":"9:00"}',
    competitors: "",
    country: null,
  };
  for (const sent of [Object.fromEntries(texts), informal]) {
    const {
      quote_id: _sentId,
      expires_at: _sentEnd,
      ...same
    } = await s.answer("price_search_analysis", sent as Arguments);
    expect(same).toEqual(price);
  }
});

test("rejects ambiguous values, with sources by name and one rule for each field", async () => {
  // Fault: a schedule was "Invalid input", and sources had to be one of ASSISTANT_A, ASSISTANT_B, …
  await using s = await scene();
  const refused = async (change: Arguments) =>
    (await s.answer("price_search_analysis", { ...SETUP, ...change })).fields;
  const sources = [
    "Bing",
    "Bing AI answers",
    "ChatGPT",
    "Perplexity",
    "Google",
    "Google AI Overviews",
    "Google AI Mode",
    "Claude",
    "Gemini",
    "Amazon's assistant",
  ];
  expect(await refused({ sources: "Copilot" })).toEqual([
    { path: "sources.0", message: `must be one of ${sources.join(", ")}`, allowed: sources, allowed_count: 10 },
  ]);
  expect(await refused({ thematics: "Coffee" })).toEqual([{ path: "thematics", message: "must be a list" }]);
  expect(await refused({ runs_per_prompt: "two" })).toEqual([{ path: "runs_per_prompt", message: "must be a number" }]);
  const words = ["once", "daily", "weekly", "monthly"];
  const everyRule = { message: `must be one of ${words.join(", ")}`, allowed: words, allowed_count: 4 };
  expect(await refused({ schedule: "fortnightly" })).toEqual([{ path: "schedule", ...everyRule }]);
  expect(await refused({ schedule: { every: "yearly" } })).toEqual([{ path: "schedule.every", ...everyRule }]);
  expect(await refused({ website: "", brand: null })).toEqual([
    { path: "website", message: "is required" },
    { path: "brand", message: "is required" },
  ]);
});

test("takes `basis` in tools whose results have one, and only as full", async () => {
  await using s = await scene();
  const { fields: wrong } = await s.answer("get_visibility", { basis: "long" });
  expect(wrong).toEqual([{ path: "basis", message: "must be full", allowed: ["full"], allowed_count: 1 }]);
  const { fields: none } = await s.answer("list_brands", { basis: "full" });
  expect(none).toMatchObject([{ path: "basis", message: "is not a parameter of this tool" }]);
});

test("names a missing field in the hint of a creation only if the quote or confirmation is missing", async () => {
  await using s = await scene();
  const missing = await s.answer("create_search_analysis", {});
  expect(missing.fields.map(({ path }: { path: string }) => path)).toEqual(["quote_id", "confirmed"]);
  expect(missing.hint).toMatch(/^Show the person the presentation from price_search_analysis/);
  const unknown = await s.answer("create_search_analysis", { quote_id: PROJECT, confirmed: "true", random: "x" });
  expect([unknown.fields, unknown.hint]).toEqual([
    [expect.objectContaining({ path: "random", message: "is not a parameter of this tool" })],
    "Correct the named fields and call again.",
  ]);
});

test("takes prompt, run and model for keyword, collect and source, as parameters and values", async () => {
  await using s = await scene();
  const same: [string, Arguments, Arguments][] = [
    ["get_visibility", { models: ["chatgpt"], runs: ["3"] }, { sources: ["ChatGPT"], collects: ["3"] }],
    ["get_visibility", { model: "chatgpt", group_by: ["model"] }, { sources: ["ChatGPT"], group_by: ["source"] }],
    ["get_visibility", { group_by: "runs" }, { group_by: ["collect"] }],
    ["get_visibility", { group_by: "prompt", previous_runs: "2" }, { group_by: ["keyword"], previous_collects: ["2"] }],
    ["list_answers", { prompt: "machine for an office", run: 3 }, { keyword: "machine for an office", collect: "3" }],
    ["list_answers", { prompts: ["machine for an office"] }, { keyword: "machine for an office" }],
    ["get_visibility", { group_by: "model", fields: "models" }, { group_by: ["source"], fields: ["source"] }],
    [
      "list_top_brands",
      { prompts: "machine for an office", topic: "offices" },
      { keywords: ["machine for an office"], topics: ["Offices"] },
    ],
  ];
  for (const [tool, sent, meant] of same) {
    const expected = await s.answer(tool, meant);
    expect([tool, meant, expected.code]).toEqual([tool, meant, undefined]);
    expect([tool, sent, await s.answer(tool, sent)]).toEqual([tool, sent, expected]);
  }
  const twice = await s.answer("list_answers", { prompt: "a", keyword: "b" });
  expect(twice.fields).toEqual([{ path: "keyword", message: "is given twice, under two names; use one of them" }]);
});
