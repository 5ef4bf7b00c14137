import { expect, test } from "vitest";
import { askProvider } from "./ask-provider.ts";
import { cassetteBodies, isRecordingMissing } from "./recorded-bodies.ts";
import { OPENAI } from "./openai-cases.ts";

const CASSETTES = [
  "test_openai_responses__test_openai_responses_model_web_search_tool.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_allowed_domains.yaml",
  "test_openai_responses__test_openai_responses_model_web_search_tool_with_user_location.yaml",
];

test.skipIf(isRecordingMissing).each(CASSETTES)("every recorded answer of %s can be read", async (file) => {
  const bodies = cassetteBodies<{ model: string }>(file);
  expect(bodies.length).toBeGreaterThan(0);
  for (const one of bodies) {
    const { answer } = await askProvider(OPENAI, [{ body: one }]);
    expect(answer.model).toBe(one.model);
    expect(answer.text).not.toBe("");
    expect(answer.tokens).toBeGreaterThan(100);
  }
});
