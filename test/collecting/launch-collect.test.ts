import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertNextCollect } from "../../db/analyses/collects.ts";
import { findSetup } from "../../db/analyses/setups.ts";
import { searchAnalysis } from "../../tools/analyses/kinds/search-analysis/search-analysis.ts";
import { openCommitted } from "../support/committed.ts";
import { startImportReader } from "../catalog/import-reader.ts";
import { countChangedRows, createCrashingStore, keywords, runLaunchJob } from "./launch-jobs.ts";
import { startAssistant } from "./provider.ts";
import { collectScene } from "./scene.ts";

const SOURCES = ["ASSISTANT_A", "SEARCH_A", "ASSISTANT_B"];

type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Questions of a collect. */
async function listJobs({ store }: Scene, number: number) {
  const { q, t } = openCommitted(store);
  const rows = await q
    .select({ position: t.questions.position, source: t.jobs.source, run: t.jobs.run })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
    .innerJoin(t.collects, eq(t.collects.id, t.jobs.collectId))
    .where(eq(t.collects.number, number));
  return rows.map(({ position, source, run }) => `${run} ${position} ${source}`).toSorted();
}

/** Expected questions for this number of keywords. */
const planned = (questions: number, runs: number) =>
  Array.from({ length: runs }, (_, run) =>
    keywords(questions).flatMap((_text, position) => SOURCES.map((source) => `${run + 1} ${position} ${source}`)),
  )
    .flat()
    .toSorted();

test("fault: the creation of a large collect stores all of it while every other write waits; it stores some hundred questions, the rest follow, each once, whatever dies", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const rows = countChangedRows(s);
  const analysis = await s.create(keywords(250), { sources: SOURCES, runs_per_prompt: 2 });
  expect((await s.owner.get(analysis)).body).toMatchObject({ status: "launching" });
  expect((await s.owner.get(`${analysis}/collects`)).body.data).toMatchObject([{ status: "queued", planned: 1500 }]);
  expect(await listJobs(s, 1)).toHaveLength(400);

  for (let cut = 0; (await listJobs(s, 1)).length < 1500; cut++) {
    await expect(runLaunchJob(s, "launch_collect", createCrashingStore(s.store, cut % 2 === 0))).rejects.toThrow(
      "died",
    );
  }
  await runLaunchJob(s, "launch_collect");
  expect(await listJobs(s, 1)).toEqual(planned(250, 2));
  // 250 keywords, 400 questions, and other rows of a creation.
  expect(Math.max(...rows)).toBeLessThan(700);
});

test("a repeated collect sends the same questions, even if stored in parts while keywords join", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords(200), { sources: SOURCES });
  await runLaunchJob(s, "launch_collect");
  await using _reader = startImportReader(s);
  const body = JSON.stringify({ keyword: "one more", source: "ASSISTANT_A", text: "Acme" });
  const headers = { "content-type": "application/x-ndjson" };
  expect((await s.owner.request("POST", `${analysis}/answers/import`, { body, headers })).status).toBe(201);
  await s.store.write(async (db) => {
    const tenant = { db, organizationId: s.organization.id, workspaceId: s.workspace.id };
    const analysisId = analysis.split("/").at(-1) ?? "";
    const setup = await findSetup(tenant, { id: analysisId, setupVersion: 1 });
    const runPlan = searchAnalysis.buildRunPlan(setup.setup);
    const { newId, now } = s.deps;
    const plan = { id: newId(), analysisId, setup, runPlan, credits: 600, isScheduled: true, at: now(), newId };
    await insertNextCollect(tenant, plan);
  });
  expect(await listJobs(s, 3)).toHaveLength(400);
  await runLaunchJob(s, "launch_collect");
  expect(await listJobs(s, 3)).toEqual(planned(200, 1));
});

test("a collect stored in parts runs and completes like any other", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(keywords(410));
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", planned: 410, succeeded: 410 });
  expect(await s.credits()).toMatchObject({ available: 9590, reserved: 0 });
});
