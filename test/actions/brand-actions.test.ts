import { expect, test } from "vitest";
import { brandScene } from "../support/brand-scene.ts";
import { waitForBackgroundWork } from "./wait-for-background-work.ts";

const PROMPTS = Array.from({ length: 8 }, (_, at) => ({ kind: "unaided", text: `Which phone ${at}?` }));

/** Eight unaided prompts in two countries and as two personas, which are answered with `text`. */
async function scene(text: string) {
  const texts = new Map(PROMPTS.map((prompt) => [prompt.text, text]));
  const s = await brandScene(texts);
  const analysis = await s.analyse(PROMPTS);
  await waitForBackgroundWork(s.store);
  const actions = `${s.workspace.path}/recommended-actions`;
  return {
    ...s,
    analysis,
    actions,
    /** Collects once more, with another answer to the first `most` prompts. */
    async collect(say: string, most: number, number = 2) {
      for (const prompt of PROMPTS.slice(0, most)) texts.set(prompt.text, say);
      const collect = await s.again(analysis, number);
      await waitForBackgroundWork(s.store);
      return collect.id as string;
    },
    listed: async () => (await s.owner.get(`${actions}?limit=100`)).body.data,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("a brand analysis counts prompts without the brand once, over countries and personas", async () => {
  // Fault: brand analyses had no actions.
  await using s = await scene("1. Rival\n2. Stranger");
  const [action, ...others] = await s.listed();
  expect(others).toEqual([]);
  const whole = (await s.owner.get(`${s.actions}/${action.id}`)).body;
  expect(whole).toMatchObject({ action_label: "Get mentioned for phones in assistants", evidence_count: 8 });
  expect(whole.reasoning).toBe(
    "Answers to 8 prompts of phones in assistants do not mention Acme. A competitor, mostly Rival, is in 100 % of 32 answers.",
  );
  const prompts = (await s.owner.get(`${s.analysis}/prompts?limit=100`)).body.data;
  for (const { keyword, keyword_id, answer_ids, ...row } of whole.evidence) {
    const own = prompts.find((prompt: { text: string }) => prompt.text === keyword);
    expect(keyword_id).toBe(own.id);
    expect(row).toMatchObject({ topic_id: null, topic: null, answers: 4, occurrences: 0, brand_occurrences: 4 });
    expect(answer_ids).toHaveLength(4);
  }
});

test("one prompt in four countries counts once: a drop in six of eight is a first sign, not a loss", async () => {
  await using s = await scene("1. Acme\n2. Rival");
  expect(await s.listed()).toEqual([]);
  await s.collect("1. Rival\n2. Stranger", 6);
  expect((await s.listed()).map(({ rule }: { rule: string }) => rule)).toEqual(["competitor_present"]);
});
