import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openDiskBlobs } from "../../src/assets/disk-blobs.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../../src/jobs/background/background.ts";
import { importAnswers } from "../../src/jobs/imports/import-answers.ts";
import type { Store } from "../../db/engine/store.ts";
import { openCommitted } from "../support/committed.ts";
import { chooseExtent } from "../support/proof.ts";
import { collectScene } from "./scene.ts";

const answer = (run: number, more: object = {}) =>
  JSON.stringify({
    keyword: `phone ${run % 7}`,
    source: "ASSISTANT_A",
    text: "1. **Acme**\n2. **Nova**",
    run,
    ...more,
  });
const answers = (count: number) =>
  Array.from({ length: count }, (_, at) => answer((at % 900) + 1, at < 900 ? {} : { source: "ASSISTANT_B" }));

/** An analysis of imported answers without worker; tests run imports themselves. */
async function scene(env: Record<string, string> = {}) {
  const s = await collectScene({ env: { SERVE: "core", ...env } });
  const analysis = await s.create(["phone 1"], { sources: [] });
  const { q, t } = openCommitted(s.store);
  const blobs = openDiskBlobs(join(s.config.DATA_DIR, "assets"));
  /** Does the job of a collect, on this view of the store. */
  async function read(collectId: string, over: Partial<BackgroundWork> = {}): Promise<void> {
    const [job] = await q.select().from(t.backgroundJobs).where(eq(t.backgroundJobs.subjectId, collectId));
    const work = { ...s.deps, blobs, log: pino({ level: "silent" }), signal: new AbortController().signal };
    await importAnswers(job as BackgroundJob, { ...work, ...over } as unknown as BackgroundWork);
  }

  /** Does it turn after turn. */
  async function readAll(collectId: string, over: Partial<BackgroundWork> = {}): Promise<void> {
    try {
      await read(collectId, over);
    } catch (error) {
      if (!(error instanceof Requeue)) throw error;
      await readAll(collectId, over);
    }
  }

  return {
    ...s,
    analysis,
    read,
    readAll,
    send: (body: string, headers: Record<string, string> = {}) =>
      s.owner.request("POST", `${analysis}/answers/import`, {
        body,
        headers: { "content-type": "application/x-ndjson", prefer: "respond-async", ...headers },
      }),
    collect: async (id: string) => (await s.owner.get(`${analysis}/collects/${id}`)).body,
    report: async (id: string) => (await s.owner.get(`${analysis}/collects/${id}/import-report`)).body,
    stored: () => q.$count(t.answers),
    async files() {
      const entries = await readdir(join(s.config.DATA_DIR, "assets"), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** A store that fails once, around the first commit that stores this many answers. */
function dyingStore(s: Scene, isAfter: boolean): Partial<Store> {
  let isDead = false;
  return {
    ...s.store,
    async write(work, how) {
      const before = await s.stored();
      if (isDead || before === 0) return s.store.write(work, how);
      isDead = true;
      if (isAfter) await s.store.write(work, how);
      throw new Error("died");
    },
  };
}

test("fault: an interrupted import restarts or loses lines; it resumes, each line once, invisible until complete", async () => {
  await using s = await scene();
  const sent = await s.send([...answers(500), "{", answer(1)].join("\n"));
  expect(sent).toMatchObject({ status: 202, body: { number: 1, status: "queued" } });
  expect(sent.headers.get("preference-applied")).toBe("respond-async");
  const id = sent.body.collect_id as string;
  expect(await s.collect(id)).toMatchObject({ status: "queued", planned: 0, collected_from: null });
  for (const isAfter of [false, true, false]) {
    await expect(s.read(id, { store: dyingStore(s, isAfter) as Store })).rejects.toThrow("died");
    const [some] = await s.answers();
    expect(some).toBeDefined();
    expect(await s.stored()).toBeLessThan(500);
    expect(await s.collect(id)).toMatchObject({ status: "running", finished_at: null, planned: await s.stored() });
    expect((await s.owner.get(`${s.analysis}/answers`)).body.data).toEqual([]);
    expect((await s.owner.get(`${s.analysis}/answers/${some?.id}`)).status).toBe(404);
  }
  await s.readAll(id);
  expect(await s.stored()).toBe(500);
  expect(await s.report(id)).toEqual({
    status: "completed",
    accepted: 500,
    months: [],
    rejected_count: 2,
    rejected: [
      { line: 501, message: "is not JSON" },
      { line: 502, message: "has the keyword, source and run of an earlier line" },
    ],
  });
  expect(await s.collect(id)).toMatchObject({ status: "completed", planned: 500, succeeded: 500, failed: 0 });
  expect((await s.owner.get(`${s.analysis}/answers?limit=100`)).body.data).toHaveLength(100);
  await s.readAll(id);
  expect([await s.stored(), await s.files()]).toEqual([500, 0]);
});

test("an import of more than a caller waits for is answered at once, and its repeat with the same bytes is the same", async () => {
  await using s = await scene();
  const body = answers(1001).join("\n");
  const headers = { "idempotency-key": "large", prefer: "" };
  const first = await s.send(body, headers);
  expect(first).toMatchObject({ status: 202, body: { status: "queued" } });
  expect(await s.send(body, headers)).toMatchObject({ status: 202, body: first.body });
  await s.readAll(first.body.collect_id);
  expect(await s.send(body, headers)).toMatchObject({ status: 202, body: first.body });
  expect(await s.send(`${body}\n`, headers)).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
  expect((await s.owner.get(`${s.analysis}/collects`)).body.data).toHaveLength(1);
});

test("a collect has the times of its first and last answer", async () => {
  await using s = await scene();
  const times = ["2026-11-03T08:00:00+02:00", "2026-11-01T08:00:00Z", "2026-11-02T08:00:00Z"];
  const { body } = await s.send(times.map((collected_at, at) => answer(at + 1, { collected_at })).join("\n"));
  await s.readAll(body.collect_id);
  const [from, to] = ["2026-11-01T08:00:00.000Z", "2026-11-03T06:00:00.000Z"];
  expect(await s.collect(body.collect_id)).toMatchObject({ collected_from: from, collected_to: to });
});

/** Response to a client that asks before sending this many bytes; "invited" after 100 Continue. */
function announceUpload(
  s: Scene,
  bytes: number,
): Promise<{ status: number; retryAfter: string | undefined } | "invited"> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${s.owner.accessToken}`,
      expect: "100-continue",
      "content-length": bytes,
      "content-type": "application/x-ndjson",
    };
    const request = httpRequest(new URL(`${s.analysis}/answers/import`, s.config.baseUrl), { method: "POST", headers });
    request.on("continue", () => {
      request.destroy();
      resolve("invited");
    });
    request.on("response", (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] });
      request.destroy();
    });
    request.on("error", reject);
    request.flushHeaders();
  });
}

test("attack: an oversized body is sent anyway; it is rejected by its length, before transfer", async () => {
  await using s = await scene({ IMPORTS_ORGANIZATION: "1", IMPORT_MAX_MB: "4" });
  const megabyte = 1024 * 1024;
  expect(await announceUpload(s, 2 * megabyte)).toBe("invited");
  expect(await announceUpload(s, 5 * megabyte)).toMatchObject({ status: 413 });
  const { body } = await s.send(answers(1001).join("\n"));
  expect(await announceUpload(s, 2 * megabyte)).toEqual({ status: 429, retryAfter: "30" });
  // Neither its length nor its first lines show that it is large.
  expect(await s.send(answers(1001).join("\n"))).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(await s.send(answer(1))).toMatchObject({ status: 202 });
  await s.readAll(body.collect_id);
  expect(await s.send(answers(1001).join("\n"))).toMatchObject({ status: 202 });
});

test("names lines beyond the organization's quota, and sends nothing without quota", async () => {
  await using s = await scene();
  const allow = (quotas: Record<string, number>) =>
    s.store.write(async ({ q, t }) => void (await q.update(t.organizations).set({ quotas })));
  await allow({ answers: 3 });
  const { body } = await s.send(answers(5).join("\n"));
  await s.readAll(body.collect_id);
  const report = await s.report(body.collect_id);
  expect(report).toMatchObject({ accepted: 3, rejected_count: 2, rejected: [{ line: 4 }, { line: 5 }] });
  expect(report.rejected[0].message).toContain("3 answers");
  expect((await s.owner.get(s.organization.path)).body.used.answers).toBe(3);
  expect(await s.send(answer(9))).toMatchObject({ status: 409, body: { code: "QUOTA_EXCEEDED" } });
  await allow({ answer_bytes: 10 });
  expect(await s.send(answer(9))).toMatchObject({ status: 409, body: { code: "QUOTA_EXCEEDED" } });
});

test("fault: a brand added during an import is missed; earlier lines are re-extracted", async () => {
  await using s = await scene();
  const { body } = await s.send(answers(20).join("\n"));
  let isAdded = false;
  const catalogs: BackgroundWork["catalogs"] = {
    async load(tenant) {
      const catalog = await s.deps.catalogs.load(tenant);
      if (!isAdded) {
        isAdded = true;
        await s.owner.post(`${s.workspace.path}/brands`, { name: "Nova", relationship: "competitor" });
      }
      return catalog;
    },
  };
  await s.readAll(body.collect_id, { catalogs });
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.mentions, eq(t.mentions.alias, "Nova"))).toBe(20);
});

test("fault: deleting one import's file removes that of another with equal bytes; it stays while needed", async () => {
  await using s = await scene();
  const [first, second] = [await s.send(answer(1)), await s.send(answer(1))];
  await s.readAll(first.body.collect_id);
  expect(await s.files()).toBe(1);
  await s.readAll(second.body.collect_id);
  for (let waited = 0; (await s.files()) > 0 && waited < 2000; waited += 20) await sleep(20);
  expect([await s.files(), await s.stored()]).toEqual([0, 2]);
});

const BROKEN = chooseExtent(1_000_000, 5000);

test(`attack: ${BROKEN} broken lines block the service and fill memory; they are counted, and the first thousand named`, async () => {
  await using s = await scene();
  const { body } = await s.send("{}\n".repeat(BROKEN));
  await s.readAll(body.collect_id);
  const report = await s.report(body.collect_id);
  expect(report).toMatchObject({ status: "failed", accepted: 0, rejected_count: BROKEN });
  expect(report.rejected).toHaveLength(1000);
  expect(report.rejected.at(-1).line).toBe(1000);
}, 300_000);

test("fault: the process dies at any commit while an import is split by month; it resumes, each answer in one month", async () => {
  await using s = await scene();
  const months = ["2026-06", "2026-07", "2026-09"];
  const dated = Array.from({ length: 620 }, (_, at) => {
    const month = months[at % 3] ?? "";
    return answer(at + 1, { collected_at: `${month}-${String(1 + (at % 28)).padStart(2, "0")}T10:00:00Z` });
  });
  const id = (await s.send(dated.join("\n"))).body.collect_id as string;
  for (let lives = 0; ; lives += 1) {
    let writes = 0;
    const dying: Store["write"] = async (work, how) => {
      writes += 1;
      if (writes === 2 + lives && lives % 2 === 0) throw new Error("died");
      const value = await s.store.write(work, how);
      if (writes === 2 + lives) throw new Error("died");
      return value;
    };
    const died = await s.readAll(id, { store: { ...s.store, write: dying } }).then(
      () => false,
      (error: Error) => error.message === "died",
    );
    if (!died) break;
  }
  expect(await s.report(id)).toMatchObject({
    status: "completed",
    accepted: 620,
    months: [207, 207, 206].map((accepted, at) => ({ number: at + 1, accepted })),
  });
  const { q, t } = openCommitted(s.store);
  const counted = await q
    .select({ id: t.collects.id, succeeded: t.collects.succeeded, bytes: t.collects.answerBytes })
    .from(t.collects);
  for (const { id: collectId, succeeded, bytes } of counted) {
    const own = await q
      .select({ raw: t.answers.rawBody, at: t.answers.collectedAt })
      .from(t.answers)
      .where(eq(t.answers.collectId, collectId));
    expect([own.length, own.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0)]).toEqual([succeeded, bytes]);
    expect(new Set(own.map(({ at }) => at.slice(0, 7))).size).toBe(1);
  }
});
