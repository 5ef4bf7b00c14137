import type { Provider } from "oidc-provider";
import type { Store } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Fetch } from "./client-documents.ts";
import type { Secrets } from "../keys/secrets.ts";
import type { KeySet, SigningKeys } from "../keys/signing-keys.ts";

/** How long a browser stays signed in. The authorization server's own session must not outlive it by much. */
export const WEB_SESSION_SECONDS = 7 * 86_400;

export interface AuthorizationServerOptions {
  /** Public origin: the issuer in metadata documents and tokens. */
  issuer: string;
  /** URLs of the tool server; the first is the default resource. */
  resources: readonly [string, ...string[]];
  store: Store;
  secrets: Secrets;
  keys: SigningKeys;
  now: () => Instant;
  clientMetadataDocuments: boolean;
  fetch: Fetch;
  /** The account of a request's web session cookie. */
  accountOfCookie: (cookieHeader: string | undefined) => Promise<string | undefined>;
  /** The page for an error that cannot be returned to the client. */
  errorPage: (error: { code: string; detail: string }) => { headers: Record<string, string>; text: string };
  report: (event: string, error: Error) => void;
}

/** The library's server with the current signing keys. Get it once per request, and do not keep it. */
export type AuthorizationServer = () => Promise<Provider>;

type Library = typeof import("./provider.ts");
let loaded: Library | undefined;

/**
 * The OAuth authorization server for assistants: routes under /oauth, metadata at the origin's well-known URLs. The
 * library reads its keys once, so there is a new instance when they change; all state is in the store. It is loaded when it is first got: no
 * start waits for it.
 */
export function openAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  let made: { keys: KeySet; provider: Provider } | undefined;
  return async () => {
    const keys = await options.keys.current();
    loaded ??= await import("./provider.ts");
    if (made?.keys !== keys) made = { keys, provider: loaded.makeProvider(options, keys) };
    return made.provider;
  };
}

/** Whether the library refused a request. */
export function isOauthError(error: unknown): boolean {
  return loaded !== undefined && error instanceof loaded.OIDCProviderError;
}

/** A parameter of our own: scopes that the person left out on the consent page of a request that is made again. */
export const UNTICKED = "unticked";
