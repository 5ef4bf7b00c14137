import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchShare, parseConcept, scoreText } from "../../core/assets/score-text.ts";
import { foldWords, splitSentences, stemWord } from "../../core/assets/sentences.ts";
import type { Criteria } from "../../core/assets/scorer.ts";
import { OFF_TOPIC, PAGE } from "./evaluation-scene.ts";

const criteria: Criteria = {
  category: "running shoes",
  attributes: ["durability"],
  brandNames: ["Acme"],
  language: "en",
};

/** The scores of a text that is judged. */
function scoresOf(text: string, changed: Partial<Criteria> = {}) {
  const judgement = scoreText(text, { ...criteria, ...changed });
  if (judgement.kind !== "judged") throw new Error(judgement.reason);
  const attributes = judgement.attributes.map((mark) => (mark.status === "judged" ? mark.score : mark.reason));
  return { overall: judgement.overall.score, attributes, judgement };
}

test.each([
  ["durability", "The sole is durable.", 1],
  ["durability", "It endures.", 0],
  ["price / value for money", "Its value for the money is high.", 1],
  ["price / value for money", "Prices begin at 20.", 1],
  ["value for money", "It costs little money.", 0.5],
  ["Qualité", "La qualite est bonne.", 1],
  ["Haltbarkeit", "Die Haltbarkeit der Sohle", 1],
  ["耐久性", "この靴の耐久性は高い", 1],
  ["耐久性", "この靴は軽い", 0],
])("%s in %j counts %s", (attribute, text, share) => {
  expect(matchShare(parseConcept(attribute), { stems: foldWords(text).map(stemWord), text })).toBe(share);
});

test("detects headings, list items, questions and evidence, with exact offsets", () => {
  const text = "# Is it light?\n\n- Weighs 240 g. Really.\nSee https://acme.test/a.b for more! v1.2 is new";
  const told = splitSentences(text).map(({ kind, isQuestion, hasEvidence, start, end }) => {
    return [kind, isQuestion, hasEvidence, text.slice(start, end)];
  });
  expect(told).toEqual([
    ["heading", true, false, "Is it light?"],
    ["item", false, true, "Weighs 240 g."],
    ["item", false, false, "Really."],
    ["plain", false, true, "See https://acme.test/a.b for more!"],
    ["plain", false, false, "v1.2 is new"],
  ]);
});

test("the formula gives the results in docs/evaluations.md", () => {
  const { overall, attributes, judgement } = scoresOf(PAGE);
  // Coverage: two sentences of three wanted. Directness: one direct, without the brand. One heading
  // has figures.
  expect(attributes).toEqual([57]);
  expect(judgement.attributes[0]).toMatchObject({
    explanation:
      "2 sentences speak of it (23 of 35); 1 direct statement, 0 with the brand (14 of 20); 0 with figures or sources (0 of 25); 1 heading and 0 list items name it (20 of 20).",
  });
  expect(overall).toBe(85);
  expect(scoresOf(OFF_TOPIC)).toMatchObject({ attributes: [0] });
});

test("more coverage, evidence, structure or naming never lowers a score", () => {
  const base = scoresOf(PAGE);
  const more = scoresOf(`${PAGE}\n\nAcme is durable: 94% of 1200 testers say so.`);
  expect(more.attributes[0]).toBeGreaterThan(Number(base.attributes[0]));
  expect(more.overall).toBeGreaterThanOrEqual(base.overall);
  expect(scoresOf(OFF_TOPIC, { brandNames: ["Bakery"] }).overall).toBeGreaterThan(scoresOf(OFF_TOPIC).overall);
});

test("empty or short texts, and attributes without a searchable word, are not judged, with a reason", () => {
  expect(scoreText(" \n", criteria)).toEqual({ kind: "not_judged", reason: "It has no readable text." });
  expect(scoreText("Too short.", criteria)).toEqual({ kind: "not_judged", reason: "It has fewer than 20 words." });
  expect(scoresOf(PAGE, { attributes: ["very good"] }).attributes).toEqual([
    "The attribute has no word to search for.",
  ]);
});

test("for any text, scores are 0 to 100 and deterministic, and quotes occur in it", () => {
  const piece = fc.constantFrom(
    "# ",
    "- ",
    "durable",
    "running shoes",
    "Acme",
    "12 %",
    ". ",
    "?\n",
    "\n\n",
    "é",
    "靴",
    "\u{1F600}",
  );
  const texts = fc.array(fc.oneof(piece, fc.string({ unit: "grapheme" })), { minLength: 30, maxLength: 200 });
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.join(" ");
      const judgement = scoreText(text, criteria);
      expect(scoreText(text, criteria)).toEqual(judgement);
      if (judgement.kind === "not_judged") return;
      const marks = judgement.attributes.filter((mark) => mark.status === "judged");
      for (const { score, quotes } of [judgement.overall, ...marks]) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        for (const quote of quotes) expect(text.slice(quote.start, quote.end)).toBe(quote.text);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});

test("the largest text is judged without holding up the process", { timeout: 5000 }, () => {
  const text = "Acme running shoes are durable and cost 120 € at most, say 94% of 1200 runners in our test! ".repeat(
    11_000,
  );
  const { judgement } = scoresOf(text, { attributes: ["durability", "price", "comfort", "weight", "grip", "looks"] });
  expect(judgement.overall.explanation).toContain("Only the first 100000 characters were read.");
  // A line without sentence end must not cost more than one with it.
  scoreText(`${"word.word".repeat(11_000)} ${"a".repeat(1000)}`, criteria);
});
