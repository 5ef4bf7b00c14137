import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { askProvider, settleAnswer } from "./ask-provider.ts";
import { isRecordingMissing, RECORDED_FOLDER } from "./recorded-bodies.ts";
import { MISTRAL } from "./mistral-cases.ts";

const VARIANTS = "conversations-web-search-variants.json";

test.skipIf(isRecordingMissing)("reads each recorded variant of a conversation, or reports its error", async () => {
  const variants = JSON.parse(readFileSync(new URL(`mistral/${VARIANTS}`, RECORDED_FOLDER), "utf8")) as {
    body: unknown;
  }[];
  const read = await Promise.all(
    variants.map(async ({ body: one }) => {
      const { answer, failure } = await settleAnswer(askProvider(MISTRAL, [{ body: one }]));
      return answer
        ? [answer.text, answer.citations.length, answer.queries, answer.retrieved?.map(({ url }) => url)]
        : (failure as { kind: string }).kind;
    }),
  );
  expect(read).toEqual([
    ["Spain won.", 1, [], ["https://example.com"]],
    ["Spain won.", 1, ["latest results"], []],
    ["Hello", 2, [], []],
    ["Answer", 1, [], []],
    "unavailable",
  ]);
});
