import { expect, test } from "vitest";
import { openHeavyReads } from "../../src/reads/heavy-reads.ts";
import type { HeavyRead } from "../../src/reads/read-messages.ts";

function readOf(organizationId: string): HeavyRead {
  const granted = { userId: "u", organizationId, workspaceId: "w" };
  const at = "2026-11-21T08:00:00.000Z";
  return { endpoint: "listTopBrands", input: {}, granted, caller: undefined, at, selection: undefined };
}

/** Reads that end when they are told to, each known by its organization and number. */
function scene() {
  const reads = openHeavyReads(undefined);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (organization: string, nth: number, gone?: AbortSignal) => {
    const name = `${organization}${nth}`;
    return reads.run(readOf(organization), gone, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, end, begun };
}

test("an organization that asks for many heavy reads does not keep another one waiting: they take turns", async () => {
  // Attack: ask for every figure at once, so that nobody else gets theirs.
  const { run, end, begun } = scene();
  const all = [0, 1, 2, 3, 4].map((nth) => run("a", nth));
  all.push(run("b", 0), run("b", 1), run("c", 0));
  await end("");
  expect(begun).toEqual(["a0", "a1"]);
  for (const name of ["a0", "a1", "a2", "b0", "c0", "a3", "b1", "a4"]) await end(name);
  expect(begun).toEqual(["a0", "a1", "a2", "b0", "c0", "a3", "b1", "a4"]);
  expect(await Promise.all(all)).toEqual(["a0", "a1", "a2", "a3", "a4", "b0", "b1", "c0"]);
});

test("more heavy reads than can wait are refused with when to try again, first of the organization that asks for most", async () => {
  // Attack: fill the memory with requests that wait.
  const { run } = scene();
  const refusals: unknown[] = [];
  const ask = (organization: string, count: number) => {
    for (let nth = 0; nth < count; nth++) run(organization, nth).catch((error: unknown) => refusals.push(error));
  };
  ask("a", 2 + 40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toEqual([]);
  ask("a", 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals.splice(0)).toMatchObject([{ code: "RATE_LIMITED", retryAfterSeconds: 5 }]);
  for (const organization of "bcdefghij") ask(organization, 40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toEqual([]);
  ask("k", 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(refusals).toMatchObject([{ code: "UNAVAILABLE", retryAfterSeconds: 5 }]);
});

test("a read whose caller goes away while it waits is never done, and leaves its place to others", async () => {
  // Attack: ask, and hang up, again and again.
  const { run, end, begun } = scene();
  void run("a", 0);
  void run("a", 1);
  const leaving = new AbortController();
  const left = run("a", 2, leaving.signal);
  void run("a", 3);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(run("b", 0, leaving.signal)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await end("a0");
  expect(begun).toEqual(["a0", "a1", "a3"]);
});
