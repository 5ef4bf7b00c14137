import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { WITH_WORKER } from "../support/world.ts";
import { startPartner, type PartnerProcess } from "./partner-process.ts";
import { DUE_DATE, partnerScene } from "./scene.ts";

// Repeated or concurrent sends leave one brief and one submission at the partner.

let partner: PartnerProcess;

beforeAll(async () => {
  partner = await startPartner();
});

beforeEach(() => partner.fail(null));

afterAll(() => partner[Symbol.asyncDispose]());

// A try is two attempts of half a second with a pause, so that ten consecutive tries exceed the
// limit.
test(
  "concurrent senders are told of an unreachable partner, instead of each trying again",
  { timeout: 8000 },
  async () => {
    await using scene = await partnerScene(partner.address);
    const brief = await scene.newBrief();
    await partner.fail("hang");
    const answers = await Promise.all(Array.from({ length: 10 }, () => brief.send()));
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => "PARTNER_UNAVAILABLE"));
  },
);

test.each([["hang_after_acceptance"], ["garbage_after_acceptance"]] as const)(
  "after a submission with an unknown outcome (%s), the next send returns 200 for the same due date and sends nothing",
  async (fault) => {
    await using scene = await partnerScene(partner.address);
    const [brief, other] = [await scene.newBrief(), await scene.newBrief()];
    await partner.fail(fault);
    const lost = await Promise.all([brief.send(), other.send()]).finally(() => partner.fail(null));
    expect(lost.map(({ status, body }) => [status >= 502, body.brief.partner_due_date])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(await brief.send()).toMatchObject({ status: 200, body: { partner_due_date: DUE_DATE } });
    const late = await other.send({ due_date: "2101-01-01T00:00:00Z" });
    expect(late).toMatchObject({ status: 409, body: { code: "ALREADY_SENT", brief: { partner_due_date: DUE_DATE } } });
    const submissions = await Promise.all(
      [brief, other].map(async ({ id }) => (await partner.of(id)).submissions.length),
    );
    expect(submissions).toEqual([1, 1]);
  },
);

test("after a submission with an unknown outcome, the worker polls it, and the brief is shown as sent", async () => {
  await using scene = await partnerScene(partner.address, { env: { ...WITH_WORKER, PARTNER_SYNC_SECONDS: "0.2" } });
  const brief = await scene.newBrief();
  await partner.fail("hang_after_acceptance");
  expect((await brief.send()).body.code).toBe("PARTNER_UNAVAILABLE");
  await partner.fail(null);
  await expect.poll(async () => (await brief.read()).partner_due_date, { timeout: 10_000 }).toBe(DUE_DATE);
  expect((await brief.send()).body.code).toBe("ALREADY_SENT");
  expect((await partner.of(brief.id)).submissions).toHaveLength(1);
});

test("partner fields are read back as the partner has them, until it calls them final", async () => {
  await using scene = await partnerScene(partner.address, { env: { ...WITH_WORKER, PARTNER_SYNC_SECONDS: "0.2" } });
  const brief = await scene.newBrief();
  const sent = await brief.send();
  await partner.edit(brief.id, { status: "Waiting for Zoë\u202E's \u0007review", url: "javascript:alert(1)" });
  await expect
    .poll(async () => (await brief.read()).partner_status, { timeout: 10_000 })
    .toBe("Waiting for Zoë's review");
  const read = await brief.read();
  expect(read.partner_synced_at > sent.body.partner_synced_at).toBe(true);
  // A link that a click would run is not shown.
  expect(read.partner_url).toBe(null);
  await partner.edit(brief.id, { status: "Published", final: true });
  await expect.poll(async () => (await brief.read()).partner_status, { timeout: 10_000 }).toBe("Published");
  await partner.edit(brief.id, { status: "Never read" });
  await sleep(1500);
  expect((await brief.read()).partner_status).toBe("Published");
});
