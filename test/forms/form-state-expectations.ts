import { insertActionScene } from "../support/action-scene.ts";
import { givePassword } from "../support/assistant.ts";
import { collectScene } from "../collecting/scene.ts";
import type { FormExpectation } from "./send-forms.ts";
import { insertConnection } from "../platforms/insert-connection.ts";

/** An organization with one of each thing in a state that needs earlier steps. */
export async function stateScene() {
  const s = await collectScene({ env: { SERVE: "core,web" } });
  const { owner, organization, workspace } = s;
  await givePassword(s, owner.id);
  const analysis = await s.create(["phone"]);
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const { resultId } = await insertActionScene(s, ids);
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
    await db.q.insert(db.t.brandSuggestions).values(suggested.map(({ userId: _userId, ...row }) => row));
  });
  const member = await s.signIn("member@acme.test", { organizationId: organization.id, role: "viewer" });
  const suspended = { role: "viewer", status: "suspended" };
  await owner.request("PUT", `${organization.path}/members/${member.id}`, { body: suspended });
  await owner.post(`${workspace.path}/exports`, { what: "answers", format: "csv" });
  await insertConnection(s, { ...ids, platform: "advertising" });
  const at = `${organization.id}/${workspace.id}`;
  return {
    ...s,
    analysisPage: `/analyses/${at}/${analysis.split("/").at(-1)}`,
    actionPage: `/actions/${at}/${resultId}`,
    brandsPage: `/brands/${at}`,
    membersPage: `/organizations/${organization.id}/members`,
    exportsPage: `/exports/${at}`,
    platformsPage: `/platform-accounts/${at}`,
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
  };
}

type Scene = Awaited<ReturnType<typeof stateScene>>;

type StateExpectation = FormExpectation & { page: (s: Scene) => Promise<string> | string };

const onPage = (
  page: StateExpectation["page"],
  lines: Record<string, FormExpectation>,
): Record<string, StateExpectation> =>
  Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, { page, ...line }]));

/** The forms in the order in which they are sent, each on the page that is opened for it. */
export const STATE_EXPECTATIONS: Record<string, StateExpectation> = {
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
  ...onPage((s) => s.platformsPage, {
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
  ...onPage(() => "/account/second-factor", {
    "/account/second-factor/passkeys/rename": { fill: { name: "Renamed" }, makes: "passkeys", again: "200 Saved." },
    "/account/second-factor/passkeys/remove": { makes: "passkeys -1", again: "200 Removed." },
  }),
};
