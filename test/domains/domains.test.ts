import { expect, test } from "vitest";
import { insertDomain, findOrganizationByDomain, listVerifiedDomains } from "../../db/identity/domains/domains.ts";
import { runDomainCommand } from "../../src/cli/domain-command.ts";
import { readConfig } from "../../src/config/config.ts";
import { startNameServer } from "./name-server.ts";
import { world, type Person } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

async function scene(records: Record<string, string[][]> = {}) {
  const dns = await startNameServer(records);
  const w = await world({ env: { DNS_SERVERS: dns.address } });
  const { owner, organization } = await w.acme();
  const path = `${organization.path}/domains`;
  return {
    w,
    dns,
    owner,
    organization,
    path,
    async claim(domain: string, by: { person: Person; path: string } = { person: owner, path }) {
      const { status, body } = await by.person.post(by.path, { domain });
      expect(status).toBe(201);
      return { ...body, verify: () => by.person.post(`${by.path}/${body.id}/verify`) };
    },
    /** Another organization and its owner. */
    async rival() {
      const rival = await w.insertTenant("Rival");
      const member = { organizationId: rival.organization.id, role: "owner" as const };
      return { person: await w.signIn("owner@rival.test", member), path: `${rival.organization.path}/domains` };
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

test("a domain is claimed, shown by its TXT record, listed and given up", async () => {
  await using s = await scene();
  const { verify, ...claimed } = await s.claim(" ACME.test ");
  expect(claimed).toEqual({
    id: expect.any(String) as unknown,
    domain: "acme.test",
    verified: false,
    status: "unverified",
    record_name: "_brand-visibility.acme.test",
    record_value: expect.stringMatching(/^brand-visibility-verification=[\w-]{32}$/) as unknown,
    created_at: expect.any(String) as unknown,
    verified_at: null,
    verified_by: null,
    last_looked_up_at: null,
    warned_at: null,
    lapses_at: null,
  });
  expect(await verify()).toMatchObject({ status: 422, body: { code: "UNPROCESSABLE" } });
  expect(s.dns.asked).toEqual(["_brand-visibility.acme.test", "acme.test"]);
  expect(await listVerifiedDomains(openCommitted(s.w.store), s.organization.id)).toEqual([]);
  s.dns.records[claimed.record_name] = [["v=other"], [claimed.record_value]];
  const verified = await verify();
  const at = expect.any(String) as unknown;
  const state = { verified: true, status: "verified", verified_by: "dns" };
  const shown = { ...claimed, ...state, verified_at: at, last_looked_up_at: at };
  expect(verified).toMatchObject({ status: 200, body: shown });
  expect((await s.owner.get(s.path)).body).toEqual({ data: [verified.body], next_cursor: null });
  expect(await listVerifiedDomains(openCommitted(s.w.store), s.organization.id)).toEqual(["acme.test"]);
  expect(await findOrganizationByDomain(openCommitted(s.w.store), "acme.test")).toBe(s.organization.id);
  // Once shown it is not looked up again.
  const asked = s.dns.asked.length;
  expect((await verify()).body).toEqual(verified.body);
  expect(s.dns.asked.length).toBe(asked);
  expect((await s.owner.delete(`${s.path}/${claimed.id}`)).body).toEqual({ id: claimed.id, deleted: true });
  expect(await verify()).toMatchObject({ status: 404 });
  expect(await findOrganizationByDomain(openCommitted(s.w.store), "acme.test")).toBe(undefined);
});

test("the record may be at the domain itself, and split into parts", async () => {
  await using s = await scene();
  const { verify, record_value: value } = await s.claim("acme.test");
  s.dns.records["acme.test"] = [[value.slice(0, 20), value.slice(20)]];
  expect((await verify()).body).toMatchObject({ verified: true });
});

test("a domain belongs to one organization, even if two had its record", async () => {
  // Attack: taking over the people of an organization by verifying its domain a second time.
  await using s = await scene();
  const rival = await s.rival();
  const [ours, theirs] = [await s.claim("acme.test"), await s.claim("acme.test", rival)];
  expect(ours.record_value).not.toBe(theirs.record_value);
  s.dns.records["acme.test"] = [[ours.record_value]];
  // Another claim's record proves nothing.
  expect((await theirs.verify()).status).toBe(422);
  expect((await ours.verify()).status).toBe(200);
  s.dns.records["acme.test"] = [[theirs.record_value]];
  expect(await theirs.verify()).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  expect(await findOrganizationByDomain(openCommitted(s.w.store), "acme.test")).toBe(s.organization.id);
  await s.owner.delete(`${s.path}/${ours.id}`);
  expect((await theirs.verify()).status).toBe(200);
});

test("rejects a domain that no organization can own exclusively", async () => {
  // Attack: claiming a public suffix, and with it everybody's addresses below it.
  await using s = await scene();
  const shared = [
    "com",
    "co.uk",
    "github.io",
    "10.0.0.1",
    "localhost",
    "a@acme.test",
    "http://acme.test",
    "a..test",
    "",
  ];
  for (const domain of shared) {
    expect([domain, await s.owner.post(s.path, { domain })]).toMatchObject([
      domain,
      { status: 400, body: { code: "VALIDATION_FAILED", fields: [{ path: "domain" }] } },
    ]);
  }
});

test("a domain is claimed once, by an owner, and another organization's is not there", async () => {
  await using s = await scene();
  const claimed = await s.claim("acme.test");
  expect(await s.owner.post(s.path, { domain: "acme.test" })).toMatchObject({ status: 409 });
  const rival = await s.rival();
  expect((await rival.person.post(`${rival.path}/${claimed.id}/verify`)).status).toBe(404);
  expect((await rival.person.delete(`${rival.path}/${claimed.id}`)).status).toBe(404);
  const editor = await s.w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  expect((await editor.get(s.path)).status).toBe(403);
  await s.w.store.write(async (db) => {
    const tenant = { db, organizationId: s.organization.id };
    for (let more = 1; more < 500; more++) {
      const at = s.w.deps.now();
      await insertDomain(tenant, { id: s.w.deps.newId(), domain: `acme-${more}.test`, token: "t", createdAt: at });
    }
  });
  expect(await s.owner.post(s.path, { domain: "one-too-many.test" })).toMatchObject({ status: 409 });
  const all: string[] = [];
  let cursor = "";
  do {
    const { body } = await s.owner.get(`${s.path}?limit=90${cursor}`);
    all.push(...body.data.map(({ domain }: { domain: string }) => domain));
    cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
  } while (cursor !== "");
  expect([all.length, new Set(all).size]).toEqual([500, 500]);
  expect(all).toEqual(all.toSorted((a, b) => (a < b ? -1 : 1)));
});

test("without a name server response nothing is decided, and the next attempt queries again", async () => {
  await using w = await world();
  const { owner, organization } = await w.acme();
  const path = `${organization.path}/domains`;
  const { body } = await owner.post(path, { domain: "acme.test" });
  const verify = () => owner.post(`${path}/${body.id}/verify`);
  expect(await verify()).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
  expect((await verify()).status).toBe(503);
  expect((await owner.get(path)).body.data).toEqual([body]);
});

test("lets an operator verify and remove domains that DNS cannot prove", async () => {
  await using s = await scene();
  const { store } = s.w;
  const run = (...args: string[]) => runDomainCommand(store, args);
  expect(await run(s.organization.id)).toEqual({ text: "The organization has no domains.\n", ok: true });
  expect(await run("verify", s.organization.id, "acme.internal")).toEqual({
    text: "acme.internal  verified\n",
    ok: true,
  });
  expect(await findOrganizationByDomain(openCommitted(store), "acme.internal")).toBe(s.organization.id);
  const rival = await s.rival();
  const rivalId = rival.path.split("/")[3] ?? "";
  expect((await run("verify", rivalId, "acme.internal")).ok).toBe(false);
  expect(await run("verify", s.organization.id, "co.uk")).toMatchObject({ ok: false });
  expect(await run("verify", "00000000-0000-7000-8000-000000000000", "a.test")).toMatchObject({ ok: false });
  expect((await run("nonsense", s.organization.id, "a.test")).text).toContain("npx brand-visibility domains");
  expect((await run()).text).toContain("npx brand-visibility domains");
  expect(await run("remove", s.organization.id, "acme.internal")).toMatchObject({ ok: true });
  expect(await run("remove", s.organization.id, "acme.internal")).toMatchObject({ ok: false });
  expect(await listVerifiedDomains(openCommitted(store), s.organization.id)).toEqual([]);
});

test("name servers are addresses", () => {
  expect(readConfig({ DNS_SERVERS: "127.0.0.1:5353, ::1,[::1]:53" }).DNS_SERVERS).toEqual([
    "127.0.0.1:5353",
    "::1",
    "[::1]:53",
  ]);
  expect(() => readConfig({ DNS_SERVERS: "dns.example" })).toThrow("DNS_SERVERS");
});
