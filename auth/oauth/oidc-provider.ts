// The index of oidc-provider does nothing besides exporting these, and printing on Node 20 that it supports only later ones. Every
// test here runs on Node 20 too, so that line would only worry who reads it.
export { Provider } from "oidc-provider/lib/provider.js";
export * as errors from "oidc-provider/lib/helpers/errors.js";
export * as interactionPolicy from "oidc-provider/lib/helpers/interaction_policy/index.js";
