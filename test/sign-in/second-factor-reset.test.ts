import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { insertMember } from "../../db/identity/organizations.ts";
import { givePassword, PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { OWNER, ownerWithApp, setUpApp } from "./second-factor-scene.ts";
import { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;
const ANA = "ana@acme.test";

/** An owner, and a member with a second factor. */
async function scene(w: World) {
  const { owner, organization } = await w.acme();
  const ana = await w.signIn(ANA, { organizationId: organization.id, role: "viewer" });
  await givePassword(w, ana.id);
  await setUpApp(w, ANA);
  const members = `${organization.path}/members`;
  return { owner, organization, ana, members, reset: `${members}/${ana.id}/reset-second-factor` };
}

/** The page after entering the password. */
async function afterPassword(w: World, email: string) {
  const browser = new Browser();
  const page = await browser.get(`${w.config.baseUrl}/sign-in`);
  const end = await browser.submit(page, { action: /^\/sign-in$/, fill: { email, password: PASSWORD } });
  return { browser, path: end.url.pathname };
}

test("lets an owner reset a member's lost second factor on the members page, and notifies the member", async () => {
  await using w = await world();
  const { organization, ana } = await scene(w);
  expect((await afterPassword(w, ANA)).path).toBe("/sign-in/second-factor");
  const browser = await signedInBrowser(w, OWNER);
  const page = await browser.get(`${w.config.baseUrl}/organizations/${organization.id}/members`);
  const done = await browser.submit(page, { action: /\/reset-factor$/ });
  expect([done.text.includes("Their password signs in alone"), done.text.includes("Reset second factor")]).toEqual([
    true,
    false,
  ]);
  const back = await afterPassword(w, ANA);
  expect(back.path).toBe("/");
  const told = await back.browser.get(`${w.config.baseUrl}/account`);
  expect(told.text).toContain("Your second factor was removed by an owner of Acme.");
  const { q, t } = openCommitted(w.store);
  const [row] = await q.select().from(t.auditLog).where(eq(t.auditLog.endpoint, "resetSecondFactor"));
  expect([row?.outcome, row?.userId === ana.id]).toEqual(["ok", false]);
  for (const table of [t.totpFactors, t.recoveryCodes]) expect(await q.select().from(table)).toEqual([]);
});

test("rejects resetting a second factor that also protects another organization, and names the operator", async () => {
  // Attack: an owner removes the second factor of another organization's owner and signs in with
  // their password.
  await using w = await world();
  const { owner, ana, reset } = await scene(w);
  const other = await w.insertTenant("Other");
  await w.store.write((db) =>
    insertMember(
      { db, organizationId: other.organization.id },
      { userId: ana.id, role: "owner", createdAt: w.deps.now() },
    ),
  );
  await w.store.write(async ({ q, t }) => {
    const there = eq(t.organizationMembers.organizationId, other.organization.id);
    await q.update(t.organizationMembers).set({ suspendedAt: w.deps.now() }).where(there);
  });
  const refused = await owner.post(reset);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    "CONFLICT",
    "This member belongs to another organization too. Ask the operator of the service to reset the second factor.",
  ]);
  expect((await afterPassword(w, ANA)).path).toBe("/sign-in/second-factor");
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.accountNotices)).toEqual([]);
});

test("only owners reset a second factor, and only a member's", async () => {
  // Attack: a member without the right takes the second factor from an owner.
  await using w = await world();
  const { owner, ana, organization, members, reset } = await scene(w);
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const stranger = await w.signIn("mallory@rival.test");
  const statuses = [];
  for (const [person, path] of [
    [ana, reset],
    [editor, reset],
    [stranger, reset],
    [owner, `${members}/${stranger.id}/reset-second-factor`],
  ] as const) {
    statuses.push((await person.post(path)).status);
  }
  expect(statuses).toEqual([403, 403, 404, 404]);
  expect((await owner.get(`${members}/${ana.id}`)).body.has_second_factor).toBe(true);
  expect((await owner.post(reset)).body).toEqual({ id: ana.id, had_second_factor: true });
  expect((await owner.post(reset)).body).toEqual({ id: ana.id, had_second_factor: false });
  expect((await owner.get(`${members}/${ana.id}`)).body.has_second_factor).toBe(false);
});

test("lets an operator reset the second factor of any account, and notifies its person", async () => {
  await using w = await world();
  const { organization } = await ownerWithApp(w);
  const run = (...args: string[]) => runAccountCommand(w.store, args, w.config);
  const half = await afterPassword(w, OWNER);
  expect(half.path).toBe("/sign-in/second-factor");
  expect(await run("reset-factor", OWNER)).toEqual({
    ok: true,
    text: "Removed. The password alone signs in until a second factor is set up again.\n",
  });
  expect((await half.browser.get(`${w.config.baseUrl}/sign-in/second-factor`)).url.pathname).toBe("/sign-in");
  const back = await afterPassword(w, OWNER);
  expect(back.path).toBe("/");
  const told = await back.browser.get(`${w.config.baseUrl}/account`);
  expect(told.text).toContain("Your second factor was removed by the operator of this service.");
  expect(await run("reset-factor", OWNER)).toMatchObject({ ok: false, text: "This account has no second factor.\n" });
  const { q, t } = openCommitted(w.store);
  const rows = await q.select().from(t.auditLog).where(eq(t.auditLog.door, "command"));
  expect(rows.map(({ endpoint, organizationId }) => [endpoint, organizationId])).toEqual([
    ["resetFactorAccount", organization.id],
  ]);
});
