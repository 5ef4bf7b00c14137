import { expect, test } from "vitest";
import { catalogScene, recordedLines, UNKNOWN } from "../catalog/scene.ts";

// Published metrics (`as_published`), over REST.

type Row = Record<string, unknown>;

test("fault: after a catalog change nothing showed a report's metrics; as_published does, with intervals", async () => {
  await using s = await catalogScene();
  await s.import(recordedLines(160));
  await s.import(recordedLines(160, 1));
  const shown = async (query: string) => {
    const { status, body } = await s.owner.get(`${s.analysis}/metrics/visibility?statistics=true&${query}`);
    expect(status).toBe(200);
    // Changes refer to current metrics.
    return (body.data as Row[]).map(({ change: _change, ...row }) => row);
  };
  const queries = [
    "group_by=brand",
    "group_by=brand&group_by=source&figure=top_3",
    "group_by=brand&group_by=collect&figure=visibility",
    "group_by=brand&sources=ASSISTANT_A&figure=share_of_voice",
    "group_by=brand&group_by=source&figure=citations",
  ];
  const published = new Map<string, Row[]>();
  for (const query of queries) published.set(query, await shown(query));
  expect(published.get(queries[0] ?? "")).toContainEqual(
    expect.objectContaining({ answers: 120, ci_low: expect.any(Number) }),
  );
  await s.owner.post(s.brands, { name: UNKNOWN, domains: [], relationship: "competitor" });
  await s.reread();
  for (const [query, rows] of published) {
    expect(await shown(query)).not.toEqual(rows);
    expect([query, await shown(`${query}&as_published=true`)]).toEqual([query, rows]);
  }
});
