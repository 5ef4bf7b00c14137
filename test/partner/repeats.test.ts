import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addMs } from "../../core/shared/time.ts";
import { WITH_WORKER } from "../support/world.ts";
import { startPartner, type PartnerProcess } from "./partner-process.ts";
import { DUE_DATE, partnerScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

// Repeated and concurrent sends: one brief and one submission at the partner in any case.

let partner: PartnerProcess;

beforeAll(async () => {
  partner = await startPartner();
});

beforeEach(() => partner.fail(null));

afterAll(() => partner[Symbol.asyncDispose]());

test("an Idempotency-Key sent 50 times at once sends once, with the same response for all", async () => {
  await using scene = await partnerScene(partner.address);
  const brief = await scene.newBrief();
  const repeats = () => brief.send({ due_date: DUE_DATE }, { "idempotency-key": "one" });
  const answers = await Promise.all(Array.from({ length: 50 }, repeats));
  const [first] = answers;
  expect(first).toMatchObject({ status: 200, body: { id: brief.id, partner_due_date: DUE_DATE } });
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
    new Set([JSON.stringify([200, first?.body])]),
  );
  expect((await repeats()).body).toEqual(first?.body);
  const other = await brief.send({ due_date: "2101-01-01T00:00:00Z" }, { "idempotency-key": "one" });
  expect(other).toMatchObject({ status: 409, body: { code: "ALREADY_SENT" } });
  const { briefs, submissions } = await partner.of(brief.id);
  expect([briefs.length, submissions.length]).toEqual([1, 1]);
  // Nothing remains of the crash recovery state.
  const { q, t } = openCommitted(scene.w.store);
  expect(await q.select().from(t.outbox)).toEqual([]);
  const jobs = await q.select({ kind: t.backgroundJobs.kind }).from(t.backgroundJobs);
  expect(jobs.filter(({ kind }) => kind === "finish_outbox_entry")).toEqual([]);
});

function summaries(answers: { status: number; body: { code?: string; partner_due_date?: string } }[]): string[] {
  return answers.map(({ status, body }) => `${status} ${body.code ?? body.partner_due_date}`).toSorted();
}

test("the next send after a crash completes it: 200 for that repeat, ALREADY_SENT for all others", async () => {
  // Fault: the completing repeat got 409 ALREADY_SENT, so that no caller learnt of the success.
  await using scene = await partnerScene(partner.address, { env: { PARTNER_TIMEOUT_SECONDS: "20" } });
  const left = async () => {
    const brief = await scene.newBrief();
    await partner.hold("submission_accepted");
    const lost = brief.send();
    await partner.held();
    const entries = await openCommitted(scene.w.store).q.select().from(openCommitted(scene.w.store).t.outbox);
    const before = await openCommitted(scene.w.store).q.select().from(openCommitted(scene.w.store).t.briefs);
    await partner.hold(null);
    expect((await lost).status).toBe(200);
    // State as if the process had died before storing the response.
    await scene.w.store.write(async ({ q, t }) => {
      for (const { id, ...row } of before) await q.update(t.briefs).set(row).where(eq(t.briefs.id, id));
      for (const { audit } of entries) await q.delete(t.auditLog).where(eq(t.auditLog.id, audit.id));
      await q.insert(t.outbox).values(entries);
    });
    return brief;
  };
  const brief = await left();
  const repeats = await Promise.all([brief.send(), brief.send(), brief.send()]);
  expect(summaries([...repeats, await brief.send()])).toEqual([
    `200 ${DUE_DATE}`,
    "409 ALREADY_SENT",
    "409 ALREADY_SENT",
    "409 ALREADY_SENT",
  ]);
  const other = await left();
  expect(summaries([await other.send({ due_date: "2101-01-01T00:00:00Z" })])).toEqual(["409 ALREADY_SENT"]);
  const submissions = [brief, other].map(async ({ id }) => (await partner.of(id)).submissions.length);
  expect(await Promise.all(submissions)).toEqual([1, 1]);
});

