import { createHash, randomBytes } from "node:crypto";
import argon2 from "argon2";
import { eq } from "drizzle-orm";
import { openWebSessions } from "../../auth/people/web-sessions.ts";
import { findUserByEmail } from "../../db/identity/users.ts";
import { Browser, type Visit } from "../../examples/browser.ts";
import type { world } from "./world.ts";
import { openCommitted } from "./committed.ts";
import { localProof } from "../sign-in/address-proof.ts";

type World = Awaited<ReturnType<typeof world>>;

export const REDIRECT = "http://127.0.0.1:43117/callback";
export const PASSWORD = "correct horse battery";
const OWNER = "owner@acme.test";
/** A hash states its parameters, so the same code verifies a cheaper hash faster. */
const CHEAP_HASH_OPTIONS = { type: argon2.argon2id, memoryCost: 1024, timeCost: 2, parallelism: 1 } as const;
let hash: Promise<string> | undefined;

/** A hash of `PASSWORD`. */
export function cheapHash(): Promise<string> {
  return (hash ??= argon2.hash(PASSWORD, CHEAP_HASH_OPTIONS));
}

/** The default scene, with a password for the owner. */
export async function sceneWithPassword(w: World) {
  const scene = await w.acme();
  await givePassword(w, scene.owner.id);
  return scene;
}

export async function givePassword(w: World, userId: string): Promise<void> {
  const passwordHash = await cheapHash();
  await w.store.write(async (db) => {
    await localProof(db, userId, { now: w.deps.now(), newId: w.deps.newId });
    await db.q.update(db.t.users).set({ passwordHash }).where(eq(db.t.users.id, userId));
  });
}

/** A browser that is signed in already, which spares the work of a password. */
export async function signedInBrowser(w: World, email: string, leavesAt?: (url: URL) => boolean): Promise<Browser> {
  const browser = new Browser(leavesAt);
  const user = await findUserByEmail(openCommitted(w.store), email);
  if (!user) throw new Error(`there is no account ${email}`);
  const sessions = openWebSessions(w.store, { isSecure: false });
  const at = { now: w.deps.now(), newId: w.deps.newId };
  const proofId = await w.store.write((db) => localProof(db, user.id, at));
  const value = await sessions.start({ userId: user.id, proofId }, w.deps.now());
  browser.cookies.push({
    name: sessions.cookieName,
    value,
    path: "/",
    host: new URL(w.config.baseUrl).hostname,
    attributes: [],
  });
  return browser;
}

/**
 * A client that speaks OAuth to a running service by plain requests, so that tests can also speak
 * it wrongly.
 */
export async function createOAuthClient(w: World, metadata: Record<string, unknown> = {}) {
  const { baseUrl, mcpUrl } = w.config;
  const registered = await registerClient(w, { client_name: "Probe", redirect_uris: [REDIRECT], ...metadata });
  const clientId = registered.body.client_id as string;
  const [redirectUri = REDIRECT] = (registered.body.redirect_uris as string[] | undefined) ?? [];
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");

  const leaves = (url: URL) => url.href.startsWith(redirectUri);

  function authorizeUrl(over: Record<string, string | undefined> = {}): string {
    const query = new URLSearchParams();
    const usual = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
      state: "st",
      scope: "read",
      resource: mcpUrl,
    };
    for (const [key, value] of Object.entries({ ...usual, ...over })) if (value !== undefined) query.set(key, value);
    return `${baseUrl}/oauth/authorize?${query.toString()}`;
  }

  const redeem = (code: string, over: Record<string, string | undefined> = {}) =>
    requestToken(w, {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      resource: mcpUrl,
      ...over,
    });
  const refresh = (refreshToken: string, over: Record<string, string> = {}) =>
    requestToken(w, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken, ...over });

  /**
   * Opens the authorize address, signs in if asked, and answers the consent page. Without a browser
   * option the person is already signed in.
   */
  async function ask(
    options: {
      over?: Record<string, string | undefined>;
      browser?: Browser;
      email?: string;
      untick?: string[];
      decision?: string;
      /** Workspace to choose on the consent page. */
      workspace?: string;
    } = {},
  ): Promise<Visit & { seen: string[] }> {
    const browser = options.browser ?? (await signedInBrowser(w, options.email ?? OWNER, leaves));
    const seen: string[] = [];
    let page = await browser.get(authorizeUrl(options.over));
    for (let step = 0; step < 4 && page.status === 200; step++) {
      if (/action="[^"]*\/sign-in"/.test(page.text)) {
        seen.push("sign-in");
        const fill = { email: options.email ?? OWNER, password: PASSWORD };
        page = await browser.submit(page, { action: /\/sign-in$/, fill });
      } else if (/action="[^"]*\/consent"/.test(page.text)) {
        seen.push("consent");
        const press: [string, string] = ["decision", options.decision ?? "allow"];
        const fill = options.workspace === undefined ? {} : { workspace: options.workspace };
        page = await browser.submit(page, { action: /\/consent$/, press, fill, untick: options.untick ?? [] });
      } else break;
    }
    return { ...page, seen };
  }

  /** Runs the whole flow, up to tokens. */
  async function connect(options: Parameters<typeof ask>[0] = {}) {
    const end = await ask(options);
    const code = end.url.searchParams.get("code") ?? "";
    const answer = await redeem(code, { resource: options.over?.["resource"] ?? mcpUrl });
    return { ...answer, code, end };
  }

  return { clientId, redirectUri, verifier, registered, authorizeUrl, redeem, refresh, ask, connect };
}

export async function registerClient(w: World, metadata: Record<string, unknown>) {
  return w.request("POST", "/oauth/register", { body: { token_endpoint_auth_method: "none", ...metadata } });
}

export async function requestToken(w: World, fields: Record<string, string | undefined>) {
  const body = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) body.set(key, value);
  return w.request("POST", "/oauth/token", { body });
}
