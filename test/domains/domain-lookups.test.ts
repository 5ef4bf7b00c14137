import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { listLinkingDomains, findOrganizationByDomain } from "../../db/identity/domains/domains.ts";
import { toInstant } from "../../core/shared/time.ts";
import { runDomainCommand } from "../../src/cli/domain-command.ts";
import { lookUpDueDomains } from "../../src/jobs/domain-lookups.ts";
import { openCommitted } from "../support/committed.ts";
import { startNameServer } from "./name-server.ts";
import { WITH_WORKER, world } from "../support/world.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];
const START = Date.parse("2026-03-02T10:00:00.000Z");
const at = (days: number) => toInstant(START + days * DAY);

const silent = { info: () => undefined, error: () => undefined } as never;

/** An organization with the domain acme.test verified at `at(0)`, and a clock. */
async function scene(dataDir?: string) {
  const dns = await startNameServer({});
  const clock = { ms: START };
  const open = (env: Record<string, string> = {}) =>
    world({
      env: { DNS_SERVERS: dns.address, ...env },
      now: () => toInstant(clock.ms),
      ...(dataDir === undefined ? {} : { dataDir }),
    });
  const w = await open();
  const { organization } = await w.acme();
  const path = `${organization.path}/domains`;
  const owner = () => w.signIn("owner@acme.test");
  const { body: claim } = await (await owner()).post(path, { domain: "acme.test" });
  const publish = (value: string | null) => {
    if (value === null) delete dns.records["acme.test"];
    else dns.records["acme.test"] = [[value]];
  };
  publish(claim.record_value);
  expect((await (await owner()).post(`${path}/${claim.id}/verify`)).status).toBe(200);
  dns.asked.length = 0;
  const lookUp = (of = w) => lookUpDueDomains({ ...of.deps, log: silent });
  return {
    w,
    dns,
    clock,
    open,
    organization,
    path,
    claim,
    publish,
    lookUp,
    owner,
    /** Advances to a day and runs due lookups; returns the number of queries. */
    async on(days: number) {
      clock.ms = START + days * DAY;
      const before = dns.asked.length;
      await lookUp();
      return dns.asked.length - before;
    },
    async domain() {
      return (await (await owner()).get(path)).body.data[0];
    },
    /** Audit log entries about domains caused by the system, newest first. */
    async told(of: { path: string } = organization, person = owner) {
      const { body } = await (await person()).get(`${of.path}/audit-log?limit=100`);
      return body.data
        .filter(({ door }: { door: string }) => door === "service")
        .map((row: { text: string; at: string; user_id: null }) => [row.text, row.at, row.user_id]);
    },
    linking: () => listLinkingDomains(openCommitted(w.store), organization.id, w.deps.now()),
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

test("rechecks a verified domain a week after its last lookup", async () => {
  await using s = await scene();
  expect(await s.on(6.9)).toBe(0);
  expect(await s.on(7)).toBe(2);
  expect(await s.domain()).toMatchObject({ status: "verified", last_looked_up_at: at(7), warned_at: null });
  expect(await s.on(7.5)).toBe(0);
  expect(await s.on(13.9)).toBe(0);
  expect(await s.on(14)).toBe(2);
  expect(await s.told()).toEqual([]);
});

test("a domain that was looked up while the clock was ahead is looked up at once, and a warning counts from now", async () => {
  // Fault: the next lookup, and the end of the warning, lay a year ahead.
  await using s = await scene();
  s.publish(null);
  for (const day of [365, 366, 367]) expect(await s.on(day)).toBe(2);
  expect((await s.domain()).status).toBe("failing");
  expect(await s.on(8)).toBe(2);
  expect(await s.on(8)).toBe(0);
  for (const day of [9, 10, 11, 12, 13, 14]) expect(await s.on(day)).toBe(2);
  expect((await s.domain()).status).toBe("failing");
  await s.on(15);
  expect((await s.domain()).status).toBe("lapsed");
});

test("the third day without the record warns the owners, and seven days later the domain gives no new rights", async () => {
  await using s = await scene();
  s.publish(null);
  expect([await s.on(7), await s.on(7.9), await s.on(8), await s.on(8.9)]).toEqual([2, 0, 2, 0]);
  expect(await s.domain()).toMatchObject({ status: "verified", warned_at: null, lapses_at: null });
  await s.on(9);
  expect(await s.domain()).toMatchObject({
    verified: true,
    status: "failing",
    warned_at: at(9),
    lapses_at: at(16),
    last_looked_up_at: at(9),
  });
  expect(await s.told()).toEqual([["Did not find the record of domain “acme.test”", at(9), null]]);
  for (let day = 10; day < 16; day++) await s.on(day);
  expect(await s.on(15.9)).toBe(0);
  expect(await s.linking()).toEqual(["acme.test"]);
  await s.on(16);
  expect(await s.domain()).toMatchObject({ verified: true, status: "lapsed", warned_at: at(9) });
  expect(await s.linking()).toEqual([]);
  const db = openCommitted(s.w.store);
  expect(await findOrganizationByDomain(db, "acme.test", { linkingAt: at(16) })).toBe(undefined);
  expect(await findOrganizationByDomain(db, "acme.test")).toBe(s.organization.id);
  await s.on(17);
  expect(await s.told()).toEqual([
    ["No longer counts domain “acme.test” as verified: its record is gone", at(16), null],
    ["Did not find the record of domain “acme.test”", at(9), null],
  ]);
  const owner = await s.owner();
  const listed = async (status: string) => (await owner.get(`${s.path}?status=${status}`)).body.data.length;
  expect([await listed("lapsed"), await listed("failing"), await listed("verified")]).toEqual([1, 0, 0]);
});

test("a record found again ends the warning, at the next lookup or on an owner's request", async () => {
  await using s = await scene();
  s.publish(null);
  for (const day of [7, 8]) await s.on(day);
  s.publish(s.claim.record_value);
  await s.on(9);
  // Two failures before do not count towards the next three.
  s.publish(null);
  for (const day of [16, 17]) await s.on(day);
  expect(await s.domain()).toMatchObject({ status: "verified" });
  await s.on(18);
  expect(await s.domain()).toMatchObject({ status: "failing" });
  const verify = async () => (await s.owner()).post(`${s.path}/${s.claim.id}/verify`);
  expect(await verify()).toMatchObject({ status: 422, body: { code: "UNPROCESSABLE" } });
  expect(await s.domain()).toMatchObject({ status: "failing", warned_at: at(18) });
  await s.on(25.5);
  expect(await s.domain()).toMatchObject({ status: "lapsed" });
  s.publish(s.claim.record_value);
  expect((await verify()).body).toMatchObject({ status: "verified", verified_at: at(0), last_looked_up_at: at(25.5) });
  expect(await s.linking()).toEqual(["acme.test"]);
  s.publish(null);
  for (const day of [32.5, 33.5, 34.5]) await s.on(day);
  s.publish(s.claim.record_value);
  await s.on(35.5);
  expect(await s.domain()).toMatchObject({ status: "verified", warned_at: null, lapses_at: null });
  expect((await s.told())[0]).toEqual(["Found the record of domain “acme.test” again", at(35.5), null]);
});

test("unanswered lookups do not count, and are repeated some hours later", async () => {
  // Attack: keeping an organization's name servers from answering, so that it loses its domain.
  await using s = await scene();
  s.dns.failing.add("_brand-visibility.acme.test");
  for (let hours = 0; hours < 20 * 24; hours += 4) await s.on(7 + (hours * HOUR) / DAY);
  expect(await s.domain()).toMatchObject({ status: "verified", last_looked_up_at: at(0), warned_at: null });
  expect(await s.on(27 - 0.01)).toBe(0);
  s.dns.failing.clear();
  await s.on(27);
  expect(await s.domain()).toMatchObject({ status: "verified", last_looked_up_at: at(27) });
  // Failures before and after an outage count together.
  s.publish(null);
  for (const day of [34, 35]) await s.on(day);
  s.dns.failing.add("acme.test");
  await s.on(36);
  expect(await s.domain()).toMatchObject({ status: "verified" });
  s.dns.failing.clear();
  expect(await s.on(36.1)).toBe(0);
  await s.on(36.5);
  expect(await s.domain()).toMatchObject({ status: "failing", warned_at: at(36.5) });
});

test("a domain verified by the operator is never looked up", async () => {
  await using s = await scene();
  expect(await runDomainCommand(s.w.store, ["verify", s.organization.id, "acme.test"])).toMatchObject({ ok: true });
  s.publish(null);
  for (const day of [7, 30, 400]) expect(await s.on(day)).toBe(0);
  expect(await s.domain()).toMatchObject({ status: "verified", verified_by: "operator" });
});

test("one of two processes looks up a domain, and a worker does so automatically", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-lookups-"));
  try {
    await using s = await scene(dataDir);
    await using other = await s.open();
    await Promise.all([s.on(7), s.lookUp(other)]);
    expect(s.dns.asked).toEqual(["_brand-visibility.acme.test", "acme.test"]);
    s.clock.ms = Date.parse(at(14));
    await using worker = await s.open(WITH_WORKER);
    await vi.waitFor(async () => expect(await s.domain()).toMatchObject({ last_looked_up_at: at(14) }), 5000);
    expect(worker.config.SERVE).toContain("worker");
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("a lapsed domain goes to the organization that the DNS names then, and to no other before", async () => {
  await using s = await scene();
  const { organization: rival } = await s.w.insertTenant("Rival");
  const member = { organizationId: rival.id, role: "owner" as const };
  await s.w.signIn("owner@rival.test", member);
  const rivalOwner = () => s.w.signIn("owner@rival.test");
  const { body: theirs } = await (await rivalOwner()).post(`${rival.path}/domains`, { domain: "acme.test" });
  const claim = async () => (await rivalOwner()).post(`${rival.path}/domains/${theirs.id}/verify`);
  s.publish(null);
  for (const day of [7, 8, 9]) await s.on(day);
  s.publish(theirs.record_value);
  // Failing is not lapsed.
  expect(await claim()).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  await s.on(16);
  s.publish(null);
  // A lapse is not enough: the DNS must have the claimant's record.
  expect((await claim()).status).toBe(422);
  expect(await runDomainCommand(s.w.store, ["verify", rival.id, "acme.test"])).toMatchObject({ ok: false });
  s.publish(theirs.record_value);
  expect((await claim()).body).toMatchObject({ verified: true, status: "verified" });
  expect(await findOrganizationByDomain(openCommitted(s.w.store), "acme.test")).toBe(rival.id);
  expect(await s.domain()).toMatchObject({
    verified: false,
    status: "unverified",
    verified_at: null,
    verified_by: null,
    last_looked_up_at: null,
    warned_at: null,
  });
  expect((await s.told())[0]).toEqual(["Lost domain “acme.test” to another organization", at(16), null]);
  expect(await s.told(rival, rivalOwner)).toEqual([]);
  // The old claim does not return by itself: it is no longer looked up.
  s.publish(s.claim.record_value);
  await s.on(17);
  expect(await s.domain()).toMatchObject({ verified: false });
});
