import { expect, test } from "vitest";
import { fieldMoves } from "../../core/statistics/field.ts";
import { extent, report } from "../support/proof.ts";
import { percents } from "./figures.ts";
import { tablesOf } from "./market-changes.ts";

/** Changes of rivals over 40 prompts; `shift` is added to the first rival's. */
function rivals(shift: number) {
  return Array.from({ length: 8 }, (_, rival) => ({
    prompts: Array.from({ length: 40 }, (_at, prompt) => prompt),
    d: Array.from({ length: 40 }, (_at, prompt) => ((prompt * 7 + rival * 13) % 5) - 2 + (rival < 2 ? shift : 0)),
  }));
}

test("detects a move of the field when rivals shift together, and none when they vary around 0", () => {
  expect(fieldMoves(40, rivals(0))).toBe(false);
  expect(fieldMoves(40, rivals(1))).toBe(true);
});

test("gives the same result in any order of rivals, and ignores prompts without a difference", () => {
  const moved = rivals(1);
  expect(fieldMoves(40, moved.toReversed())).toBe(true);
  const sparse = moved.map(({ prompts, d }) => {
    const named = prompts.filter((prompt) => d[prompt] !== 0);
    return { prompts: named, d: named.map((prompt) => d[prompt] ?? 0) };
  });
  expect(fieldMoves(40, sparse)).toBe(true);
});

test("reports no field for one rival, or for rivals that differ in only three prompts", () => {
  expect(fieldMoves(40, rivals(1).slice(0, 1))).toBe(false);
  expect(
    fieldMoves(
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
    for (const prompts of extent([12, 40], [12])) {
      for (const [spread, shock] of extent(
        [
          [1, 1],
          [1.75, 1],
          [1.75, 2],
        ] as const,
        [[1.75, 1]] as const,
      )) {
        const market = { prompts, sources: 1, spread, shock };
        const { anyRival, anyUnadjusted, field, own, ownVoice, ownVoiceInSeries } = tablesOf(market, NOTHING, {
          tables: extent(5000, 60),
          seed: 11,
        });
        const words = `any rival ${percents(anyRival)}, unadjusted ${percents(anyUnadjusted)}; field ${percents(field)}`;
        report(
          `unchanged, ${prompts} prompts, spread ${spread}, shock ${shock}: ${words}; own ${percents(own)}, its share of voice ${percents(ownVoice)}, against the mean of four ${percents(ownVoiceInSeries)}`,
        );
        expect(anyRival).toBeLessThanOrEqual(extent(0.06, 0.1));
        expect(field).toBeLessThanOrEqual(extent(0.06, 0.15));
        expect(Math.max(own, ownVoice, ownVoiceInSeries)).toBeLessThanOrEqual(extent(0.06, 0.15));
      }
    }
  },
  LONG,
);

test(
  "a drift of 0.6 logits per brand is recognised as the field's in 95 of 100, and the own brand's move is not taken for it",
  () => {
    const draw = { tables: extent(2000, 40), seed: 12 };
    for (const [spread, shock] of extent(
      [
        [1.75, 1],
        [1, 1],
        [2.5, 1],
      ] as const,
      [[1.75, 1]] as const,
    )) {
      const market = { prompts: 40, sources: 1, spread, shock };
      const drift = tablesOf(market, { drift: 0.6, move: 0 }, draw);
      const move = tablesOf(market, { drift: 0, move: 0.9 }, draw);
      report(
        `40 prompts, spread ${spread}, shock ${shock}: drift 0.6 recognised in ${percents(drift.field)}, own brand called` +
          ` in ${percents(drift.own)}; own move found in ${percents(move.own)}, of its share of voice in ${percents(move.ownVoice)}, against the mean of four ${percents(move.ownVoiceInSeries)}, taken for the field's in ${percents(move.field)}`,
      );
      expect(drift.field).toBeGreaterThanOrEqual(extent(0.95, 0.85));
      expect(move.field).toBeLessThanOrEqual(extent(0.08, 0.2));
    }
  },
  LONG,
);
