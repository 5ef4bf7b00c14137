import { expect, test } from "vitest";
import { fieldMoves } from "../../core/statistics/field.ts";

/** Changes of rivals over 40 prompts; `shift` is added to those of the first. */
function rivals(shift: number) {
  return Array.from({ length: 8 }, (_, rival) => ({
    prompts: Array.from({ length: 40 }, (_at, prompt) => prompt),
    d: Array.from({ length: 40 }, (_at, prompt) => ((prompt * 7 + rival * 13) % 5) - 2 + (rival < 2 ? shift : 0)),
  }));
}

test("rivals that shift against each other are the field's move; those that swing about 0 are not", () => {
  expect(fieldMoves(40, rivals(0))).toBe(false);
  expect(fieldMoves(40, rivals(1))).toBe(true);
});

test("the order of the rivals changes nothing, nor do prompts in which a rival does not differ", () => {
  const moved = rivals(1);
  expect(fieldMoves(40, moved.toReversed())).toBe(true);
  const sparse = moved.map(({ prompts, d }) => {
    const named = prompts.filter((prompt) => d[prompt] !== 0);
    return { prompts: named, d: named.map((prompt) => d[prompt] ?? 0) };
  });
  expect(fieldMoves(40, sparse)).toBe(true);
});

test("one rival is no field, nor are rivals that differ in three prompts", () => {
  expect(fieldMoves(40, rivals(1).slice(0, 1))).toBe(false);
  expect(
    fieldMoves(
      40,
      rivals(1).map(({ prompts, d }) => ({ prompts: prompts.slice(0, 3), d: d.slice(0, 3) })),
    ),
  ).toBe(false);
});
