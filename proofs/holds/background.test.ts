import { expect, test } from "vitest";
import { measureHolds } from "./scene.ts";

/** Max rows that one transaction of a kind changes, however large its work. */
const MOST_ROWS = {
  launch_analysis: 250,
  launch_collect: 420,
  end_collect: 300,
  reread_answers: 800,
  recommend_actions: 100,
  suggest_brands: 200,
};

test("fault: large background work held the writer; its transactions now change few rows, with a pause after each", async () => {
  const { background } = await measureHolds({ questions: 80, brands: 30 });
  const pauses = background.filter(({ pauseMs }) => pauseMs !== undefined && pauseMs < 0.9);
  expect(pauses).toEqual([]);
  for (const [kind, most] of Object.entries(MOST_ROWS)) {
    // Excludes transactions that several kinds share.
    const own = background.filter(({ kinds }) => kinds.length === 1 && kinds[0] === `background: ${kind}`);
    const over = own.filter(({ rows }) => rows > most);
    expect({ kind, over }).toEqual({ kind, over: [] });
  }
  expect(background.filter(({ kinds }) => kinds.includes("background: reread_answers")).length).toBeGreaterThan(3);
});
