import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { startServiceProcess } from "../support/killable-process.ts";
import { world } from "../support/world.ts";
import { longFault } from "./fault.ts";
import { faultFolder, startLightCaller, startCollect } from "./scene.ts";

const QUESTIONS = 60;

longFault(
  {
    fault: "The worker process is killed (`kill -9`, out of memory) during a run and metric requests",
    seen: '`the worker process ended: restarting it`, then `"name":"worker","msg":"working"`. Clients get no errors',
    lost: "Nothing. Prompts in progress are sent again. The main process answers the metric requests that the worker was computing",
    recovers: "Automatically: the worker restarts after a second and resumes the run",
  },
  async (see) => {
    await using provider = await startAssistant((prompt) => ({
      delayMs: 100,
      body: responseBody(`**Acme** for ${prompt}`),
    }));
    await using folder = await faultFolder();
    const env = { ...folder.env, ...provider.env, COLLECT_CONCURRENCY: "4", COLLECT_LEASE_SECONDS: "2" };
    await using service = await startServiceProcess(env);
    await service.writes('"msg":"working"');
    const worker = workerOf(service.pid);
    const analysis = await startCollect(folder, QUESTIONS);
    const { organization, workspace } = folder;
    const { body } = await folder.call("GET", `${workspace.path}/analyses`);
    const [project] = body["data"] as { id: string }[];
    const metrics = `/api/v1/projects/${project?.id}/filters?client_id=${organization.id}`;
    // More than are read at once, so that some are always in progress.
    const readers = Array.from({ length: 4 }, () => startLightCaller(() => folder.call("GET", metrics)));
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(QUESTIONS / 3);
    process.kill(worker, "SIGKILL");
    const refused: unknown[] = [];
    for (let status = "queued"; ["queued", "running"].includes(status); await sleep(50)) {
      const collect = await analysis.collect();
      if (!collect.answer.startsWith("200")) refused.push(collect.answer);
      status = String(collect.status);
    }
    expect(await analysis.collect()).toMatchObject({
      status: "completed",
      succeeded: QUESTIONS,
      failed: 0,
      cost: { reserved_credits: 0, spent_credits: QUESTIONS },
    });
    expect(refused).toEqual([]);
    for (const reader of readers) expect(await reader.answers()).toEqual([200]);
    see(service.written());

    // A worker stops when its service is killed.
    const second = workerOf(service.pid);
    expect(second).not.toBe(worker);
    process.kill(service.pid, "SIGKILL");
    await expect.poll(() => isAlive(second), { timeout: 10_000 }).toBe(false);
  },
);

longFault(
  {
    fault: "The worker process hangs",
    seen: "`/readyz` reports `worker_silent`, then `worker_missing`. The log has `the worker process sends no heartbeat`, then `the worker process ended: restarting it` and `ready again`. Metric requests get `503 UNAVAILABLE`",
    lost: "Nothing. Prompts in progress are sent again",
    recovers: "Automatically, after 30 seconds",
  },
  async (see) => {
    await using provider = await startAssistant((prompt) => ({ body: responseBody(`**Acme** for ${prompt}`) }));
    await using folder = await faultFolder();
    await using service = await startServiceProcess({ ...folder.env, ...provider.env });
    await service.writes('"msg":"working"');
    const worker = workerOf(service.pid);
    const analysis = await startCollect(folder, 2);
    await expect.poll(() => analysis.collect(), { timeout: 20_000 }).toMatchObject({ status: "completed" });

    // A suspended service does not take its worker for hanging.
    process.kill(service.pid, "SIGSTOP");
    await sleep(35_000);
    process.kill(service.pid, "SIGCONT");
    await sleep(5000);
    expect(workerOf(service.pid)).toBe(worker);
    expect((await folder.call("GET", "/readyz")).status).toBe(200);

    process.kill(worker, "SIGSTOP");
    const { body } = await folder.call("GET", `${folder.workspace.path}/analyses`);
    const [project] = body["data"] as { id: string }[];
    const path = `/api/v1/projects/${project?.id}/filters?client_id=${folder.organization.id}`;
    const began = performance.now();
    const metrics = await folder.call("GET", path);
    expect(performance.now() - began).toBeLessThan(15_000);
    see(`${metrics.status} ${String(metrics.body["code"])}`);
    const seen = new Set<string>();
    for (let status = 0; status !== 200 || seen.size === 0; await sleep(500)) {
      const ready = await folder.call("GET", "/readyz");
      ({ status } = ready);
      for (const { code } of (ready.body["problems"] ?? []) as { code: string }[]) seen.add(code);
    }
    expect([...seen]).toEqual(["worker_silent", "worker_missing"]);
    see(["/readyz", ...seen, service.written()].join(" "));
    expect(workerOf(service.pid)).not.toBe(worker);
    expect((await folder.call("GET", path)).status).toBe(200);
  },
);

