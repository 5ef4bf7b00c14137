import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { sweepAuditLog } from "../../auth/sweep.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { Browser } from "../../examples/browser.ts";
import { runDomainCommand } from "../../src/cli/domain-command.ts";
import { runQuotaCommand } from "../../src/cli/quota-command.ts";
import { openCommitted } from "../support/committed.ts";

import { namedEventRow, scene, type Entry } from "./audit-log-scene.ts";

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

const short = ({ endpoint, outcome, user_email, door }: Entry) => [endpoint, outcome, user_email, door];

test("the log states who did what, when, by which interface and client, and the outcome, newest first", async () => {
  await using s = await scene();
  const { owner, workspace, organization } = s;
  await owner.post(`${workspace.path}/brands`, { name: "Acme" });
  await s.w.deps.audit.flush();
  await owner.post(`${workspace.path}/brands`, { name: "acme" }, { "x-request-id": "mine" });
  const key = await owner.post("/v1/api-keys", {
    name: "Nightly",
    kind: "organization",
    organization_id: organization.id,
  });
  const { body } = await s.w.request("POST", "/v1/auth/token", { body: { api_key: key.body.api_key } });
  await s.w.deps.audit.flush();
  await s.w.request("GET", `${workspace.path}/brands`, { headers: { authorization: `Bearer ${body.access_token}` } });
  const [byKey, conflict, created] = (await s.read()).filter(({ endpoint }) => /Brand/.test(endpoint));
  expect(byKey).toMatchObject({ endpoint: "listBrands", client_id: key.body.id, client_name: "Nightly", door: "rest" });
  expect(conflict).toMatchObject({ endpoint: "createBrand", outcome: "CONFLICT", user_id: owner.id });
  expect(created).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    endpoint: "createBrand",
    text: "Added brand “Acme”",
    outcome: "ok",
    user_id: owner.id,
    user_email: owner.email,
    door: "rest",
    client_id: expect.any(String),
    client_name: "test",
    scopes: expect.arrayContaining(["read"]),
    workspace_id: workspace.id,
    cost_credits: null,
    confirmation: "none",
    request_id: expect.any(String),
    count: 1,
  });
});

test("filters and pages agree with the whole, and an export between two instants stays the same", async () => {
  let now = Date.parse("2026-11-21T12:00:00.000Z");
  await using s = await scene({ now: () => new Date((now += 1000)).toISOString() });
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  for (let at = 0; at < 4; at++) {
    await s.owner.get(`${s.workspace.path}/brands`);
    await viewer.post(`${s.workspace.path}/brands`, { name: "B" });
    await viewer.get(`${s.workspace.path}/tags`);
  }
  await s.w.deps.audit.flush();
  const to = new Date(now + 1).toISOString();
  const all = await s.read(`&include_reads=true&to=${to}`);
  expect(all).toHaveLength(12);
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => (a < b ? 1 : -1)));
  expect(await s.read(`&include_reads=true&to=${to}`, s.owner, 5)).toEqual(all);
  expect(await s.read(`&include_reads=true&to=${to}&user_id=${viewer.id}`)).toEqual(
    all.filter((row) => row["user_id"] === viewer.id),
  );
  expect(await s.read(`&include_reads=true&to=${to}&outcome=FORBIDDEN`, s.owner, 1)).toEqual(
    all.filter(({ outcome }) => outcome === "FORBIDDEN"),
  );
  expect(await s.read(`&include_reads=true&to=${to}&endpoint=listTags&user_id=${s.owner.id}`)).toEqual([]);
  const from = all[5]?.at ?? "";
  expect(await s.read(`&include_reads=true&to=${to}&from=${from}`)).toEqual(all.slice(0, 6));
  expect(await s.read(`&include_reads=true&to=${from}`)).toEqual(all.slice(6));
});

