import type { Router } from "express";
import type { Logger } from "pino";
import { openAuthorizationServer } from "../../../auth/oauth/authorization-server.ts";
import { openFirstRun } from "../../../auth/people/first-run.ts";
import { openBrowserMarks } from "../../../auth/people/browser-marks.ts";
import { openKnownDevices } from "../../../auth/people/known-devices.ts";
import { openOidcProviders } from "../../../auth/sso/oidc-providers.ts";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import type { SigningKeys } from "../../../auth/keys/signing-keys.ts";
import { openWebSessions } from "../../../auth/people/web-sessions.ts";
import type { Db } from "../../../db/engine/store.ts";
import { toIdleMs, type Config } from "../../config/config.ts";
import { insertDemo } from "../../demo/demo.ts";
import type { Deps } from "../../call/deps.ts";
import { loadPasswordLibrary } from "../../../auth/people/password.ts";
import { createWebRouter } from "./router.ts";
import { renderNotConnectedPage } from "../pages/message.ts";
import type { OpenOutside } from "../../outside/outside.ts";
import { PAGE_HEADERS, renderPage } from "../pages/page.ts";

export interface OpenWeb {
  router: Router;
  /** URL that creates the first account; undefined once an account exists. */
  setupLink: string | undefined;
  /** A failure, such as a too low limit on open files, is permanent: Node.js caches it. */
  preloadModules(): Promise<void>;
  close(): Promise<void>;
}

/** Also creates the first owner if the configuration names one. */
export async function openWeb(options: {
  config: Config;
  deps: Deps;
  log: Logger;
  secrets: Secrets;
  signingKeys: SigningKeys;
  outside: Pick<OpenOutside, "fetchClientDocument" | "fetchIdentityProvider">;
}): Promise<OpenWeb> {
  const { config, deps, log } = options;
  const { store, now, newId } = deps;
  const { baseUrl, mcpUrl, BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = config;
  const addDemo = async (db: Db, ownerId: string) => {
    if (config.DEMO) await insertDemo(db, { ownerId, now: now(), newId, prices: deps.prices, adapters: deps.adapters });
  };
  const firstRun = openFirstRun({ store, baseUrl, now, newId, addDemo });
  if (email !== undefined && password !== undefined) {
    await firstRun.bootstrap({ email, password });
    deps.wakeWorker();
  }
  const isSecure = baseUrl.startsWith("https:");
  const sessions = openWebSessions(store, {
    isSecure,
    idleMs: toIdleMs(config),
    onError: (error) => log.error({ err: error }, "could not record session use"),
  });
  const devices = openKnownDevices(options.secrets, { isSecure });
  const marks = openBrowserMarks(options.secrets, { isSecure });
  const authorizationServer = openAuthorizationServer({
    issuer: baseUrl,
    mcpUrl,
    store,
    secrets: options.secrets,
    signingKeys: options.signingKeys,
    now,
    acceptsClientDocuments: config.CLIENT_METADATA_DOCUMENTS,
    fetch: options.outside.fetchClientDocument,
    accountOfCookie: async (cookieHeader) => (await sessions.find(cookieHeader, now()))?.userId,
    errorPage: (error) => ({
      headers: PAGE_HEADERS,
      text: renderPage({ title: "Not connected", body: renderNotConnectedPage(error) }),
    }),
    reportError(event, error) {
      // Only the error's message and detail: requests hold codes and tokens.
      const detail = "error_detail" in error ? error.error_detail : undefined;
      if (event === "server_error") log.error({ event, err: error }, "authorization server failed");
      else log.info({ event, error: error.message, detail }, "authorization server rejected a request");
    },
  });
  const oidcProviders = openOidcProviders({
    secrets: options.secrets,
    fetch: options.outside.fetchIdentityProvider,
    now: () => Date.parse(now()),
    reportError(event, error) {
      // Causes can hold the provider's response, including tokens.
      const { message, code } = error as { message?: string; code?: string };
      log.info({ event, error: message, code }, "single sign-on rejected");
    },
  });
  return {
    router: createWebRouter({
      config,
      deps,
      log,
      authorizationServer,
      sessions,
      devices,
      marks,
      firstRun,
      oidcProviders,
      secrets: options.secrets,
    }),
    setupLink: await firstRun.issueLink(),
    async preloadModules() {
      await loadPasswordLibrary();
      await authorizationServer();
    },
    close: () => sessions.close(),
  };
}
