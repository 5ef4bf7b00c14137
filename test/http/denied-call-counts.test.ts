import { expect, test } from "vitest";
import { openDeniedCallCounts } from "../../src/call/audit.ts";

const row = (id: string, organizationId: string, minute = "04:31") => ({
  id,
  at: `2026-11-21T${minute}:07.000Z`,
  organizationId,
  workspaceId: "w",
  userId: "u",
  clientId: "c",
  door: "rest",
  endpoint: "listTags",
  argumentsHash: "h",
  scopes: "read",
  confirmation: "none",
  outcome: "NOT_FOUND",
  requestId: "r",
});

const listCounts = (counts: ReturnType<typeof openDeniedCallCounts>) =>
  counts.take().map(({ id, organizationId, count }) => [id, organizationId, count]);

test("denials for many invented organizations take few rows, and unsaved counts are not lost", () => {
  // Attack: name another organization with each call, so that each takes memory and a row.
  const counts = openDeniedCallCounts(2);
  for (const [at, organization] of ["a", "b", "c", "d", "a"].entries()) counts.count(row(`${at}`, organization));
  const taken = counts.take();
  expect(taken.map(({ id, organizationId, count }) => [id, organizationId, count])).toEqual([
    ["0", "a", 2],
    ["1", "b", 1],
    ["2", null, 2],
  ]);
  expect(taken[0]).toMatchObject({ endpoint: "refusedCalls", userId: null, clientId: null, workspaceId: null });
  expect(listCounts(counts)).toEqual([]);
  counts.restore(taken);
  counts.count(row("5", "e"));
  expect(listCounts(counts)).toEqual([
    ["0", "a", 2],
    ["1", "b", 1],
    ["2", null, 3],
  ]);
  counts.count(row("6", "a", "04:32"));
  expect(listCounts(counts)).toEqual([["6", "a", 1]]);
});
