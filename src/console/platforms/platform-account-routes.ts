import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import {
  toConsentSealContext,
  consumePlatformConsent,
  type PlatformConsentRow,
} from "../../../db/platforms/platform-consents.ts";
import { beginPlatformConsent } from "../../../tools/platforms/begin-platform-consent.ts";
import { deletePlatformIntegration } from "../../../tools/platforms/delete-platform-integration.ts";
import { listPlatformAccounts } from "../../../tools/platforms/list-platform-accounts.ts";
import { listPlatformIntegrations } from "../../../tools/platforms/list-platform-integrations.ts";
import { refreshPlatformIntegration } from "../../../tools/platforms/refresh-platform-integration.ts";
import { storePlatformConnection } from "../../../tools/platforms/store-platform-connection.ts";
import { updatePlatformAccount } from "../../../tools/platforms/update-platform-account.ts";
import { updatePlatformIntegration } from "../../../tools/platforms/update-platform-integration.ts";
import { getWorkspace } from "../../../tools/workspaces/get-workspace.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { PlatformFault, PLATFORM_KINDS, type Platform, type PlatformKind } from "../../../core/platforms/platforms.ts";
import { redirectPage } from "../../http/pages/message.ts";
import {
  CONSENT_RESULTS,
  buildPlatformAccountsAddress,
  renderPlatformAccountsPage,
  type ConsentResult,
} from "./platform-accounts-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { sendPage } from "../../http/pages/page.ts";
import { findVisitor, type WebContext } from "../../http/pages/visit.ts";
import { showPage } from "../shared/show-page.ts";
import { formRoute, get, type Route } from "../../http/pages/routes.ts";
import { askAs, type Ask } from "../../http/pages/call-endpoint.ts";

const parseConnectionId = (form: URLSearchParams) => ({ platform_integration_id: form.get("connection") });

const PLATFORM_FORMS: Record<string, FormAction> = {
  disable: {
    endpoint: updatePlatformIntegration,
    done: "Disabled. Its tokens are not used until you enable it.",
    fields: (form) => ({ ...parseConnectionId(form), status: "disabled" }),
  },
  enable: {
    endpoint: updatePlatformIntegration,
    done: "Enabled.",
    fields: (form) => ({ ...parseConnectionId(form), status: "active" }),
  },
  refresh: {
    endpoint: refreshPlatformIntegration,
    done: "Refreshing the accounts. Reload this page in a moment.",
    fields: parseConnectionId,
  },
  disconnect: {
    endpoint: deletePlatformIntegration,
    done: "Disconnected. Its tokens and accounts were deleted.",
    fields: parseConnectionId,
  },
  activate: {
    endpoint: updatePlatformAccount,
    done: "Activated.",
    fields: (form) => ({ platform_account_id: form.get("account"), status: "active" }),
  },
  deactivate: {
    endpoint: updatePlatformAccount,
    done: "Deactivated.",
    fields: (form) => ({ platform_account_id: form.get("account"), status: "inactive" }),
  },
};

const PATH = "/platform-accounts/:organization_id/:workspace_id";

export const platformAccountRoutes: readonly Route[] = [
  // One callback path per platform prevents mix-up attacks (RFC 9700 section 4.4).
  get("/platform-accounts/callback/:platform", finishConsent),
  formRoute(PATH, "connect", beginConsent),
  ...pageWithForms(PATH, showAccounts, PLATFORM_FORMS),
];

async function showAccounts(visit: Visit, notice: Notice): Promise<void> {
  const { call, query } = visit;
  const { deps } = visit.web;
  const path = { ...visit.request.params };
  const workspace = await call(getWorkspace, path);
  const integrations = await call(listPlatformIntegrations, path);
  const cursor = query.get("cursor");
  const accounts = await call(listPlatformAccounts, { ...path, limit: 100, ...(cursor === null ? {} : { cursor }) });
  const consentResult = query.get("came");
  const content = renderPlatformAccountsPage({
    workspace,
    platforms: PLATFORM_KINDS.map((platform) => ({ platform, name: deps.outside.platforms.get(platform)?.name })),
    connections: integrations.data,
    accounts: accounts.data,
    nextCursor: accounts.next_cursor,
    came: isConsentResult(consentResult) ? consentResult : undefined,
    ...notice,
  });
  showPage(visit, { title: "Platform accounts", section: "settings", status: notice.status, content });
}

