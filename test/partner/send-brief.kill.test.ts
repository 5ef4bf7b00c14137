import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { STAND_IN_STEPS, type StandInStep } from "../../examples/stand-in-control.ts";
import { chooseExtent } from "../support/proof.ts";
import { startPartner } from "./partner-process.ts";
import { DUE_DATE, partnerScene } from "./scene.ts";
import { freePort, startServiceProcess } from "../support/killable-process.ts";

// kill -9 of the service at each sending step: before and after the partner stores the draft,
// before and after it accepts the submission, and while its response is in flight. The next process
// continues.

const KILLS = chooseExtent(5 * STAND_IN_STEPS.length, 1);
/** Steps in order, starting where the response is lost, which is the hardest case. */
const STEPS = [...STAND_IN_STEPS.slice(-2), ...STAND_IN_STEPS.slice(0, -2)];
/** Sends in progress at each kill. */
const SENDS = 2;
const LANES = Math.min(KILLS, 3);

/** Result of a lane for each brief. */
interface Found {
  step: StandInStep;
  atPartner: { briefs: number; submissions: number; submitted: boolean };
  ours: { isTheSame: boolean; due: unknown };
  repeated: number;
}

/** One data folder, one partner, and a service that is killed repeatedly. */
async function lane(steps: readonly StandInStep[]): Promise<Found[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-kills-"));
  await using partner = await startPartner();
  const port = String(await freePort());
  const env = {
    PORT: port,
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "info",
    SERVE: "core,worker",
    PARTNER_BASE_URL: partner.address,
    PARTNER_RECOVERY_SECONDS: "0.5",
    PARTNER_SYNC_SECONDS: "0.5",
    COLLECT_LEASE_SECONDS: "1",
  };
  const scene = await partnerScene(partner.address, { dataDir, env: { PORT: port } });
  const briefs = await Promise.all(
    steps.flatMap((step) => Array.from({ length: SENDS }, async () => ({ step, ...(await scene.newBrief()) }))),
  );
  const headers = { authorization: `Bearer ${scene.owner.accessToken}`, "content-type": "application/json" };
  await scene[Symbol.asyncDispose]();

  const call = async (method: string, path: string, init: { body?: string; key?: string } = {}) => {
    const response = await fetch(`http://localhost:${port}${path}`, {
      method,
      headers: { ...headers, ...(init.key === undefined ? {} : { "idempotency-key": init.key }) },
      ...(init.body === undefined ? {} : { body: init.body }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const send = (brief: { id: string; path: string }) =>
    call("POST", `${brief.path}/partner`, { body: JSON.stringify({ due_date: DUE_DATE }), key: brief.id });

  const found: Found[] = [];
  let service = await startServiceProcess(env);
  for (const [at, step] of steps.entries()) {
    const sent = briefs.slice(at * SENDS, (at + 1) * SENDS);
    await partner.hold(step);
    const lost = Promise.allSettled(sent.map(send));
    await partner.held(SENDS);
    // A response in flight may or may not be stored at the kill.
    await sleep(step === "submission_answered" ? at % 8 : 0);
    await service.kill();
    await lost;
    // Every second time, the partner processes the request only after recovery.
    const isLate = at % 2 === 1;
    await partner.hold(null, isLate);
    service = await startServiceProcess(env);
    for (const brief of sent) {
      const read = async () => (await call("GET", brief.path)).body["partner_due_date"];
      await expect.poll(read, { timeout: 15_000, interval: 50 }).toBe(DUE_DATE);
    }
    if (isLate) await partner.hold(null);
    const repeats = await Promise.all(sent.map(send));
    const state = await partner.state();
    for (const [index, brief] of sent.entries()) {
      const theirs = state.briefs.filter(({ reference }) => reference === brief.id);
      const { body: ours } = await call("GET", brief.path);
      found.push({
        step,
        atPartner: {
          briefs: theirs.length,
          submissions: state.submissions.filter(({ reference }) => reference === brief.id).length,
          submitted: theirs[0]?.submitted === true,
        },
        ours: { isTheSame: ours["partner_brief_id"] === theirs[0]?.id, due: ours["partner_due_date"] },
        repeated: repeats[index]?.status ?? 0,
      });
    }
  }
  await service.kill();
  await rm(dataDir, { recursive: true });
  return found;
}

test(
  `killed ${KILLS} times while sending: one brief at the partner, shown as sent, and a repeat gets its response`,
  async () => {
    const steps = Array.from({ length: KILLS }, () => STEPS)
      .flat()
      .slice(0, KILLS);
    const lanes = Array.from({ length: LANES }, (_, at) => steps.filter((_step, index) => index % LANES === at));
    const found = (await Promise.all(lanes.map(lane))).flat();
    expect(steps).toHaveLength(KILLS);
    expect(found).toEqual(
      found.map(({ step }) => ({
        step,
        atPartner: { briefs: 1, submissions: 1, submitted: true },
        ours: { isTheSame: true, due: DUE_DATE },
        repeated: 200,
      })),
    );
    expect(found).toHaveLength(KILLS * SENDS);
  },
  90_000 + KILLS * 20_000,
);
