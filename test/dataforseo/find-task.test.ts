import { expect, test } from "vitest";
import { findTask } from "../../src/outside/sources/dataforseo/find-task.ts";
import { askProvider } from "../../src/outside/sources/provider-request.ts";
import type { StartedSubmission } from "../../src/outside/sources/provider.ts";
import { startFakeProvider, type Reply } from "../providers/fake-provider.ts";

const ago = (ms: number) => ({ key: "key-1", begunAt: new Date(Date.now() - ms).toISOString() });
/** A task as the list of tasks has it. */
const listed = (tag: string) => ({ id: `task of ${tag}`, cost: 0.0006, status: "20100", metadata: { tag } });
const list = (result: object[], code = 20000): Reply => ({
  body: { status_code: 20000, tasks: [{ id: "list", status_code: code, status_message: "Ok.", cost: 0, result }] },
});

/** Looks up a task at this provider. */
function taskFinder(url: string) {
  const { signal } = new AbortController();
  const call = (path: string, { json }: { json?: unknown } = {}) =>
    askProvider(`${url}${path}`, { json, signal, timeoutMs: 5000 });
  return (begun: StartedSubmission, listedAt: string) => findTask(begun, listedAt, { call });
}

test("finds a task of unknown state by tag in the list of its time, read to the end", async () => {
  const others = Array.from({ length: 1000 }, (_, nth) => listed(`other-${nth}`));
  await using server = await startFakeProvider(({ path, body }) => {
    const [{ offset }] = body as [{ offset: number }];
    const isOther = path === "/ai_optimization/id_list";
    const rest = isOther ? [{ id: "task without a tag", cost: 0, metadata: null }] : [listed("x"), listed("key-1")];
    return list(offset === 0 && !isOther ? others : rest);
  });
  const lookUp = taskFinder(server.url);
  const hour = ago(3_600_000);
  expect(await lookUp(hour, "/serp/id_list")).toEqual({
    state: "pending",
    taskId: "task of key-1",
    costUsd: 0.0006,
  });
  const time = (offset: number) =>
    `${new Date(Date.parse(hour.begunAt) + offset).toISOString().slice(0, 19).replace("T", " ")} +00:00`;
  const asked = { datetime_from: time(-60_000), datetime_to: time(120_000), limit: 1000, include_metadata: true };
  expect(server.sent.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
    [0, 1000].map((offset) => ({ method: "POST", path: "/serp/id_list", body: [{ ...asked, offset }] })),
  );
  expect(await lookUp(hour, "/ai_optimization/id_list")).toBeUndefined();
  // A recently accepted task may be missing in lists.
  expect(await lookUp(ago(20_000), "/serp/id_list")).toEqual({ state: "untold", waitMs: expect.closeTo(40_000, -3) });
  expect(server.sent).toHaveLength(3);
});

test("an unavailable or overlong list says nothing about the task", async () => {
  const others = Array.from({ length: 1000 }, (_, nth) => listed(`other-${nth}`));
  await using server = await startFakeProvider((_, nth) => (nth === 1 ? list([], 40202) : list(others)));
  const lookUp = taskFinder(server.url);
  await expect(lookUp(ago(3_600_000), "/serp/id_list")).rejects.toMatchObject({ kind: "rate_limited" });
  await expect(lookUp(ago(3_600_000), "/serp/id_list")).rejects.toMatchObject({
    kind: "unavailable",
    mayHaveAccepted: true,
  });
  expect(server.sent).toHaveLength(11);
});