test("each send leaves one audit row with its outcome", async () => {
  await using scene = await partnerScene(partner.address);
  const brief = await scene.newBrief();
  await partner.fail("recipients_invalid");
  await brief.send();
  await partner.fail(null);
  await brief.send();
  await brief.send();
  await scene.w.deps.audit.flush();
  const { q, t } = openCommitted(scene.w.store);
  const rows = (await q.select().from(t.auditLog)).filter(({ endpoint }) => endpoint.startsWith("sendRecommended"));
  const told = rows.map(({ userId, workspaceId, outcome }) => `${userId} ${workspaceId} ${outcome}`);
  expect(told.toSorted()).toEqual(
    ["ALREADY_SENT", "PARTNER_RECIPIENTS_INVALID", "ok"].map((end) => `${scene.owner.id} ${scene.workspace.id} ${end}`),
  );
});

test("rejects a key in progress with another body immediately", async () => {
  await using scene = await partnerScene(partner.address, { env: { PARTNER_TIMEOUT_SECONDS: "20" } });
  const brief = await scene.newBrief();
  await partner.hold("submission_asked");
  const first = brief.send({ due_date: DUE_DATE }, { "idempotency-key": "one" });
  await partner.held();
  const other = await brief.send({ due_date: "2101-01-01T00:00:00Z" }, { "idempotency-key": "one" });
  expect(other).toMatchObject({ status: 409, body: { code: "BRIEF_NOT_READY", brief: { id: brief.id } } });
  await partner.hold(null);
  expect((await first).status).toBe(200);
});

test("of 20 concurrent sends without a key, one gets 200 and the others ALREADY_SENT", async () => {
  await using scene = await partnerScene(partner.address);
  const brief = await scene.newBrief();
  const answers = await Promise.all(Array.from({ length: 20 }, () => brief.send()));
  const sent = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(sent).toHaveLength(1);
  expect(refused.map(({ body }) => [body.code, body.brief])).toEqual(
    refused.map(() => ["ALREADY_SENT", sent[0]?.body]),
  );
  expect((await partner.of(brief.id)).submissions).toHaveLength(1);
});

test("a submission with a lost response is repeated with its key: one submission, 200", async () => {
  await using scene = await partnerScene(partner.address);
  const brief = await scene.newBrief();
  await partner.fail("reset_after_acceptance");
  const sending = brief.send();
  await expect.poll(async () => (await partner.of(brief.id)).submissions.length).toBe(1);
  await partner.fail(null);
  const sent = await sending;
  const { briefs, submissions } = await partner.of(brief.id);
  expect([briefs.length, submissions.length]).toEqual([1, 1]);
  // If the second attempt was lost, too, the next send finds the first one's result.
  const known = sent.status === 200 ? sent : await brief.send();
  expect(known).toMatchObject({ status: 200, body: { partner_brief_id: briefs[0]?.id, partner_due_date: DUE_DATE } });
});

test("a brief synced under a wrong clock continues to sync", async () => {
  // Fault: later statuses counted as older while the clock had been ahead.
  await using scene = await partnerScene(partner.address, { env: { ...WITH_WORKER, PARTNER_SYNC_SECONDS: "0.2" } });
  const brief = await scene.newBrief();
  await brief.send();
  const partnerSyncedAt = addMs(scene.w.deps.now(), 365 * 86_400_000);
  await scene.w.store.write(async ({ q, t }) => void (await q.update(t.briefs).set({ partnerSyncedAt })));
  await partner.edit(brief.id, { status: "In review" });
  await expect.poll(async () => (await brief.read()).partner_status, { timeout: 10_000 }).toBe("In review");
});

test("retries an unavailable partner as often as configured", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isLookup = request.method === "GET";
    response.writeHead(isLookup ? 200 : 503, { "content-type": "application/json" }).end('{"id":"demo"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await using scene = await partnerScene(`http://127.0.0.1:${port}`, { env: { PARTNER_ATTEMPTS: "3" } });
    const brief = await scene.newBrief();
    expect((await brief.send()).body.code).toBe("PARTNER_UNAVAILABLE");
    const draft = `PUT /v1/briefs/${brief.id}`;
    expect(asked).toEqual(["GET /v1/workspaces/demo", draft, draft, draft]);
  } finally {
    server.close();
  }
});

test("answers 503 WORKSPACE_UNAVAILABLE if nothing listens at the partner's address", async () => {
  await using scene = await partnerScene("http://127.0.0.1:9");
  const brief = await scene.newBrief();
  expect(await brief.send()).toMatchObject({ status: 503, body: { code: "WORKSPACE_UNAVAILABLE" } });
});
