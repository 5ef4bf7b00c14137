import { expect, test } from "vitest";
import { findPreferredCompetitors } from "../../core/actions/rules/preferred-competitors.ts";
import { findLossesToRivals } from "../../core/actions/rules/preference-rule.ts";
import { buildPhrases } from "../../core/actions/phrases/build-phrases.ts";
import { BRAND_NUMBERS, createOpinionView, type OpinionAnswer } from "./opinions.ts";
import { runSteps, createRuleInput, RIVAL, createCollectView } from "./collect-view.ts";

const INPUT = createRuleInput(createCollectView(1, []), []);
const [OURS, THEIRS] = [1, 2];
const SENTENCE = "Rival is cheaper than Own ([Labs](https://labs.test/price)).";

/** Prompts in which the own brand wins and loses in an aspect. */
function compared(
  aspect: string | null,
  wins: number,
  losses: number,
  more: Partial<OpinionAnswer> = {},
): OpinionAnswer[] {
  return Array.from({ length: wins + losses }, (_, prompt) => {
    const [better, worse] = prompt < wins ? [OURS, THEIRS] : [THEIRS, OURS];
    return { prompt, text: SENTENCE, prefers: [[better, worse, aspect]], ...more };
  });
}

function findLost(answers: OpinionAnswer[], attributes: string[] = []) {
  const { view } = createOpinionView(answers, { attributes });
  const found = runSteps(findLossesToRivals(INPUT, view));
  return found.map((one) => `${one.about ?? one.source} of ${one.rivalId}`);
}

test("a competitor is preferred if the interval of the win rate is below one half and the own brand leads elsewhere", () => {
  expect(findLost([...compared("price", 0, 6), ...compared("camera", 6, 0)])).toEqual([`price of ${RIVAL}`]);
  // Two wins of six: the interval includes one half.
  expect(findLost([...compared("price", 2, 4), ...compared("camera", 6, 0)])).toEqual([]);
  // Four prompts have no interval.
  expect(findLost([...compared("price", 0, 4), ...compared("camera", 6, 0)])).toEqual([]);
  // Nowhere ahead: it is not the price.
  expect(findLost([...compared("price", 0, 6), ...compared("camera", 3, 3)])).toEqual([]);
  // Four prompts are too few.
  expect(findLost([...compared("price", 0, 6), ...compared("camera", 4, 0)])).toEqual([]);
});

test("ignores prompts that name only one of the two brands", () => {
  const { view } = createOpinionView([...compared("price", 0, 6), ...compared("camera", 6, 0)]);
  const about = view.prompts.map((prompt) => ({ ...prompt, brandIds: [RIVAL] }));
  expect(runSteps(findLossesToRivals(INPUT, { ...view, prompts: about }))).toEqual([]);
});

test("one source can prefer a competitor that others do not", () => {
  const there = { source: "ASSISTANT_B" as const };
  const picked = [...compared(null, 6, 0), ...compared(null, 0, 6, there)];
  expect(findLost(picked)).toEqual([`ASSISTANT_B of ${RIVAL}`]);
  // Better in an aspect is not preferred.
  expect(findLost([...compared("price", 6, 0), ...compared("price", 0, 6, there)])).toEqual([]);
});

/** Prompts that score the weight of both brands, one clause each. */
function scored(own: number, rival: number, prompts = 10): OpinionAnswer[] {
  return Array.from({ length: prompts }, (_, prompt) => {
    return {
      prompt,
      text: "Own is heavy.",
      scores: [
        [OURS, "weight", own + (prompt % 2)],
        [THEIRS, "weight", rival + (prompt % 2)],
      ],
    };
  });
}

test("an attribute is behind if the intervals of both scores do not overlap, from ten clauses on", () => {
  const ahead = compared("camera", 6, 0);
  expect(findLost([...scored(-3, 2), ...ahead], ["weight"])).toEqual([`weight of ${RIVAL}`]);
  expect(findLost([...scored(1, 1), ...ahead], ["weight"])).toEqual([]);
  expect(findLost([...scored(-3, 2, 9), ...ahead], ["weight"])).toEqual([]);
});

test("the evidence has both preferences, the fields in which the own brand leads, and the sentences and pages", () => {
  const { view, opened } = createOpinionView([...compared("price", 1, 9), ...compared("camera", 6, 0)]);
  const facts = {
    lostFields: runSteps(findLossesToRivals(INPUT, view)),
    opened,
    familyOf: (id: string) => familyOf(id),
  };
  const [found] = findPreferredCompetitors(INPUT, view, facts);
  expect(found).toMatchObject({
    subject: `brand:${RIVAL}:about:price`,
    subjectName: "price",
    channel: "all",
    rival: "Rival",
    gap: 0.9,
    answers: 10,
    reach: 1,
  });
  const told = found?.evidence.map(({ counted, answers, occurrences, brand_occurrences, url, keyword_id, opinion }) => {
    return [counted, opinion?.about, answers, occurrences, brand_occurrences, opinion?.value, url ?? keyword_id];
  });
  expect(told).toEqual([
    [true, "price", 10, 1, 9, 0.1, null],
    [false, "camera", 6, 6, 0, 1, null],
    [false, "price", 9, 9, null, null, "https://labs.test/price"],
    ...[1, 2, 3, 4, 5].map((at) => [false, "price", 1, 0, 1, 0, `p${at}`]),
  ]);
  expect(found?.evidence[0]?.opinion).toMatchObject({ kind: "comparison", said: SENTENCE, prompts: 10 });
  expect(found?.evidence[0]?.answer_ids).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  if (!found) throw new Error("no finding");
  expect(buildPhrases(found, { own: "Own", promptNoun: "prompt" })).toMatchObject({
    actionLabel: "Be preferred to Rival for “price”",
    reasoning:
      "Own wins 1 and loses 9 of 10 comparisons with Rival for “price” (win rate 10 %, ties half). Own wins 6 and loses 0 of 6 comparisons with Rival for “camera” (win rate 100 %, ties half).",
  });
});

function familyOf(id: string): ReadonlySet<number> {
  return new Set([BRAND_NUMBERS.get(id) ?? 0]);
}
