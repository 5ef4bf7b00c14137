import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compatibleProvider } from "../../src/outside/sources/providers/compatible.ts";
import { askProvider } from "./ask-provider.ts";
import { isRecordingMissing, RECORDED_FOLDER } from "./recorded-bodies.ts";
import { COMPATIBLE } from "./compatible-cases.ts";

interface Chat {
  /** Seconds since 1970. */
  created: number;
}

/** The chat completion in a recorded file, or the first of several exchanges. */
function chatIn(file: string): Chat {
  const held = parse(readFileSync(new URL(file, RECORDED_FOLDER), "utf8")) as
    | { interactions: [{ response: { parsed_body: Chat } }] }
    | Chat;
  return "interactions" in held ? held.interactions[0].response.parsed_body : held;
}

/** Chat completions of other vendors, with how many pages each cites. */
const RECORDED_CHATS: readonly [string, number][] = [
  ["perplexity-citations.json", 6],
  ["perplexity-text.json", 5],
  ["test_openrouter__test_openrouter_web_search_annotations.yaml", 5],
  ["test_openai__test_openai_web_search_tool_with_user_location.yaml", 0],
];

test.skipIf(isRecordingMissing).each(RECORDED_CHATS)("reads the recorded chat completion %s", async (file, cited) => {
  const { answer } = await askProvider(COMPATIBLE, [{ body: chatIn(file) }]);
  expect(answer.text.length).toBeGreaterThan(20);
  expect(answer.tokens).toBeGreaterThan(100);
  expect(new Set(answer.citations.map(({ url }) => url)).size).toBe(cited);
  for (const { spans = [] } of answer.citations) {
    for (const { start, end } of spans) expect(answer.text.slice(start, end)).toMatch(/^\[\d+\]$/);
  }
});

test.skipIf(isRecordingMissing)("declares the date of the newest recorded chat completion", () => {
  const newest = Math.max(...RECORDED_CHATS.map(([file]) => chatIn(file).created));
  expect(compatibleProvider.recordedOn).toBe(new Date(newest * 1000).toISOString().slice(0, 10));
});
