import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { simulatedScene } from "../metrics/simulated-scene.ts";
import { recount, cacheReads } from "./recount.ts";
import { openCommitted } from "../support/committed.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a row
type Row = any;

test("marks recommendations from simulated collects, and their evidence can be recomputed", async () => {
  await using s = await simulatedScene();
  const { q, t } = openCommitted(s.w.store);
  const waiting = async () => (await q.select().from(t.backgroundJobs)).some(({ status }) => status !== "succeeded");
  for (let waited = 0; waited < 10_000 && (await waiting()); waited += 50) await sleep(50);
  const actions = `${s.workspace.path}/recommended-actions`;
  const analysis = `${s.workspace.path}/analyses/${s.analysisId}`;
  const read = cacheReads((path) => s.reader.get(path));
  const listed: Row[] = (await read(`${actions}?still_observed=true&limit=100`)).body.data;
  expect(listed.length).toBeGreaterThan(0);
  const keywords = (await read(`${analysis}/keywords`)).body.data;
  for (const { id } of listed) {
    const { evidence, collection_methods, collect_id, tasks } = (await read(`${actions}/${id}`)).body;
    expect({ collection_methods, collect_id }).toEqual({
      collection_methods: ["simulated"],
      collect_id: s.collectIds.second,
    });
    for (const row of evidence) expect(row).toEqual(await recount(read, analysis, s.ownBrandId, row, keywords));
    const brief = await read(`${actions}/${id}/tasks/${tasks[0].id}/brief`);
    expect(brief.body.body).toContain("Its answers are simulated: no provider was asked.");
  }
});