test("finds a rare value in a long log over possibly empty pages, none of them slow", async () => {
  await using s = await scene();
  const { now, newId } = s.w.deps;
  const { id: organizationId } = s.organization;
  const event = { organizationId, userId: null, door: "web", outcome: "ok", requestId: "r" } as const;
  await s.w.store.write((db) => insertAuditRows(db, [namedEventRow("first", event, { now, newId })]));
  await s.w.store.write((db) =>
    db.bulkInsert(
      db.t.auditLog,
      Array.from({ length: 45_000 }, () => namedEventRow("other", event, { now, newId })),
    ),
  );
  const first = await s.owner.get(`${s.path}?endpoint=first`);
  expect([first.body.data, first.body.next_cursor]).toEqual([[], expect.any(String)]);
  expect((await s.read("&endpoint=first")).map(({ endpoint }) => endpoint)).toEqual(["first"]);
});

test("logs sign-ins and failed sign-ins of members in their organization, and unknown e-mails nowhere", async () => {
  await using s = await scene();
  await givePassword(s.w, s.owner.id);
  const browser = new Browser();
  const attempt = async (email: string, password: string) => {
    const form = await browser.get(`${s.w.config.baseUrl}/sign-in`);
    return (await browser.submit(form, { action: /\/sign-in$/, fill: { email, password } })).status;
  };
  expect(await attempt("nobody@acme.test", PASSWORD)).toBe(401);
  expect(await attempt(s.owner.email, "a wrong password")).toBe(401);
  await s.w.deps.audit.flush();
  expect(await attempt(s.owner.email, PASSWORD)).toBe(200);
  expect((await s.read("&endpoint=signIn")).map(short)).toEqual([
    ["signIn", "ok", s.owner.email, "web"],
    ["signIn", "UNAUTHENTICATED", s.owner.email, "web"],
  ]);
});

test("logs operators' changes in the organization, and not their reads", async () => {
  await using s = await scene();
  await runQuotaCommand(s.w.store, []);
  await runQuotaCommand(s.w.store, [s.organization.id]);
  await runQuotaCommand(s.w.store, [s.organization.id, "brands=7"]);
  await runDomainCommand(s.w.store, ["verify", s.organization.id, "acme.test"]);
  const rows = await s.read();
  expect(rows.filter(({ door }) => door === "command").map(short)).toEqual([
    ["verifyOrganizationDomain", "ok", null, "command"],
    ["setQuotas", "ok", null, "command"],
  ]);
});

test("keeps rows for the configured days, and deletes a bounded number at a time", async () => {
  await using s = await scene();
  const event = {
    organizationId: s.organization.id,
    userId: null,
    door: "web",
    outcome: "ok",
    requestId: "r",
  } as const;
  const { newId } = s.w.deps;
  const rows = [400.1, 399.9].map((days) => namedEventRow(`${days}`, event, { now: () => daysAgo(days), newId }));
  const many = Array.from({ length: 2500 }, (_, index) => ({
    ...namedEventRow("old", event, s.w.deps),
    id: `0000${String(index).padStart(4, "0")}-0000-7000-8000-000000000000`,
    at: daysAgo(500),
  }));
  await s.w.store.write((db) => db.bulkInsert(db.t.auditLog, [...many, ...rows]));
  await sweepAuditLog(s.w.store, s.w.deps.now(), s.w.config.AUDIT_RETENTION_DAYS);
  expect((await s.read()).map(({ endpoint }) => endpoint)).toEqual(["399.9"]);
});

test("only owners read the log, and another organization's is not there", async () => {
  // Attack: reading another organization's log, or one above the own role.
  await using s = await scene();
  const organizationId = s.organization.id;
  const rivals = await s.w.insertTenant("Rival");
  const rival = await s.w.signIn("rival@rival.test", { organizationId: rivals.organization.id, role: "owner" });
  expect((await rival.get(s.path)).status).toBe(404);
  for (const role of ["editor", "viewer", "guest"] as const) {
    const person = await s.w.signIn(`${role}@acme.test`, { organizationId, role });
    expect([role, (await person.get(s.path)).status]).toEqual([role, 403]);
  }
  const cursor = (await s.owner.get(`${s.path}?limit=1`)).body.next_cursor;
  expect((await rival.get(`${rivals.organization.path}/audit-log?limit=1&cursor=${cursor}`)).body.data ?? []).toEqual(
    [],
  );
});

