// Bypasses the index of oidc-provider, which only re-exports these and prints an
// unsupported-version warning on Node.js 20.
export { Provider } from "oidc-provider/lib/provider.js";
export * as errors from "oidc-provider/lib/helpers/errors.js";
export * as interactionPolicy from "oidc-provider/lib/helpers/interaction_policy/index.js";
