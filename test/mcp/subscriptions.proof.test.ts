import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Scene, scene, openListener } from "./subscriptions-cases.ts";

/** A stream is looked at every two seconds; this much more is for a busy machine. */
const SOON_MS = 8000;

async function collectAgain({ owner, analysis, ended }: Scene, number: number) {
  const { body } = await owner.post(`${analysis}/collects/price`);
  await owner.post(`${analysis}/collects`, { quote_id: body.quote_id, confirmed: true });
  await ended(analysis, number);
}

test("subscribers of an analysis are notified once per stream when a collect completes, and can read it", async () => {
  // Fault: an assistant learnt of a completed collect only by polling.
  await using s = await scene();
  await using one = await openListener(s, s.viewer);
  await using two = await openListener(s, s.owner);
  const subscription = await one.listen(s.uri, "visibility://glossary");
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [s.uri, "visibility://glossary"] });
  await two.listen(s.uri);
  const other = await s.create(["worst phone"], { sources: ["ASSISTANT_B"] });
  await s.ended(other, 1);
  await collectAgain(s, 2);
  await expect.poll(() => [one.told, two.told], { timeout: SOON_MS }).toEqual([[s.uri], [s.uri]]);
  expect(JSON.stringify(await one.client.readResource({ uri: s.uri }))).toContain("| 2 | completed |");
  await sleep(1200);
  await collectAgain(s, 3);
  await expect
    .poll(() => [one.told, two.told], { timeout: SOON_MS })
    .toEqual([
      [s.uri, s.uri],
      [s.uri, s.uri],
    ]);
});

test("a stream ends when its person leaves the organization, and another person's continues", async () => {
  // Attack: listening on after access was lost.
  await using s = await scene();
  // Another organization keeps their account and grant valid.
  await s.signIn(s.viewer.email, { organizationId: s.rival.organization.id, role: "viewer" });
  await using one = await openListener(s, s.viewer);
  await using two = await openListener(s, s.owner);
  const subscription = await one.listen(s.uri);
  await two.listen(s.uri);
  await s.owner.delete(`${s.organization.path}/members/${s.viewer.id}`);
  const ended = await Promise.race([subscription.closed, sleep(SOON_MS, "still open", { ref: false })]);
  expect(ended).toBe("remote");
  await collectAgain(s, 2);
  await expect.poll(() => two.told, { timeout: SOON_MS }).toEqual([s.uri]);
  expect(one.told).toEqual([]);
});