test("logs a stranger's attempt without identity, and keeps a removed member's name", async () => {
  // Attack: an owner learns accounts, e-mails and key names of other organizations from denied
  // calls.
  await using s = await scene();
  const organizationId = s.organization.id;
  const mallory = await s.w.signIn("mallory@rival.test");
  await mallory.get(`${s.workspace.path}/brands`);
  const leaver = await s.w.signIn("leaver@acme.test", { organizationId, role: "viewer" });
  await leaver.get(`${s.workspace.path}/tags`);
  await s.owner.delete(`${s.organization.path}/members/${leaver.id}`);
  const rows = await s.read();
  expect(rows.some((row) => row["endpoint"] === "listBrands")).toBe(false);
  expect(rows.find((row) => row["endpoint"] === "refusedCalls")).toMatchObject({
    outcome: "NOT_FOUND",
    count: 1,
    user_id: null,
    user_email: null,
    client_id: null,
    client_name: null,
  });
  expect(rows.find((row) => row["user_id"] === leaver.id)).toMatchObject({ outcome: "ok", user_email: leaver.email });
});

test("counts denials of strangers by the minute, and logs those of members individually", async () => {
  // Attack: bury entries under a hundred thousand denials, and fill the disk.
  let now = Date.now();
  await using s = await scene({ now: () => new Date(now).toISOString() });
  const mallory = await s.w.signIn("mallory@rival.test");
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  const tags = `${s.workspace.path}/tags`;
  for (let minute = 0; minute < 2; minute++) {
    for (let turn = 0; turn < 20; turn++) {
      await s.w.request("POST", tags, { body: { name: "x" } });
      await s.w.request("GET", tags);
      await mallory.get(tags);
      await viewer.post(tags, { name: "x" });
      await s.w.request("GET", tags.replace(s.organization.id, s.w.deps.newId()));
      await s.w.deps.audit.flush();
    }
    now += 60_000;
  }
  const rows = await s.read();
  const counted = rows.filter(({ endpoint }) => endpoint === "refusedCalls");
  expect(counted.map((row) => `${row.outcome} ${String(row["count"])}`).toSorted()).toEqual([
    "NOT_FOUND 20",
    "NOT_FOUND 20",
    "UNAUTHENTICATED 40",
    "UNAUTHENTICATED 40",
  ]);
  const refused = rows.filter((row) => row["user_id"] === viewer.id && row.outcome === "FORBIDDEN");
  expect(refused.map((row) => `${row.endpoint} ${String(row["count"])}`)).toEqual(Array(40).fill("createTag 1"));
  const { q, t } = openCommitted(s.w.store);
  expect(await q.select().from(t.auditLog).where(eq(t.auditLog.endpoint, "refusedCalls"))).toHaveLength(4);
});

test("audit rows contain no secrets", async () => {
  // Attack: read tokens and passwords from the log that arguments were sent in.
  await using s = await scene();
  const secret = "a-token-of-the-writers-9876";
  const body = { api_token: secret, partner_workspace_id: "demo", recipients: [] };
  await s.owner.request("PUT", `${s.workspace.path}/platform-integrations/partner`, { body });
  const invited = await s.owner.post(`${s.organization.path}/invitations`, { email: "a@acme.test" });
  const told = JSON.stringify(await s.read());
  expect(told).toContain("connectPartner");
  expect([told.includes(secret), told.includes(invited.body.link.slice(-43)), told.includes("hash")]).toEqual([
    false,
    false,
    false,
  ]);
});
