import { eq } from "drizzle-orm";
import { insertActionScene } from "../support/action-scene.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { collectScene } from "../collecting/scene.ts";
import { insertNotice } from "../../db/identity/notices.ts";
import type { Visit } from "../../examples/browser.ts";
import { PARTNER_TOKEN, startPartner } from "../partner/partner-process.ts";
import { insertConnection } from "../platforms/insert-connection.ts";
import { startPlatform } from "../platforms/scene.ts";
import { totpCode } from "../sign-in/second-factor-scene.ts";
import { createPasskey } from "./create-passkey.ts";
import type { FormExpectation, StateExpectation } from "./send-forms.ts";

/** An organization with one of each thing in a state that needs earlier steps. */
export async function stateScene() {
  const [partner, platform] = await Promise.all([startPartner(), startPlatform("http://localhost/unused")]);
  const env = { PARTNER_BASE_URL: partner.address, ADVERTISING_PLATFORM: JSON.stringify(platform.settings) };
  const s = await collectScene({ env: { SERVE: "core,web", ...env } });
  const { owner, organization, workspace } = s;
  await givePassword(s, owner.id);
  const analysis = await s.create(["phone"]);
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const { resultId, taskId } = await insertActionScene(s, ids);
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Gone", relationship: "other" });
  await owner.delete(`${workspace.path}/brands/${brand.body.id}`);
  const now = s.deps.now();
  const dated = { listed: true, firstSeenAt: now, lastSeenAt: now, createdAt: now, updatedAt: now };
  await s.store.write(async (db) => {
    const suggested = ["Zeta", "Acmee", "Best"].map((text) => {
      const counted = { occurrences: 3, confidence: 0.9, signals: ["list_item" as const], examples: [] };
      return {
        ...ids,
        id: s.deps.newId(),
        text,
        folded: text.toLowerCase(),
        status: "open" as const,
        ...counted,
        ...dated,
      };
    });
    // Without a worker, its first collect is over.
    await db.q.update(db.t.collects).set({ status: "completed", startedAt: now, finishedAt: now });
    const passkey = { credentialId: "credential", publicKey: "key", counter: 0, transports: [], isBackedUp: false };
    await db.q.insert(db.t.passkeys).values({
      ...passkey,
      id: s.deps.newId(),
      userId: owner.id,
      name: "Laptop",
      createdAt: now,
      lastUsedAt: null,
    });
    await insertNotice(db, {
      id: s.deps.newId(),
      userId: owner.id,
      kind: "second_factor_reset",
      organizationId: organization.id,
      createdAt: now,
    });
    await db.q.insert(db.t.brandSuggestions).values(suggested.map(({ userId: _userId, ...row }) => row));
  });
  const member = await s.signIn("member@acme.test", { organizationId: organization.id, role: "viewer" });
  const guarded = await s.signIn("guarded@acme.test", { organizationId: organization.id, role: "viewer" });
  await givePassword(s, guarded.id);
  await s.store.write((db) =>
    db.q.update(db.t.users).set({ secondFactorAt: now }).where(eq(db.t.users.id, guarded.id)),
  );
  const suspended = { role: "viewer", status: "suspended" };
  await owner.request("PUT", `${organization.path}/members/${member.id}`, { body: suspended });
  await owner.post(`${workspace.path}/exports`, { what: "answers", format: "csv" });
  await insertConnection(s, { ...ids, platform: "advertising" });
  const connected = { api_token: PARTNER_TOKEN, partner_workspace_id: "demo", recipients: ["writer@example.com"] };
  await owner.request("PUT", `${workspace.path}/platform-integrations/partner`, { body: connected });
  const risky = await owner.post(`${workspace.path}/brands`, { name: "Zoom", relationship: "other" });
  const key = { name: "Program", kind: "organization", organization_id: organization.id, role: "viewer" };
  await owner.post("/v1/api-keys", key);
  const at = `${organization.id}/${workspace.id}`;
  return {
    ...s,
    analysisPage: `/analyses/${at}/${analysis.split("/").at(-1)}`,
    actionPage: `/actions/${at}/${resultId}`,
    briefPage: `/actions/${at}/${resultId}/${taskId}`,
    riskyBrandPage: `/brands/${at}/${risky.body.id}`,
    organizationKeysPage: `/organizations/${organization.id}/api-keys`,
    contentToolPage: `/writers/${at}`,
    brandsPage: `/brands/${at}`,
    membersPage: `/organizations/${organization.id}/members`,
    exportsPage: `/exports/${at}`,
    platformsPage: `/platform-accounts/${at}`,
    /** Makes all sign-ins too old for changes to account security. */
    async ageSignIns() {
      const authenticatedAt = new Date(Date.parse(s.deps.now()) - 3_600_000).toISOString();
      await s.store.write((db) => db.q.update(db.t.webSessions).set({ authenticatedAt }));
    },
    pause: () => owner.post(`${analysis}/pause`),
    dismiss: () => owner.post(`${workspace.path}/recommended-actions/${resultId}/dismiss`, { reason: "not_relevant" }),
    /** A quote that a person has to approve. */
    async approvalPage() {
      await owner.patch(organization.path, { approval_above_credits: 0 });
      const { body } = await owner.post(`${analysis}/collects/price`);
      return `/approve/${body.quote_id}`;
    },
    async quotedPage() {
      await owner.patch(organization.path, { approval_above_credits: null });
      const { body } = await owner.post(`${analysis}/collects/price`);
      return `${this.analysisPage}?quote=${body.quote_id}`;
    },
    async [Symbol.asyncDispose]() {
      await s[Symbol.asyncDispose]();
      await Promise.all([partner[Symbol.asyncDispose](), platform[Symbol.asyncDispose]()]);
    },
  };
}

