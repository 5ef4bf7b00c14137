import type { Environment } from "../config.ts";
import { boundedFetch, type Fetch } from "./http.ts";
import { publicFetch, secureFetch } from "./public-fetch.ts";

/** Everything outside this process that it talks to, made once. */
export interface Outside {
  /** Asks the hosts of clients for their metadata documents. */
  fetchClientDocument: Fetch;
  /** Asks the identity providers that owners name. */
  fetchIdentityProvider: Fetch;
}

const DOCUMENT_BOUNDS = { timeoutMs: 10_000, limitBytes: 5 * 1024 };
const IDENTITY_BOUNDS = { timeoutMs: 10_000, limitBytes: 512 * 1024 };

/** `fetch` stands in for the internet where clients publish their documents. */
export function openOutside(config: Environment, { fetch = publicFetch() }: { fetch?: Fetch } = {}): Outside {
  const allowsLocalHttp = config.SSO_ALLOW_PRIVATE_ADDRESSES;
  const identityFetch = publicFetch(allowsLocalHttp ? { mayReach: () => true } : {});
  return {
    fetchClientDocument: boundedFetch({ ...DOCUMENT_BOUNDS, fetch }),
    fetchIdentityProvider: secureFetch(boundedFetch({ ...IDENTITY_BOUNDS, fetch: identityFetch }), { allowsLocalHttp }),
  };
}
