import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { givePassword, PASSWORD } from "./assistant.ts";
import { sweepAuditLog } from "../auth/sweep.ts";
import { insertAuditRows } from "../db/identity/audit/audit.ts";
import { Browser } from "../examples/browser.ts";
import { accountCommand } from "../src/cli/account-command.ts";
import { domainCommand } from "../src/cli/domain-command.ts";
import { quotaCommand } from "../src/cli/quota-command.ts";
import { eventRow, type AuditedEvent } from "../db/identity/audit/audit-event.ts";
import { committed } from "./committed.ts";
import { entryText, fieldsOfEntry } from "../db/identity/audit/entry-text.ts";
import { csvLine } from "../src/http/web/csv.ts";
import { actionShown, auditedActions } from "../tools/audit-log/actions.ts";
import { reads } from "../tools/endpoint.ts";
import { endpoints } from "../tools/index.ts";
import { world, type Person } from "./world.ts";

interface Entry {
  at: string;
  endpoint: string;
  outcome: string;
  user_email: string | null;
  [field: string]: unknown;
}

async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const acme = await w.acme();
  const path = `${acme.organization.path}/audit-log`;
  /** The whole log with its reads, by pages. */
  async function read(query = "&include_reads=true", by: Person = acme.owner, limit = 100): Promise<Entry[]> {
    await w.deps.audit.flush();
    const rows: Entry[] = [];
    let cursor = "";
    do {
      const { status, body } = await by.get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}${query}`);
      expect([status, body.code]).toEqual([200, undefined]);
      rows.push(...body.data);
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    return rows;
  }
  return { w, ...acme, path, read, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

/** The row of an event that has a name of the test's own. */
function named(name: string, event: Omit<AuditedEvent, "name">, deps: Parameters<typeof eventRow>[1]) {
  return { ...eventRow({ ...event, name: "signIn" }, deps), endpoint: name };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

const short = ({ endpoint, outcome, user_email, door }: Entry) => [endpoint, outcome, user_email, door];

test("the log tells who did what, when, through which door and client, and how it ended, the newest first", async () => {
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

test("a rare value in a long log is found over pages that may be empty, and none of them takes long", async () => {
  await using s = await scene();
  const { now, newId } = s.w.deps;
  const { id: organizationId } = s.organization;
  const event = { organizationId, userId: null, door: "web", outcome: "ok", requestId: "r" } as const;
  await s.w.store.write((db) => insertAuditRows(db, [named("first", event, { now, newId })]));
  await s.w.store.write((db) =>
    db.bulkInsert(
      db.t.auditLog,
      Array.from({ length: 45_000 }, () => named("other", event, { now, newId })),
    ),
  );
  const first = await s.owner.get(`${s.path}?endpoint=first`);
  expect([first.body.data, first.body.next_cursor]).toEqual([[], expect.any(String)]);
  expect((await s.read("&endpoint=first")).map(({ endpoint }) => endpoint)).toEqual(["first"]);
});

test("sign-ins of members and refused ones are in the log of their organization, unknown e-mails in none", async () => {
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

test("what operators change by a command is in the log of the organization, and what they only look at is not", async () => {
  await using s = await scene();
  await quotaCommand(s.w.store, []);
  await quotaCommand(s.w.store, [s.organization.id]);
  await quotaCommand(s.w.store, [s.organization.id, "brands=7"]);
  await domainCommand(s.w.store, ["verify", s.organization.id, "acme.test"]);
  const rows = await s.read();
  expect(rows.filter(({ door }) => door === "command").map(short)).toEqual([
    ["verifyOrganizationDomain", "ok", null, "command"],
    ["setQuotas", "ok", null, "command"],
  ]);
});

test("rows are kept as many days as the configuration says, and deleted a bounded number at a time", async () => {
  await using s = await scene();
  const event = {
    organizationId: s.organization.id,
    userId: null,
    door: "web",
    outcome: "ok",
    requestId: "r",
  } as const;
  const { newId } = s.w.deps;
  const rows = [400.1, 399.9].map((days) => named(`${days}`, event, { now: () => daysAgo(days), newId }));
  const many = Array.from({ length: 2500 }, (_, index) => ({
    ...named("old", event, s.w.deps),
    id: `0000${String(index).padStart(4, "0")}-0000-7000-8000-000000000000`,
    at: daysAgo(500),
  }));
  await s.w.store.write((db) => db.bulkInsert(db.t.auditLog, [...many, ...rows]));
  await sweepAuditLog(s.w.store, s.w.deps.now(), s.w.config.AUDIT_RETENTION_DAYS);
  expect((await s.read()).map(({ endpoint }) => endpoint)).toEqual(["399.9"]);
});

test("only owners read the log, and another organization's is not there", async () => {
  // Attack: read who does what in an organization of somebody else, or above one's own role.
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

test("a stranger's attempt is in the log without who it was, and who was removed stays known by what they did", async () => {
  // Attack: an owner learns accounts, e-mails and keys' names of other organizations from refused calls.
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

test("refusals of strangers are counted by the minute, and those of members are each in the log", async () => {
  // Attack: bury what was done under a hundred thousand refusals, and fill the disk with them.
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
  const { q, t } = committed(s.w.store);
  expect(await q.select().from(t.auditLog).where(eq(t.auditLog.endpoint, "refusedCalls"))).toHaveLength(4);
});

test("no secret of a call is in its row", async () => {
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

const textsOf = (rows: Entry[]) => rows.map((row) => row["text"]);

test("an entry says what was done to what, in the names of that moment", async () => {
  // Fault: an owner reads createApiKey and updateTag, and not which key and which tag.
  await using s = await scene();
  const { owner, organization, workspace } = s;
  await owner.post("/v1/api-keys", { name: "Nightly", kind: "organization", organization_id: organization.id });
  await owner.request("POST", `${organization.path}/invitations`, {
    body: { email: "bob@acme.test" },
    headers: { authorization: `Bearer ${await owner.signedInToken()}` },
  });
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Bolt" });
  await owner.patch(`${workspace.path}/brands/${brand.body.id}`, { name: "Nut" });
  await owner.delete(`${workspace.path}/brands/${brand.body.id}`);
  await owner.patch(workspace.path, { name: "Renamed" });
  const viewer = await s.w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  await viewer.post(`${workspace.path}/brands`, { name: "Refused" });
  expect(textsOf(await s.read(""))).toEqual([
    "Add a brand to the catalog",
    `Renamed workspace “${workspace.name}” to “Renamed”`,
    "Archived brand “Nut”",
    "Changed brand “Bolt”",
    "Added brand “Bolt”",
    "Invited “bob@acme.test”",
    "Created key “Nightly”",
  ]);
});

test("a key that ends or is replaced is in the log of its organization, by its name", async () => {
  // Fault: whoever ends the key of a nightly export leaves no trace in the organization's log.
  await using s = await scene();
  const { owner, organization, workspace } = s;
  const headers = { authorization: `Bearer ${await owner.signedInToken()}` };
  const ask = (method: string, path: string, body?: object) => s.w.request(method, path, { body, headers });
  const make = async (name: string, reach: object) => (await ask("POST", "/v1/api-keys", { name, ...reach })).body.id;
  const nightly = await make("Nightly", { kind: "organization", organization_id: organization.id });
  const import_ = await make("Import", {
    kind: "workspace",
    organization_id: organization.id,
    workspace_id: workspace.id,
  });
  const own = await make("Own", { kind: "user" });
  const rotated = await ask("POST", `/v1/api-keys/${import_}/rotate`, {});
  expect(rotated.status).toBe(201);
  for (const id of [nightly, rotated.body.id, own])
    expect((await ask("DELETE", `/v1/api-keys/${id}`)).status).toBe(200);
  const rows = await s.read("");
  expect(rows.map((row) => [row["text"], row["workspace_id"]])).toEqual([
    ["Revoked key “Import”", workspace.id],
    ["Revoked key “Nightly”", null],
    ["Replaced key “Import”", workspace.id],
    ["Created key “Import”", workspace.id],
    ["Created key “Nightly”", null],
  ]);
});

test("what operators do by commands names the domain, the account and the quotas", async () => {
  // Fault: "Disabled an account", in an organization with a thousand.
  await using s = await scene();
  const { store } = s.w;
  await quotaCommand(store, [s.organization.id, "brands=7", "assets=plan"]);
  await domainCommand(store, ["verify", s.organization.id, "acme.test"]);
  await domainCommand(store, ["remove", s.organization.id, "acme.test"]);
  const leaver = await s.w.signIn("leaver@acme.test", { organizationId: s.organization.id, role: "viewer" });
  for (const verb of ["disable", "enable", "reset"]) {
    expect(await accountCommand(store, [verb, leaver.email], s.w.config)).toMatchObject({ ok: true });
  }
  expect(textsOf(await s.read(""))).toEqual([
    "Reset the password of “leaver@acme.test”",
    "Enabled the account of “leaver@acme.test”",
    "Disabled the account of “leaver@acme.test”",
    "Removed domain “acme.test”",
    "Verified domain “acme.test”",
    "Set quotas “brands 7, assets as in the plan”",
  ]);
});

test("whatever can be in the log says what it is, and every write names what its input or answer has", () => {
  // Fault: an endpoint, an event or a directory's operation that the log shows by its name in the code.
  expect(actionShown({ endpoint: "addSomethingOld", outcome: "ok" })).toBe("Add something old");
  expect(endpoints.filter((one) => !reads(one) && one.logged === undefined).map(({ name }) => name)).toEqual([]);
  expect(endpoints.filter((one) => reads(one) && one.logged !== undefined)).toEqual([]);
  const secret = /password|secret|token$|code|certificate|^text$|^content$|lines/;
  for (const one of endpoints) {
    const known = new Set([
      ...Object.keys(one.input.shape),
      ...Object.keys("shape" in one.output ? one.output.shape : {}),
    ]);
    const fields = fieldsOfEntry(one.logged ?? "");
    expect([one.name, fields.filter((field) => !known.has(field) || secret.test(field))]).toEqual([one.name, []]);
  }
  const names = auditedActions().map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(entryText("Made {user_id} {role} of {name}", { user_id: "a@b.test", role: null })).toBe("Made “a@b.test” of");
  expect(entryText("{name}", { name: "x".repeat(500) })).toHaveLength(103);
});

test("what was only read is in the log when it is asked for, and what the console reads for its pages never", async () => {
  // Fault: an owner who looks at the log buries it under entries of looking at it.
  await using s = await scene();
  await s.owner.get(`${s.workspace.path}/brands`);
  await s.owner.post(`${s.workspace.path}/brands`, { name: "Acme" });
  await givePassword(s.w, s.owner.id);
  const browser = new Browser();
  const form = await browser.get(`${s.w.config.baseUrl}/sign-in`);
  await browser.submit(form, { action: /\/sign-in$/, fill: { email: s.owner.email, password: PASSWORD } });
  const page = `${s.w.config.baseUrl}/organizations/${s.organization.id}/audit-log`;
  for (let turn = 0; turn < 3; turn++) await browser.get(page);
  // Without a configuration, the page's read of it finds nothing.
  await browser.get(`${s.w.config.baseUrl}/organizations/${s.organization.id}/sso`);
  await s.w.deps.audit.flush();
  const shown = (await s.owner.get(s.path)).body.data as Entry[];
  expect(textsOf(shown)).toEqual(["Signed in", "Added brand “Acme”"]);
  const all = await s.read();
  expect(all.filter(({ door, endpoint }) => door === "web" && endpoint !== "signIn")).toEqual([]);
  expect(textsOf(all)).toContain("List the brands of the catalog");
  expect(textsOf(await s.read("&endpoint=listBrands"))).toEqual(["List the brands of the catalog"]);
  const { text } = await browser.get(page);
  expect(text).toContain("Added brand “Acme”");
  expect(text).toMatch(/<option value="createBrand"[^>]*>Add a brand to the catalog/);
  expect(text).toMatch(/<option value="FORBIDDEN"[^>]*>Forbidden/);
});

test("an export has every entry that its filters leave, and nothing in it that a spreadsheet runs", async () => {
  // Attack: a brand's name or an e-mail that is a formula in the spreadsheet of the owner who opens the export.
  expect(csvLine(["=1+1", "+1", "-1", "@A1", "\t=1", "＝1", 'a"b', -1, null])).toBe(
    `"'=1+1","'+1","'-1","'@A1","'\t=1","'＝1","a""b","-1",""\r\n`,
  );
  await using s = await scene();
  const { now, newId } = s.w.deps;
  const event = {
    organizationId: s.organization.id,
    userId: null,
    door: "web",
    outcome: "ok",
    requestId: "r",
  } as const;
  const rows = Array.from({ length: 450 }, () => named("=cmd", event, { now, newId }));
  await s.w.store.write((db) => insertAuditRows(db, rows));
  await s.owner.post(`${s.workspace.path}/brands`, { name: "Acme" });
  await givePassword(s.w, s.owner.id);
  const browser = new Browser();
  const form = await browser.get(`${s.w.config.baseUrl}/sign-in`);
  await browser.submit(form, { action: /\/sign-in$/, fill: { email: s.owner.email, password: PASSWORD } });
  const address = `${s.w.config.baseUrl}/organizations/${s.organization.id}/audit-log.csv`;
  const whole = await browser.get(address);
  const lines = whole.text.trimEnd().split("\r\n");
  expect(lines[0]).toContain('"at","user_email","user_id","text"');
  expect(lines.filter((line) => line.includes(`"'=cmd"`))).toHaveLength(450);
  expect(lines.filter((line) => line.includes('"Added brand “Acme”"'))).toHaveLength(1);
  const some = await browser.get(`${address}?endpoint=createBrand`);
  expect(some.text.trimEnd().split("\r\n")).toHaveLength(2);
  expect(textsOf(await s.read("&endpoint=exportAuditLog"))).toEqual([
    "Exported the audit log",
    "Exported the audit log",
  ]);
  const stranger = new Browser();
  expect((await stranger.get(address)).text).not.toContain("Acme”");
});
