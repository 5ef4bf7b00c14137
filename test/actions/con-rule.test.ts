import { expect, test } from "vitest";
import { findCons, findFrequentCons } from "../../core/actions/rules/con-rule.ts";
import { buildPhrases } from "../../core/actions/phrases/build-phrases.ts";
import { PROMPT_KINDS, type PromptKind } from "../../core/prompts/brand-prompt.ts";
import { createOpinionView, type OpinionAnswer } from "./opinions.ts";
import { createRuleInput, createCollectView } from "./collect-view.ts";

const INPUT = createRuleInput(createCollectView(1, []), []);
const SHORT = "Short battery life ([Labs](https://labs.test/own?utm_source=x)).";
const BRANDS = new Set([1]);

/** One answer with the con per prompt, and others that only name the brand. */
function answers(prompts: number, others: number, more: Partial<OpinionAnswer> = {}): OpinionAnswer[] {
  return [
    ...Array.from({ length: prompts }, (_, prompt) => ({ prompt, text: SHORT, cons: ["battery life"], ...more })),
    ...Array.from({ length: others }, (_, at) => ({ prompt: at % 7, text: "Own." })),
  ];
}

const heads = (all: OpinionAnswer[]) => findCons(INPUT, createOpinionView(all).view).map(({ headNoun }) => headNoun);

test("a con is an action from five answers to five prompts, and a tenth of the answers with the brand", () => {
  expect(heads(answers(5, 45))).toEqual(["battery life"]);
  expect(heads(answers(5, 46))).toEqual([]);
  expect(heads(answers(4, 0))).toEqual([]);
  // Five answers to four prompts.
  expect(heads([...answers(4, 3), { prompt: 0, text: SHORT, cons: ["battery life"] }])).toEqual([]);
});

test("ignores cons in answers that ask for cons or are about an invented name", () => {
  const { view } = createOpinionView(answers(5, 0));
  const asked = view.prompts.map((prompt, at) => ({ ...prompt, questions: at === 0 ? [] : prompt.questions }));
  expect(findCons(INPUT, { ...view, prompts: asked })).toEqual([]);
});

test("counts the answers of brand perception: unaided, aided and perception prompts that do not ask for cons", () => {
  const { view } = createOpinionView(answers(6, 0));
  const countedOf = (kind: PromptKind, asksProsCons = false) => {
    const prompts = view.prompts.map((prompt, at) => (at === 5 ? { ...prompt, kind, asksProsCons } : prompt));
    return findCons(INPUT, { ...view, prompts }).map(({ counted }) => counted.length);
  };
  expect(PROMPT_KINDS.map((kind) => [kind, countedOf(kind)])).toEqual([
    ["unaided", [6]],
    ["aided", [6]],
    ["perception", [6]],
    ["attribute", [5]],
    ["comparison", [5]],
  ]);
  expect(countedOf("perception", true)).toEqual([5]);
});

test("a prompt in several countries counts once", () => {
  const { view } = createOpinionView(answers(5, 0));
  const [first, second, ...rest] = view.prompts;
  const prompts = [{ ...first, questions: [0, 1] }, ...rest] as typeof view.prompts;
  expect(second).toBeDefined();
  expect(findCons(INPUT, { ...view, prompts })).toEqual([]);
});

test("opens the answers of ten cons, thirty spread over each", () => {
  const cons = Array.from({ length: 12 }, (_, at) => `con ${String(at).padStart(2, "0")}`);
  const { view } = createOpinionView(Array.from({ length: 60 }, (_, prompt) => ({ prompt, text: SHORT, cons })));
  const everyOther = Array.from({ length: 30 }, (_, at) => 2 * at);
  expect(findCons(INPUT, view).map(({ headNoun, openedKeys }) => ({ head: headNoun, openedKeys }))).toEqual(
    cons.map((head, at) => ({ head, openedKeys: at < 10 ? everyOther : [] })),
  );
});

test("the evidence has the answers by source, the pages cited for the con, and the prompts", () => {
  const own = "Short battery life ([Own](https://own.test/phone)).";
  const all = [
    ...answers(5, 5),
    { prompt: 5, text: own, cons: ["battery life"], source: "ASSISTANT_B" as const },
    { prompt: 6, text: "It does not last ([Labs](https://labs.test/own)).", cons: ["battery life"] },
  ];
  const { view, opened } = createOpinionView(all);
  const [found] = findFrequentCons(INPUT, view, { cons: findCons(INPUT, view), opened, ownNumbers: BRANDS });
  expect(found).toMatchObject({ subject: "con:battery life", gap: 7 / 12, answers: 12, reach: 1, keywords: [] });
  const told = found?.evidence.map(({ counted, source, answers: n, occurrences, domain, url, brand, keyword_id }) => {
    return { counted, source, n, occurrences, domain, url, brand, keyword_id };
  });
  const row = { counted: false, source: null, domain: null, url: null, brand: null, keyword_id: null };
  expect(told).toEqual([
    { ...row, counted: true, n: 12, occurrences: 7 },
    { ...row, source: "ASSISTANT_A", n: 11, occurrences: 6 },
    { ...row, source: "ASSISTANT_B", n: 1, occurrences: 1 },
    { ...row, n: 6, occurrences: 6, domain: "labs.test", url: "https://labs.test/own?utm_source=x" },
    { ...row, n: 1, occurrences: 1, domain: "own.test", url: "https://own.test/phone", brand: "Own" },
    ...[0, 1, 2, 3, 4].map((at) => ({ ...row, n: 2, occurrences: 1, keyword_id: `p${at}` })),
  ]);
  expect(found?.evidence[0]).toMatchObject({
    answer_ids: ["a0", "a1", "a2", "a3", "a4"],
    opinion: { kind: "con", about: "battery life", said: SHORT, prompts: 7, value: 7 / 12 },
  });
  if (!found) throw new Error("no finding");
  const words = buildPhrases(found, { own: "Own", promptNoun: "prompt" });
  expect(words).toMatchObject({ category: "outreach", actionLabel: `Address a complaint: “${SHORT}”` });
  expect(words.reasoning).toBe(
    "7 of 12 answers that mention Own (58 %) mention this con, to 7 prompts that did not ask for cons, a comparison or an attribute. Cited for it: “https://labs.test/own?utm_source=x” (6), “https://own.test/phone” (1).",
  );
});