type Scene = Awaited<ReturnType<typeof stateScene>>;

const onPage = (
  page: StateExpectation<Scene>["page"],
  lines: Record<string, FormExpectation>,
): Record<string, StateExpectation<Scene>> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, { page, ...line }]));

/** The forms in the order in which they are sent, each on the page that is opened for it. */
export const STATE_EXPECTATIONS: Record<string, StateExpectation<Scene>> = {
  "/account/notices": { page: () => "/account", makes: "account_notices", again: "200 Your account" },
  "/analyses/:id/:id/:id/price": { page: (s) => s.analysisPage, makes: "", again: "200 Phones" },
  "/approve/:id": {
    page: (s) => s.approvalPage(),
    fill: { decision: "approve" },
    makes: "quotes",
    again: "200 Approved",
  },
  "/analyses/:id/:id/:id/run": {
    page: (s) => s.quotedPage(),
    makes: "collects +1,credit_balances,jobs +1,ledger_entries +1",
    again: "200 The run has started.",
  },
  "/analyses/:id/:id/:id/resume": {
    page: async (s) => (await s.pause(), s.analysisPage),
    makes: "analyses",
    again: "409 The analysis is live. Only a paused analysis can be resumed.",
  },
  "/brands/:id/:id/restore": {
    page: (s) => `${s.brandsPage}?show=archived`,
    makes: "brands,catalog_events +1",
    again: "200 Restored. Past answers are being re-processed.",
  },
  "/brands/:id/:id/accept": {
    page: (s) => s.brandsPage,
    makes: "brand_claims +1,brand_suggestions,brands +1,catalog_events +1",
    again:
      "422 The form that you sent is no longer on this page. You entered: relationship other This suggestion was already accepted, merged or dismissed. Undo that decision first.",
  },
  "/brands/:id/:id/merge": {
    page: (s) => s.brandsPage,
    fill: { brand: "Acme" },
    makes: "brand_claims +1,brand_suggestions,brands,catalog_events +1",
    again:
      "422 The form that you sent is no longer on this page. You entered: brand Acme This suggestion was already accepted, merged or dismissed. Undo that decision first.",
  },
  "/brands/:id/:id/dismiss": {
    page: (s) => s.brandsPage,
    makes: "brand_suggestions",
    again: "422 This suggestion was already accepted, merged or dismissed. Undo that decision first.",
  },
  "/brands/:id/:id/undo": {
    page: (s) => `${s.brandsPage}?suggested=dismissed`,
    makes: "brand_suggestions",
    again: "422 This suggestion is still open: there is no decision to undo.",
  },
  "/actions/:id/:id/:id/reconsider": {
    page: async (s) => (await s.dismiss(), s.actionPage),
    makes: "recommended_actions",
    again: "422 The action is new. Allowed now: confirm it with PATCH, or dismiss it.",
  },
  "/organizations/:id/members/resume": {
    page: (s) => s.membersPage,
    makes: "organization_members",
    again: "200 Resumed.",
  },
  "/exports/:id/:id/delete": {
    page: (s) => s.exportsPage,
    makes: "exports -1",
    again: "404 No such export, or it is not visible to you.",
  },
  "/organizations/:id/members/reset-factor": {
    page: (s) => s.membersPage,
    makes: "account_notices +1,users",
    again: "200 Removed. Their password signs in alone until they set up a second factor again.",
  },
  "/organizations/:id/api-keys/rotate": {
    page: (s) => s.organizationKeysPage,
    fill: { grace_seconds: "3600" },
    makes: "api_keys +1",
    again: "200 Rotated. The new key was already shown once.",
  },
  "/organizations/:id/api-keys/revoke": {
    page: (s) => s.organizationKeysPage,
    makes: "api_keys",
    again: "404 No such API key, or it is not visible to you.",
  },
  "/brands/:id/:id/:id/exclude": {
    page: (s) => s.riskyBrandPage,
    makes: "brands,catalog_events +1",
    again: "200 Saved. Past answers are being re-processed.",
  },
  "/actions/:id/:id/:id/:id/send": {
    page: (s) => s.briefPage,
    fill: { due: "2100-01-31" },
    makes: "briefs,partner_watches +1",
    again: "409 Your text is saved, but it was not sent. The brief was already sent.",
  },
  "/writers/:id/:id/disconnect": {
    page: (s) => s.contentToolPage,
    makes: "partner_connections -1",
    again: "404 No such connection, or it is not visible to you.",
  },
  ...onPage((s) => s.platformsPage, {
    "/platform-accounts/:id/:id/connect": {
      makes: "platform_consents +1",
      again: "0",
      twice: "platform_consents +2",
      leavesAt: ({ pathname }) => pathname === "/auth",
    },
    "/platform-accounts/:id/:id/refresh": {
      makes: "platform_connections",
      again: "200 Refreshing the accounts. Reload this page in a moment.",
    },
    "/platform-accounts/:id/:id/activate": { makes: "platform_accounts", again: "200 Activated." },
    "/platform-accounts/:id/:id/deactivate": { makes: "platform_accounts", again: "200 Deactivated." },
    "/platform-accounts/:id/:id/disable": {
      makes: "platform_connections",
      again: "200 Disabled. Its tokens are not used until you enable it.",
    },
    "/platform-accounts/:id/:id/enable": { makes: "platform_connections", again: "200 Enabled." },
    "/platform-accounts/:id/:id/disconnect": {
      makes: "platform_accounts -1,platform_connections -1",
      again: "404 No such connection, or it is not visible to you.",
    },
  }),
  "/account/second-factor/sign-in": {
    page: async (s) => (await s.ageSignIns(), "/account/second-factor"),
    fill: { password: PASSWORD },
    makes: "",
    again: "200 Second factor",
  },
  "/account/second-factor/app/confirm": {
    page: async (s, browser) => {
      const page = await browser.get(`${s.config.baseUrl}/account/second-factor`);
      await browser.submit(page, { action: /\/app$/ });
      return "/account/second-factor";
    },
    fill: readCode,
    makes: "recovery_codes +10,token_families -4,totp_factors,users",
    again: "200 Sign in",
  },
  ...onPage(() => "/account/second-factor", {
    "/account/second-factor/codes": {
      makes: "recovery_codes",
      again: "200 Recovery codes",
      twice: "recovery_codes",
    },
    "/account/second-factor/app/remove": { makes: "totp_factors -1", again: "200 Removed." },
    "/account/second-factor/passkeys/rename": { fill: { name: "Renamed" }, makes: "passkeys", again: "200 Saved." },
    "/account/second-factor/passkeys/remove": {
      makes: "passkeys -1,recovery_codes -10,users",
      again: "200 Removed.",
    },
  }),
  "/account/second-factor/passkeys/add": {
    page: async (s, browser) => {
      const page = await browser.get(`${s.config.baseUrl}/account/second-factor`);
      return browser.submit(page, { action: /\/passkeys\/new$/ });
    },
    fill: (page) => ({ passkey: createPasskey(page), name: "Phone" }),
    makes: "passkeys +1,recovery_codes +10,users",
    again: "200 Sign in",
  },
  "/account/second-factor/remove": {
    page: () => "/account/second-factor",
    makes: "passkeys -1,recovery_codes -10,users",
    again: "200 The second factor is off. Your password alone opens this account.",
  },
};

/** The code that an authenticator app shows for the key on the page. */
function readCode({ text }: Visit): Record<string, string> {
  const secret = /<code id="secret">([^<]*)</.exec(text)?.[1] ?? "";
  return { code: totpCode(secret.replaceAll(" ", ""), new Date().toISOString()) };
}
