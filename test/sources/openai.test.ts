import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Question } from "../../src/outside/sources/provider.ts";
import { openai } from "../../src/outside/sources/openai.ts";
import { assistant, responseBody } from "../collecting/provider.ts";

const RECORDED = new URL("../../../shared/data/providers/", import.meta.url);
const recorded = existsSync(RECORDED);
if (!recorded) process.stdout.write("skipped: recorded provider bodies are not at ../shared/data/providers\n");

const QUESTION: Question = {
  prompt: "best phone",
  source: "ASSISTANT_A",
  run: 1,
  collectNumber: 1,
  thematic: "Phones",
  topic: "All",
  persona: "A student with little money",
  country: "DE",
  language: "de",
  brands: [],
};

async function ask(body: unknown, env: Record<string, string> = {}) {
  await using server = await assistant(() => ({ body }));
  const provider = openai.open({ ...server.env, ...env }, { concurrency: 1 });
  const answer = await provider?.ask(QUESTION, { signal: AbortSignal.timeout(2000) });
  if (!answer) throw new Error("the provider is not configured");
  return { answer, request: server.requests[0] };
}

test("the question carries place, language and persona, and never the brands", async () => {
  const { request } = await ask(responseBody("Text"));
  expect(request?.body).toEqual({
    model: "test-model",
    input: "best phone",
    instructions: "Answer in this language: de.\nWho asks: A student with little money",
    tools: [{ type: "web_search", user_location: { type: "approximate", country: "DE" } }],
    include: ["web_search_call.action.sources"],
    store: false,
  });
});

test("an answer without text, one that is not finished, and one that is no Responses body are refused", async () => {
  await expect(ask(responseBody(" "))).rejects.toMatchObject({ retryable: true });
  await expect(ask({ ...responseBody("Half"), status: "incomplete" })).rejects.toMatchObject({ retryable: false });
  await expect(ask({ choices: [] })).rejects.toMatchObject({ retryable: true });
});

test.skipIf(!recorded)(
  "a recorded answer gives its text, its citations in order, its model, tokens and cost",
  async () => {
    const raw = readFileSync(new URL("openai-web-search-tool.1.json", RECORDED), "utf8");
    const prices = { input_per_million: 0.25, output_per_million: 2, per_search: 0.01 };
    const { answer } = await ask(raw, { OPENAI_PRICES: JSON.stringify(prices) });
    expect(answer).toMatchObject({ model: "gpt-5-mini-2025-08-07", tokens: 23_454, rawBody: raw });
    // 19,681 tokens in, 3,773 out, one search.
    expect(answer.costUsd).toBeCloseTo(0.00492025 + 0.007546 + 0.01, 8);
    expect(answer.text.length).toBeGreaterThan(1000);
    expect(answer.citations.map(({ position }) => position)).toEqual(answer.citations.map((_, index) => index + 1));
    expect(answer.citations[0]).toEqual({
      position: 1,
      url: "https://www.theverge.com/podcast/838932/openai-chatgpt-code-red-vergecast",
      title: "Why OpenAI declared a code red for ChatGPT | The Verge",
    });
  },
);

const CASSETTES = [
  "test_openai_responses__test_openai_responses_model_web_search_tool.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_allowed_domains.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_user_location.yaml",
];

test.skipIf(!recorded).each(CASSETTES)("every recorded answer of %s can be read", async (file) => {
  const cassette = parse(readFileSync(new URL(file, RECORDED), "utf8")) as {
    interactions: { response: { parsed_body: { model: string } } }[];
  };
  expect(cassette.interactions.length).toBeGreaterThan(0);
  for (const { response } of cassette.interactions) {
    const { answer } = await ask(response.parsed_body);
    expect(answer.model).toBe(response.parsed_body.model);
    expect(answer.text).not.toBe("");
    expect(answer.tokens).toBeGreaterThan(100);
  }
});
