import { expect, test } from "vitest";
import { FairQueue } from "../../core/jobs/fair-queue.ts";

test("serves keys round-robin, the items of a key in their order", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1"]) queue.add(item.charAt(0), item);
  expect([queue.size, queue.sizeOf("a"), queue.sizeOf("z")]).toEqual([5, 3, 0]);
  const first = [queue.take(), queue.take()];
  queue.add("b", "b2");
  const rest = Array.from({ length: 5 }, () => queue.take());
  expect([...first, ...rest]).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", undefined]);
  expect(queue.size).toBe(0);
});

test("removing an item keeps its key's position", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "b1"]) queue.add(item.charAt(0), item);
  queue.delete("a", "a1");
  queue.delete("b", "unknown");
  queue.delete("z", "unknown");
  expect([queue.size, queue.take(), queue.take(), queue.take()]).toEqual([2, "a2", "b1", undefined]);
});
