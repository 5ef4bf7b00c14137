import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectScene } from "./scene.ts";

test("archiving a workspace releases planned collects; restoring it plans none", async () => {
  let now = "2026-11-02T08:00:00.000Z";
  await using s = await collectScene({ now: () => now });
  const setup = { schedule: "weekly", ends_at: "2026-11-23T08:00:00.000Z", sources: ["ASSISTANT_B"] };
  const analysis = await s.create(["phone 0", "phone 1"], setup);
  await s.ended(analysis, 1);
  expect(await s.credits()).toMatchObject({ available: 9992, reserved: 6 });
  expect((await s.owner.post(`${s.workspace.path}/archive`)).status).toBe(200);
  now = "2026-11-16T09:00:00.000Z";
  const owner = await s.signInAgain();
  await sleep(1200);
  expect((await owner.get(`${analysis}/collects`)).body.data).toHaveLength(1);
  expect(await s.credits()).toMatchObject({ available: 9998, reserved: 0 });
  expect((await owner.post(`${s.workspace.path}/restore`)).status).toBe(200);
  await sleep(1200);
  expect((await owner.get(`${analysis}/collects`)).body.data).toHaveLength(1);
  expect((await owner.get(analysis)).body).toMatchObject({
    status: "live",
    status_reason: "The schedule has ended: no further run is planned.",
    next_collect_at: null,
    reserved_credits: 0,
  });
  expect(await s.credits()).toMatchObject({ available: 9998, reserved: 0 });
});
