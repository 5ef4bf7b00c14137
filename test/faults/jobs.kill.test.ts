import { expect } from "vitest";
import { startServiceProcess } from "../support/killable-process.ts";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { longFault } from "./fault.ts";
import { faultFolder, startLightCaller, startCollect } from "./scene.ts";

const QUESTIONS = 60;
const YEAR_MS = 365 * 86_400_000;
/** Has a process take its time for a year later than it is. */
const AHEAD = `data:text/javascript,${encodeURIComponent(`
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) { super(...(given.length > 0 ? given : [Right.now() + ${YEAR_MS}])); }
    static now() { return Right.now() + ${YEAR_MS}; }
  };`)}`;

const answered = (prompt: string) => ({ body: responseBody(`**Acme** for ${prompt}`) });

longFault(
  {
    fault: "The clock is a year ahead, the process is killed, and the clock is corrected",
    seen: "Clients get `401 UNAUTHENTICATED` and sign in again. Runs, background jobs and schedules continue: the run is `completed`",
    lost: "Whatever expired by the wrong clock: sessions, links, and audit log entries older than `AUDIT_RETENTION_DAYS`. Scheduled runs that counted as missed are planned again, if their credits are still reserved",
    recovers: "Automatically and at once; schedules within a minute",
  },
  async (see) => {
    await using provider = await startAssistant((prompt) => ({
      delayMs: 100,
      body: responseBody(`**Acme** for ${prompt}`),
    }));
    await using folder = await faultFolder();
    const env = { ...folder.env, ...provider.env, SERVE: "core,worker", COLLECT_CONCURRENCY: "4" };
    const signIn = async () => {
      const { body } = await folder.call("POST", "/v1/auth/token", { api_key: folder.owner.apiKey });
      return { authorization: `Bearer ${String(body["access_token"])}` };
    };
    const ahead = await startServiceProcess(env, { preloads: [AHEAD] });
    const early = await signIn();
    const analysis = await startCollect(folder, QUESTIONS, early);
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(QUESTIONS / 3);
    await ahead.kill();

    await using _right = await startServiceProcess(env);
    see((await analysis.collect()).answer);
    const again = await signIn();
    const status = async () => (await analysis.collect(again)).status;
    await expect.poll(status, { timeout: 30_000, interval: 200 }).toBe("completed");
    see(String(await status()));
  },
);

longFault(
  {
    fault: "The provider of a source hangs",
    seen: "The run stays `running`, and is `completed` once the provider responds. Other requests succeed as usual (`200`)",
    lost: "Nothing. Prompts without a successful attempt fail, and their credits are released",
    recovers: "Automatically: each prompt is sent again after `OPENAI_TIMEOUT_SECONDS`, up to `COLLECT_ATTEMPTS` times",
  },
  async (see) => {
    let isHanging = true;
    await using provider = await startAssistant((prompt) => (isHanging ? { delayMs: 600_000 } : answered(prompt)));
    await using folder = await faultFolder();
    const env = { ...folder.env, ...provider.env, OPENAI_TIMEOUT_SECONDS: "2", COLLECT_BACKOFF_SECONDS: "1" };
    await using _service = await startServiceProcess({ ...env, SERVE: "core,worker" });
    const caller = startLightCaller(() => folder.call("GET", `${folder.workspace.path}/tags`));
    const analysis = await startCollect(folder, QUESTIONS / 6);
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(5);
    const status = async () => (await analysis.collect()).status;
    see(String(await status()));
    isHanging = false;
    await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe("completed");
    see(`${await status()} ${(await caller.answers()).join()}`);
  },
);

longFault(
  {
    fault: "A separate worker process (`SERVE=worker`) is killed",
    seen: "The other processes answer `/readyz 200`. Runs stay `running`, and are `completed` once a worker is back",
    lost: "Nothing. Prompts that were in progress are sent again, at most twice `COLLECT_CONCURRENCY`",
    recovers: "At its next start, or through another worker when the leases expire (`COLLECT_LEASE_SECONDS`)",
  },
  async (see) => {
    await using provider = await startAssistant((prompt) => ({
      delayMs: 100,
      body: responseBody(`**Acme** for ${prompt}`),
    }));
    await using folder = await faultFolder();
    const env = { ...folder.env, ...provider.env, COLLECT_CONCURRENCY: "4", COLLECT_LEASE_SECONDS: "2" };
    await using _core = await startServiceProcess({ ...env, SERVE: "core" });
    const worker = { ...env, SERVE: "worker", PORT: "0" };
    const first = await startServiceProcess(worker);
    const analysis = await startCollect(folder, QUESTIONS);
    await expect.poll(() => provider.asked.size, { timeout: 20_000 }).toBeGreaterThan(QUESTIONS / 3);
    await first.kill();
    const ready = await folder.call("GET", "/readyz");
    const status = async () => (await analysis.collect()).status;
    see(`/readyz ${ready.status} ${await status()}`);
    await using _next = await startServiceProcess(worker);
    await expect.poll(status, { timeout: 60_000, interval: 200 }).toBe("completed");
    see(String(await status()));
    const asked = [...provider.asked.values()].reduce((sum, times) => sum + times, 0);
    expect(asked - QUESTIONS).toBeLessThanOrEqual(2 * 4);
    expect(await analysis.collect()).toMatchObject({ succeeded: QUESTIONS, failed: 0 });
  },
);
