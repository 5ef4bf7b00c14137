import { expect, test } from "vitest";
import { POISONED_REASON } from "../../core/jobs/worker-failures.ts";
import { collectScene } from "../collecting/scene.ts";
import { hangWorker } from "./hang-worker.ts";
import { world } from "../support/world.ts";
import { backgroundWorker, listWaitingJobs, hangTwice } from "./poisoned-jobs-cases.ts";

test("an export whose worker hung twice fails with the reason; after one hang it is created", async () => {
  await using w = await world({ env: { SERVE: "core" } });
  const { owner, workspace } = await w.acme();
  const ask = async () => {
    const headers = { prefer: "respond-async" };
    const { body } = await owner.post(`${workspace.path}/exports`, { what: "catalog", format: "jsonl" }, headers);
    return async () => (await owner.get(`${workspace.path}/exports/${body.id}`)).body;
  };
  const [poisoned, innocent] = [await ask(), await ask()];
  const jobs = (await listWaitingJobs(w, "make_export")).toSorted();
  await hangWorker(w.store, jobs, w.deps.now());
  await hangWorker(w.store, jobs.slice(0, 1), w.deps.now());
  const worker = backgroundWorker(w);
  const failed = { status: "failed", failure_reason: POISONED_REASON };
  await expect.poll(poisoned, { timeout: 5000 }).toMatchObject(failed);
  await expect.poll(innocent, { timeout: 10_000 }).toMatchObject({ status: "completed" });
  await worker.close();
});

test("an import whose worker hung twice ends before the lines being read, and reports it", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(["phone 0"], { sources: [] });
  const line = JSON.stringify({ keyword: "phone 0", source: "ASSISTANT_A", text: "Acme" });
  const headers = { "content-type": "application/x-ndjson", prefer: "respond-async" };
  const sent = await s.owner.request("POST", `${analysis}/answers/import`, { body: line, headers });
  await hangTwice(s, await listWaitingJobs(s, "import_answers"));
  const worker = backgroundWorker(s);
  const report = async () => (await s.owner.get(`${analysis}/collects/${sent.body.collect_id}/import-report`)).body;
  const message = "Reading the lines from here on stopped the worker twice. These lines are not imported.";
  await expect.poll(report, { timeout: 5000 }).toMatchObject({
    status: "failed",
    accepted: 0,
    rejected_count: 1,
    rejected: [{ line: 1, message }],
  });
  await worker.close();
});
