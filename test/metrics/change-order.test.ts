import { expect, test } from "vitest";
import { DIMENSIONS } from "../../tools/metric-reads/visibility/visibility-groups.ts";
import { answersOf, changed, COLLECTS, idOf, NAMED, type Row } from "./changes-scene.ts";

/** Number of known values, which fall and come first. */
const countFalling = (values: (number | null)[]) => {
  const known = values.filter((value) => value !== null);
  expect(values.slice(0, known.length)).toEqual(known);
  expect(known).toEqual(known.toSorted((a, b) => b - a));
  return known.length;
};

const swap = (id: string) => (id === idOf(0) ? idOf(1) : id === idOf(1) ? idOf(0) : id);

/** Answers with Brand 1, which changes, in place of the own brand. */
const swapped = (side: 0 | 1) =>
  answersOf(side).map(({ places = [], ...one }) => {
    return { ...one, places: places.map(({ brand_id, rank }) => ({ brand_id: swap(brand_id), rank })) };
  });

const difference = ({ presence_rate: now, previous }: Row) => (previous === null ? null : now - previous);

test("fault: sort=change left some groupings unsorted; each is sorted by delta, and prompts by their difference", async () => {
  await using s = await changed(swapped(0), swapped(1));
  for (const dimension of DIMENSIONS) {
    const rows = await s.rows(`statistics=true&group_by=brand&group_by=${dimension}&sort=change`);
    const values = rows.map((row) => (dimension === "keyword" ? difference(row) : (row.change?.delta ?? null)));
    // The prompts have no persona, stage or kind.
    const isEmpty = ["persona", "funnel_stage", "prompt_kind"].includes(dimension);
    expect({ dimension, isEmpty: countFalling(values) === 0 }).toEqual({ dimension, isEmpty });
  }
  const [best] = await s.rows("group_by=keyword&sort=change&statistics=true");
  expect(best).toMatchObject({ occurrences: 1, previous_occurrences: 0, previous: 0, change: null });
  const { legend } = (await s.visibility("group_by=keyword&statistics=true")).body.basis;
  expect(legend).toContain(
    "a prompt alone has too few answers for a verdict, so compare its counts; cause not measured",
  );
  const { structured } = await s.tool("list_keywords_metrics", { sort: "change", sort_direction: "desc" });
  expect(structured.basis.legend).toContain("a prompt alone has too few answers for a verdict");
  const differences = structured.data.map(
    (row: Record<string, number>) => Number(row["occurrences"]) - Number(row["previous_occurrences"]),
  );
  expect(countFalling(differences)).toBe(20);
  expect(differences[0]).toBe(1);
});

test("sort=change is rejected with the reason if no row has a change", async () => {
  await using s = await changed(answersOf(0), answersOf(1));
  const named = `collect_ids=${COLLECTS[0]}&collect_ids=${COLLECTS[1]}`;
  const reasons = {
    "": "requires statistics: true, which computes changes",
    "statistics=true&only=intervals": "has no changes to sort by with only: intervals",
    "statistics=true&as_published=true": "has no changes to sort by: published values are not compared",
    [`statistics=true&${named}`]:
      "has no changes to sort by: several runs are measured as one; name one run, or group by collect too",
    [`statistics=true&collect_ids=${COLLECTS[0]}`]: "has no changes to sort by: there is no earlier run",
    [`group_by=keyword&collect_ids=${COLLECTS[0]}`]: "has no changes to sort by: there is no earlier run",
  };
  for (const [query, message] of Object.entries(reasons)) {
    const { status, body } = await s.visibility(`sort=change&${query}`);
    expect([query, status, body.fields ?? body.error?.fields]).toEqual([query, 400, [{ path: "sort", message }]]);
  }
  const rows = await s.rows(`statistics=true&sort=change&group_by=brand&group_by=collect&${named}`);
  expect(rows.length).toBe(2 * NAMED.length);
});
