import { expect, test } from "vitest";
import { openFairWorkQueue } from "../../src/jobs/collect/dispatcher.ts";

const asked = (organizationId: string) => ({ organizationId, isScheduled: false });
const scheduled = (organizationId: string) => ({ organizationId, isScheduled: true });

test("fault: 48 questions of one organization ran before a new one's; it waits for one piece, and scheduled ones wait for it", async () => {
  const line = openFairWorkQueue(() => undefined);
  const done: string[] = [];
  const of = (count: number, name: string) =>
    Array.from({ length: count }, () =>
      line.run(name === "nightly" ? scheduled(name) : asked(name), () => done.push(name)),
    );
  const all = [...of(3, "nightly"), ...of(48, "busy"), ...of(2, "new")];
  await Promise.all(all);
  // The first one was alone when it came.
  expect(done.slice(0, 6)).toEqual(["nightly", "busy", "new", "busy", "new", "busy"]);
  expect(done.slice(-3)).toEqual(["busy", "nightly", "nightly"]);
});

test("fault: all waiting work ran in one turn of the event loop; each piece now has its own turn", async () => {
  const line = openFairWorkQueue(() => undefined);
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns < 20) setImmediate(turn);
  };
  setImmediate(turn);
  const seen = await Promise.all(Array.from({ length: 10 }, () => line.run(asked("one"), () => turns)));
  expect(new Set(seen).size).toBe(10);
});

test("a throwing piece rejects its own promise, blocks no other, and the end is reported", async () => {
  let idle = 0;
  const line = openFairWorkQueue(() => (idle += 1));
  const never = line.run(asked("one"), () => new Promise<never>(() => undefined));
  const failing = line.run(asked("one"), () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await line.run(asked("one"), () => Promise.resolve(7))).toBe(7);
  expect(await Promise.race([never, Promise.resolve("waits")])).toBe("waits");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect({ idle: idle > 0, isBusy: line.isBusy() }).toEqual({ idle: true, isBusy: false });
});
