import { expect, test } from "vitest";
import { isFieldMoving } from "../../core/statistics/field.ts";
import { chooseExtent, report } from "../support/proof.ts";
import { formatPercents } from "./figures.ts";
import { simulateTables } from "./market-changes.ts";

/** Changes of rivals over 40 prompts; `shift` is added to the first rival's. */
function rivals(shift: number) {
  return Array.from({ length: 8 }, (_, rival) => ({
    prompts: Array.from({ length: 40 }, (_at, prompt) => prompt),
    d: Array.from({ length: 40 }, (_at, prompt) => ((prompt * 7 + rival * 13) % 5) - 2 + (rival < 2 ? shift : 0)),
  }));
}

test("detects a move of the field when rivals shift together, and none when they vary around 0", () => {
  expect(isFieldMoving(40, rivals(0))).toBe(false);
  expect(isFieldMoving(40, rivals(1))).toBe(true);
});

test("gives the same result in any order of rivals, and ignores prompts without a difference", () => {
  const moved = rivals(1);
  expect(isFieldMoving(40, moved.toReversed())).toBe(true);
  const sparse = moved.map(({ prompts, d }) => {
    const named = prompts.filter((prompt) => d[prompt] !== 0);
    return { prompts: named, d: named.map((prompt) => d[prompt] ?? 0) };
  });
  expect(isFieldMoving(40, sparse)).toBe(true);
});

test("reports no field for one rival, or for rivals that differ in only three prompts", () => {
  expect(isFieldMoving(40, rivals(1).slice(0, 1))).toBe(false);
  expect(
    isFieldMoving(
      40,
      rivals(1).map(({ prompts, d }) => ({ prompts: prompts.slice(0, 3), d: d.slice(0, 3) })),
    ),
  ).toBe(false);
});

const LONG = 480_000;
const NOTHING = { drift: 0, move: 0 };

test(
  "calls one of 24 unchanged rivals changed in at most 6 of 100 tables, and the field in about five",
  () => {
    for (const prompts of chooseExtent([12, 40], [12])) {
      for (const [spread, shock] of chooseExtent(
        [
          [1, 1],
          [1.75, 1],
          [1.75, 2],
        ] as const,
        [[1.75, 1]] as const,
      )) {
        const market = { prompts, sources: 1, spread, shock };
        const { anyRival, anyUnadjusted, field, own, ownVoice, ownVoiceInSeries } = simulateTables(market, NOTHING, {
          tables: chooseExtent(5000, 60),
          seed: 11,
        });
        const words = `any rival ${formatPercents(anyRival)}, unadjusted ${formatPercents(anyUnadjusted)}; field ${formatPercents(field)}`;
        report(
          `unchanged, ${prompts} prompts, spread ${spread}, shock ${shock}: ${words}; own ${formatPercents(own)}, its share of voice ${formatPercents(ownVoice)}, against the mean of four ${formatPercents(ownVoiceInSeries)}`,
        );
        expect(anyRival).toBeLessThanOrEqual(chooseExtent(0.06, 0.1));
        expect(field).toBeLessThanOrEqual(chooseExtent(0.06, 0.15));
        expect(Math.max(own, ownVoice, ownVoiceInSeries)).toBeLessThanOrEqual(chooseExtent(0.06, 0.15));
      }
    }
  },
  LONG,
);

test(
  "a drift of 0.6 logits per brand is recognised as the field's in 95 of 100, and the own brand's move is not taken for it",
  () => {
    const draw = { tables: chooseExtent(2000, 40), seed: 12 };
    for (const [spread, shock] of chooseExtent(
      [
        [1.75, 1],
        [1, 1],
        [2.5, 1],
      ] as const,
      [[1.75, 1]] as const,
    )) {
      const market = { prompts: 40, sources: 1, spread, shock };
      const drift = simulateTables(market, { drift: 0.6, move: 0 }, draw);
      const move = simulateTables(market, { drift: 0, move: 0.9 }, draw);
      report(
        `40 prompts, spread ${spread}, shock ${shock}: drift 0.6 recognised in ${formatPercents(drift.field)}, own brand called` +
          ` in ${formatPercents(drift.own)}; own move found in ${formatPercents(move.own)}, of its share of voice in ${formatPercents(move.ownVoice)}, against the mean of four ${formatPercents(move.ownVoiceInSeries)}, taken for the field's in ${formatPercents(move.field)}`,
      );
      expect(drift.field).toBeGreaterThanOrEqual(chooseExtent(0.95, 0.85));
      expect(move.field).toBeLessThanOrEqual(chooseExtent(0.08, 0.2));
    }
  },
  LONG,
);