function isConsentResult(value: string | null): value is ConsentResult {
  return value !== null && Object.hasOwn(CONSENT_RESULTS, value);
}

/** Chromium blocks redirects to the platform after a form post, so the page redirects itself. */
async function beginConsent({ web, request, response, call, form: sent }: Visit): Promise<void> {
  const [kind, platform] = requirePlatform(web, sent.get("platform"));
  const sessionHash = web.sessions.sessionHashOf(request.headers.cookie);
  if (sessionHash === undefined) throw notFound("platform");
  try {
    const { consentAddress, proof } = await platform.startConsent(buildCallbackUrl(web, kind));
    const begun = {
      ...request.params,
      platform: kind,
      state_hash: hashState(proof.state),
      session_hash: sessionHash,
      proof: JSON.stringify(proof),
    };
    await call(beginPlatformConsent, begun);
    sendPage(response, {
      title: "One moment",
      body: redirectPage(consentAddress, undefined),
      redirectTo: consentAddress,
    });
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    web.log.warn({ err: error, platform: kind }, "could not request authorization from a platform");
    response.redirect(303, `${request.path.slice(0, -"/connect".length)}?came=${toConsentResult(error)}`);
  }
}

async function finishConsent(request: Request, response: Response, web: WebContext): Promise<void> {
  const [kind, platform] = requirePlatform(web, String(request.params["platform"]));
  const callbackUrl = new URL(request.originalUrl, web.config.baseUrl);
  const visitor = await findVisitor(request, web);
  const sessionHash = web.sessions.sessionHashOf(request.headers.cookie);
  if (!visitor || sessionHash === undefined) throw FOREIGN_CONSENT_ERROR;
  const answer = { stateHash: hashState(callbackUrl.searchParams.get("state") ?? ""), sessionHash, platform: kind };
  const consent = await web.deps.store.write((db) => consumePlatformConsent(db, { ...answer, now: web.deps.now() }));
  if (!consent) throw FOREIGN_CONSENT_ERROR;
  const redeemResult = await redeemConsent(web, {
    call: askAs({ visitor, response }, web),
    platform,
    consent,
    callbackUrl,
  });
  const workspace = { organization_id: consent.organizationId, workspace_id: consent.workspaceId };
  response.redirect(303, `${buildPlatformAccountsAddress(workspace)}?came=${redeemResult}`);
}

const FOREIGN_CONSENT_ERROR = new AppError(
  "CONFLICT",
  "This connection was started in another browser, or has expired. Open your workspace's page and connect again.",
);

const ConsentProofSchema = z.object({ state: z.string(), verifier: z.string() });

async function redeemConsent(
  web: WebContext,
  back: { call: Ask; platform: Platform; consent: PlatformConsentRow; callbackUrl: URL },
): Promise<ConsentResult> {
  const { call, platform, consent, callbackUrl } = back;
  const { deps, log } = web;
  const place = toConsentSealContext(consent.stateHash);
  const proof = ConsentProofSchema.parse(JSON.parse(deps.secrets.unseal(consent.sealedProof, place)));
  try {
    const tokens = await platform.redeem(callbackUrl, proof, deps.now());
    // A background job lists the accounts later, so a failure is harmless.
    const accounts = await platform.listAccounts(tokens.accessToken).catch(() => null);
    const { organizationId: organization_id, workspaceId: workspace_id } = consent;
    const input = { organization_id, workspace_id, platform: consent.platform, tokens, accounts };
    try {
      await call(storePlatformConnection, input);
    } catch (error) {
      // Revokes the permission at the platform if the connection may not be stored.
      await platform.revoke(tokens).catch(() => false);
      throw error;
    }
    return "connected";
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    log.warn({ err: error, platform: consent.platform }, "could not connect a platform");
    return toConsentResult(error);
  }
}

function toConsentResult({ kind }: PlatformFault): ConsentResult {
  return kind === "denied" || kind === "unavailable" ? kind : "failed";
}

function requirePlatform({ deps }: WebContext, kind: string | null): [PlatformKind, Platform] {
  const known = PLATFORM_KINDS.find((one) => one === kind);
  const platform = known && deps.outside.platforms.get(known);
  if (!platform) throw notFound("platform");
  return [known, platform];
}

function buildCallbackUrl({ config }: WebContext, kind: PlatformKind): string {
  return `${config.baseUrl}/platform-accounts/callback/${kind}`;
}

function hashState(state: string): string {
  return createHash("sha256").update(state).digest("base64url");
}