/** Makes the worker hang at this prompt, as parsing a page or answer could. */
const hangingAt = (prompt: string) => `
const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  if (process.argv.includes("--worker") && String(init?.body).includes(${JSON.stringify(JSON.stringify(prompt))})) for (;;);
  return fetch(url, init);
};
`;

longFault(
  {
    fault: "One job hangs the worker process at every attempt",
    seen: "`the worker process sends no heartbeat` twice, then `a prompt stopped the worker twice: it is not retried`. The run is `partial`; other organizations' jobs are `completed`",
    lost: "The prompt, page or file that hangs the worker. Its job fails with `Processing stopped the worker twice and is not tried again.`",
    recovers: "Automatically, after two periods of 30 seconds",
  },
  async (see) => {
    // Attack: an answer that takes hours to read, so that no other organization gets an export.
    await using provider = await startAssistant((prompt) => ({ body: responseBody(`**Acme** for ${prompt}`) }));
    await using folder = await faultFolder();
    const rival = await insertRival(folder.env);
    const preload = join(folder.env.DATA_DIR, "hang.mjs");
    await writeFile(preload, hangingAt("phone 3"));
    await using service = await startServiceProcess({ ...folder.env, ...provider.env }, { preloads: [preload] });
    await service.writes('"msg":"working"');
    const exportMs = async () => {
      const began = performance.now();
      const path = `${rival.path}/exports`;
      const { body } = await folder.call("POST", path, { what: "catalog", format: "csv" }, rival.headers);
      const state = async () =>
        (await folder.call("GET", `${path}/${String(body["id"])}`, undefined, rival.headers)).body;
      await expect.poll(state, { timeout: 120_000, interval: 100 }).toMatchObject({ status: "completed" });
      return Math.round(performance.now() - began);
    };
    const idle = await exportMs();
    const analysis = await startCollect(folder, 8);
    await sleep(1000);
    const beside = await exportMs();
    console.info(`An export of another organization: ${idle} ms idle, ${beside} ms beside a worker that hangs.`);
    see("completed");
    await expect
      .poll(() => analysis.collect(), { timeout: 120_000 })
      .toMatchObject({
        status: "partial",
        succeeded: 7,
        failed: 1,
        cost: { reserved_credits: 0, spent_credits: 7 },
      });
    see(`partial ${service.written()}`);
    expect(service.written().split("the worker process sends no heartbeat").length - 1).toBe(2);
  },
);

/** Another organization with a workspace, and how its owner calls. */
async function insertRival(env: { DATA_DIR: string; PORT: string }) {
  await using w = await world({ dataDir: env.DATA_DIR, env: { PORT: env.PORT } });
  const { organization, workspace } = await w.insertTenant("Rival");
  const owner = await w.signIn("owner@rival.test", { organizationId: organization.id, role: "owner" });
  const headers = { authorization: `Bearer ${owner.accessToken}`, prefer: "respond-async" };
  return { path: workspace.path, headers };
}

/** Child process started with `--worker` (proc(5)). */
function workerOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  const worker = children.find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("--worker"));
  if (worker === undefined) throw new Error("The service has no worker process.");
  return worker;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
