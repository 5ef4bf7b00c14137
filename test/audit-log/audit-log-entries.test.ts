import { expect, test } from "vitest";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { Browser } from "../../examples/browser.ts";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { runDomainCommand } from "../../src/cli/domain-command.ts";
import { runQuotaCommand } from "../../src/cli/quota-command.ts";
import { formatEntryText, listTemplateFields } from "../../db/audit-log/entry-text.ts";
import { renderActionText, listAuditedActions } from "../../tools/audit-log/audited-actions.ts";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";

import { namedEventRow, scene, type Entry } from "./audit-log-scene.ts";

const textsOf = (rows: Entry[]) => rows.map((row) => row["text"]);

test("an entry names the action, the object and its name at that time", async () => {
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
    "Changed brand “Bolt”: name",
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

test("commands of operators log the domain, account and quotas", async () => {
  // Fault: "Disabled an account", in an organization with a thousand.
  await using s = await scene();
  const { store } = s.w;
  await runQuotaCommand(store, [s.organization.id, "brands=7", "assets=plan"]);
  await runDomainCommand(store, ["verify", s.organization.id, "acme.test"]);
  await runDomainCommand(store, ["remove", s.organization.id, "acme.test"]);
  const leaver = await s.w.signIn("leaver@acme.test", { organizationId: s.organization.id, role: "viewer" });
  for (const verb of ["disable", "enable", "reset"]) {
    expect(await runAccountCommand(store, [verb, leaver.email], s.w.config)).toMatchObject({ ok: true });
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

test("each loggable event has a description, and each write names its target", () => {
  // Fault: an endpoint, an event or a directory's operation that the log shows by its name in the
  // code.
  expect(renderActionText({ endpoint: "addSomethingOld", outcome: "ok" }, endpoints)).toBe("Add something old");
  expect(endpoints.filter((one) => !isReadEndpoint(one) && one.logged === undefined).map(({ name }) => name)).toEqual(
    [],
  );
  expect(endpoints.filter((one) => isReadEndpoint(one) && one.logged !== undefined)).toEqual([]);
  const secret = /password|secret|token$|code|certificate|^text$|^content$|lines/;
  for (const one of endpoints) {
    const known = new Set([
      ...Object.keys(one.input.shape),
      ...Object.keys("shape" in one.output ? one.output.shape : {}),
    ]);
    const fields = listTemplateFields(one.logged ?? "");
    expect([one.name, fields.filter((field) => !known.has(field) || secret.test(field))]).toEqual([one.name, []]);
  }
  const names = listAuditedActions(endpoints).map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(formatEntryText("Made {user_id} {role} of {name}", { user_id: "a@b.test", role: null })).toBe(
    "Made “a@b.test” of",
  );
  expect(formatEntryText("{name}", { name: "x".repeat(500) })).toHaveLength(103);
});

test("logs reads on request only, and never the console's own reads", async () => {
  // Fault: an owner who reads the log buries it under entries of reading.
  await using s = await scene();
  await s.owner.get(`${s.workspace.path}/brands`);
  await s.owner.post(`${s.workspace.path}/brands`, { name: "Acme" });
  await givePassword(s.w, s.owner.id);
  const browser = new Browser();
  const form = await browser.get(`${s.w.config.baseUrl}/sign-in`);
  await browser.submit(form, { action: /\/sign-in$/, fill: { email: s.owner.email, password: PASSWORD } });
  const page = `${s.w.config.baseUrl}/organizations/${s.organization.id}/audit-log`;
  for (let turn = 0; turn < 3; turn++) await browser.get(page);
  // Without a configuration, the page's read finds nothing.
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

test("an export has all filtered entries, and no formula that a spreadsheet runs", async () => {
  // Attack: a brand name or e-mail that is a formula in the owner's spreadsheet.
  await using s = await scene();
  const { now, newId } = s.w.deps;
  const event = {
    organizationId: s.organization.id,
    userId: null,
    door: "web",
    outcome: "ok",
    requestId: "r",
  } as const;
  const rows = Array.from({ length: 450 }, () => namedEventRow("=cmd", event, { now, newId }));
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
