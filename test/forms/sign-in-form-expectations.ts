import { issueSsoCode } from "../../auth/sso/sso-codes.ts";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import type { Browser } from "../../examples/browser.ts";
import { localProof } from "../sign-in/address-proof.ts";
import { setUpApp } from "../sign-in/second-factor-scene.ts";
import { configureSso, OIDC } from "../sso/scene.ts";
import { createOAuthClient, givePassword, PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import type { StateExpectation } from "./send-forms.ts";

const OWNER = "owner@acme.test";
const JOINING = { name: "Ana", password: PASSWORD };

/** A service that is not set up yet. */
export async function signInScene() {
  const w = await world();
  const createOwner = () => w.signIn(OWNER);
  /** The browser signs in as this person. */
  async function useSession(browser: Browser, email: string) {
    browser.cookies = (await signedInBrowser(w, email)).cookies;
  }
  return {
    ...w,
    useSession,
    /** The link of an invitation of the owner's organization. */
    async invite(email: string): Promise<string> {
      const owner = await createOwner();
      const { body: me } = await owner.get("/v1/auth/me");
      const path = `/v1/organizations/${me.organizations[0].id}/invitations`;
      return (await owner.post(path, { email, role: "viewer" })).body.link;
    },
    async createResetLink(): Promise<string> {
      const environment = { ...w.config, PORT: Number(new URL(w.config.baseUrl).port) };
      return (await runAccountCommand(w.store, ["reset", OWNER], environment)).text.split("\n")[0] ?? "";
    },
    /** The second step of a sign-in, and a recovery code that passes it. */
    async startSecondStep(browser: Browser, email: string) {
      const person = await w.signIn(email);
      await givePassword(w, person.id);
      const { codes } = await setUpApp(w, email);
      const page = await browser.get(`${w.config.baseUrl}/sign-in`);
      await browser.submit(page, { action: /^\/sign-in$/, fill: { email, password: PASSWORD } });
      return codes[0] ?? "";
    },
    /** A sign-in that the organization's provider started, up to its confirmation here. */
    async startAtProvider(browser: Browser) {
      const owner = await createOwner();
      const { body: me } = await owner.get("/v1/auth/me");
      const { id } = me.organizations[0];
      await configureSso(w, { owner, organization: { id, path: `/v1/organizations/${id}` } }, OIDC);
      const now = w.deps.now();
      const code = await w.store.write(async (db) => {
        const proofId = await localProof(db, owner.id, { now, newId: w.deps.newId });
        const signIn = { organizationId: id as string, userId: owner.id, proofId, authenticatedAt: now };
        const from = {
          initiatedBy: "idp" as const,
          relayPath: "/",
          browserHash: null,
          forProgram: false,
          loopbackUri: null,
        };
        return issueSsoCode(db, { ...signIn, ...from }, now);
      });
      const host = new URL(w.config.baseUrl).hostname;
      browser.cookies.push({ name: "bva_sso_code", value: code, path: "/", host, attributes: [] });
      return "/sso/finish";
    },
    /** An assistant's request for access. */
    async connect(browser: Browser, email?: string): Promise<string> {
      const client = await createOAuthClient(w);
      if (email !== undefined) await useSession(browser, email);
      return client.authorizeUrl();
    },
  };
}

type Scene = Awaited<ReturnType<typeof signInScene>>;
let recoveryCode = "";

/** The authorization server continues an assistant's request at these addresses. */
const isContinued = ({ pathname }: URL) => pathname.startsWith("/oauth/authorize/");

/** Forms that need no session, in the order in which they are sent. */
export const SIGN_IN_EXPECTATIONS: Record<string, StateExpectation<Scene>> = {
  "/setup": {
    page: (s) => s.setupLink ?? "",
    fill: { name: "Owner", email: OWNER, password: PASSWORD, organization: "Acme", workspace: "Phones" },
    makes:
      "address_proofs +1,credit_balances +1,ledger_entries +1,one_time_links -1,organization_members +1,organizations +1,users +1,web_sessions +1",
    again: "404 This set-up link was used, replaced or is more than a day old. Restart the service to print a new one.",
  },
  "/sign-in": {
    page: () => "/sign-in",
    fill: { email: OWNER, password: PASSWORD },
    makes: "web_sessions +1",
    again: "200 Start",
    twice: "web_sessions +2",
  },
  "/sso/sign-in": {
    page: () => "/sign-in",
    fill: { email: OWNER },
    makes: "",
    again: "401 No organization uses single sign-on for this e-mail domain. Sign in with your password.",
  },
  "/sign-in/second-factor": {
    page: async (s, browser) => {
      recoveryCode = await s.startSecondStep(browser, "guarded@acme.test");
      return "/sign-in/second-factor";
    },
    fill: () => ({ code: recoveryCode }),
    makes: "recovery_codes,web_sessions +1",
    again: "200 Sign in",
  },
  "/set-password": {
    page: (s) => s.createResetLink(),
    fill: { password: PASSWORD },
    makes: "address_proofs +1,one_time_links -1,users",
    again: "404 This link was used, replaced or is more than an hour old. Ask your administrator for a new one.",
  },
  "/invitations/join": {
    page: (s) => s.invite("ana@acme.test"),
    fill: JOINING,
    makes: "address_proofs +1,invitations,organization_members +1,users +1,web_sessions +1",
    again:
      "404 This invitation was used, was revoked, is more than seven days old, or its sender may no longer invite people. Ask for a new one.",
  },
  "/invitations/accept": {
    page: async (s, browser) => {
      await s.signIn("bea@acme.test");
      await s.useSession(browser, "bea@acme.test");
      return s.invite("bea@acme.test");
    },
    makes: "invitations,organization_members +1",
    again:
      "404 This invitation was used, was revoked, is more than seven days old, or its sender may no longer invite people. Ask for a new one.",
  },
  "/sso/finish": {
    page: (s, browser) => s.startAtProvider(browser),
    makes: "sso_codes -1,web_sessions +1",
    again: "401 This sign-in code is invalid, expired or already used. Sign in again.",
  },
  "/oauth/interaction/:id/sign-in": {
    page: (s, browser) => s.connect(browser),
    fill: { email: OWNER, password: PASSWORD },
    makes: "web_sessions +1",
    again: "0",
    twice: "oauth_records,web_sessions +2",
    leavesAt: isContinued,
  },
  "/oauth/interaction/:id/consent": {
    page: (s, browser) => s.connect(browser, OWNER),
    fill: { decision: "allow" },
    makes: "oauth_records +1",
    again: "0",
    twice: "oauth_records +2",
    leavesAt: isContinued,
  },
  "/oauth/interaction/:id/switch": {
    page: (s, browser) => s.connect(browser, OWNER),
    makes: "oauth_records -1,web_sessions -1",
    again:
      "409 This sign-in has ended, or was started in another browser. Go back to your assistant and connect again.",
  },
  "/sign-out": {
    page: async (s, browser) => (await s.useSession(browser, OWNER), "/account"),
    makes: "web_sessions -1",
    again: "200 Signed out",
  },
};
