import { expect, test } from "vitest";
import { findContradictedFacts, findWrongFacts } from "../../core/actions/rules/fact-rule.ts";
import type { FactWithClaims, FactClaim } from "../../core/actions/opinion-view.ts";
import { buildPhrases } from "../../core/actions/phrases/build-phrases.ts";
import { createOpinionView } from "./opinions.ts";
import { createRuleInput, createCollectView } from "./collect-view.ts";

const INPUT = createRuleInput(createCollectView(1, []), []);
const WIKI = "https://wiki.test/own";

/** A fact with contradicting and agreeing answers, over three prompts. */
function fact(contradicted: number, agreed: number, prompts = 3): FactWithClaims {
  const claims = Array.from({ length: contradicted + agreed }, (_, key): FactClaim => {
    const isWrong = key < contradicted;
    return { source: "ASSISTANT_A", prompt: key % prompts, key, value: isWrong ? 1 : 0, url: isWrong ? WIKI : null };
  });
  return { id: "f1", attribute: "founded", declaredValue: "2012", claims };
}

const isWrong = (...of: Parameters<typeof fact>) => findContradictedFacts({ facts: [fact(...of)] }).length === 1;

test("a fact is wrong from three answers to two prompts, and a tenth of those about it", () => {
  expect(isWrong(3, 0)).toBe(true);
  expect(isWrong(2, 0)).toBe(false);
  expect(isWrong(3, 27)).toBe(true);
  expect(isWrong(3, 28)).toBe(false);
  expect(isWrong(3, 0, 1)).toBe(false);
  expect(isWrong(0, 40)).toBe(false);
});

test("the evidence has the declared value, the contradicting sentence, and its cited page", () => {
  const texts = Array.from({ length: 6 }, (_, prompt) => ({ prompt: prompt % 3, text: "Own was founded in 1999." }));
  const { view, opened } = createOpinionView(texts, { facts: [fact(4, 2)] });
  const sentences = new Map([["f1", new Map(texts.map(({ text }, key) => [key, text]))]]);
  const [found] = findWrongFacts(INPUT, view, { contradictedFacts: findContradictedFacts(view), opened, sentences });
  expect(found).toMatchObject({ subject: "fact:f1", subjectName: "founded", gap: 4 / 6, answers: 6, reach: 1 });
  const told = found?.evidence.map(({ counted, answers, occurrences, url, keyword_id, answer_ids }) => {
    return [counted, answers, occurrences, url ?? keyword_id, answer_ids];
  });
  expect(told).toEqual([
    [true, 6, 4, null, ["a0", "a1", "a2", "a3"]],
    [false, 4, 4, WIKI, ["a0", "a1", "a2", "a3"]],
    [false, 2, 2, "p0", ["a0", "a3"]],
    [false, 2, 1, "p1", ["a1"]],
    [false, 2, 1, "p2", ["a2"]],
  ]);
  expect(found?.evidence[0]?.opinion).toMatchObject({
    kind: "fact",
    about: "founded",
    fact_id: "f1",
    declared: "2012",
    said: "Own was founded in 1999.",
    prompts: 3,
    value: 4 / 6,
  });
  if (!found) throw new Error("no finding");
  expect(buildPhrases(found, { own: "Own", promptNoun: "prompt" })).toMatchObject({
    category: "outreach",
    actionLabel: "Correct what answers say about “founded”",
    reasoning:
      "4 of 6 answers about this fact (67 %) contradict it, to 3 prompts. One answer says: “Own was founded in 1999.”. Cited for it: “https://wiki.test/own” (4).",
  });
});
