import type { Provider } from "oidc-provider";
import type { Store } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Fetch } from "./client-documents.ts";
import type { Secrets } from "../keys/secrets.ts";
import type { KeySet, SigningKeys } from "../keys/signing-keys.ts";

/** Browser session lifetime. The authorization server's session must not outlive it by much. */
export const WEB_SESSION_SECONDS = 7 * 86_400;

export interface AuthorizationServerOptions {
  /** Public origin: the issuer in metadata documents and tokens. */
  issuer: string;
  /** Default resource; `findToolResource` has the others. */
  mcpUrl: string;
  store: Store;
  secrets: Secrets;
  signingKeys: SigningKeys;
  now: () => Instant;
  acceptsClientDocuments: boolean;
  fetch: Fetch;
  accountOfCookie: (cookieHeader: string | undefined) => Promise<string | undefined>;
  /** Renders errors that cannot be returned to the client. */
  errorPage: (error: { code: string; detail: string }) => { headers: Record<string, string>; text: string };
  reportError: (event: string, error: Error) => void;
}

/** Call per request: a rotation of signing keys replaces the instance. */
export type AuthorizationServer = () => Promise<Provider>;

type ProviderLibrary = typeof import("./provider.ts");
let loadedLibrary: ProviderLibrary | undefined;

/**
 * OAuth server for assistants. oidc-provider reads its keys once, so a key change creates a new
 * instance. Loads lazily to keep starts fast.
 */
export function openAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  let cached: { keySet: KeySet; provider: Provider } | undefined;
  return async () => {
    const keySet = await options.signingKeys.getKeySet();
    loadedLibrary ??= await import("./provider.ts");
    if (cached?.keySet !== keySet) cached = { keySet, provider: loadedLibrary.createProvider(options, keySet) };
    return cached.provider;
  };
}

export function isOauthError(error: unknown): boolean {
  return loadedLibrary !== undefined && error instanceof loadedLibrary.OIDCProviderError;
}

/** Custom parameter: scopes declined on the consent page of the request that is repeated. */
export const DECLINED_SCOPES_PARAMETER = "unticked";

/** Custom parameter: workspace chosen on the consent page of the request that is repeated. */
export const CHOSEN_WORKSPACE_PARAMETER = "workspace";
