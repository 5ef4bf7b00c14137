// oidc-provider.ts imports these files directly; the types come from the package's index.
declare module "oidc-provider/lib/provider.js" {
  export { Provider } from "oidc-provider";
}

declare module "oidc-provider/lib/helpers/errors.js" {
  import { errors } from "oidc-provider";

  export const InvalidClientMetadata: typeof errors.InvalidClientMetadata;
  export const InvalidGrant: typeof errors.InvalidGrant;
  export const InvalidTarget: typeof errors.InvalidTarget;
  export const OIDCProviderError: typeof errors.OIDCProviderError;
}

declare module "oidc-provider/lib/helpers/interaction_policy/index.js" {
  import { interactionPolicy } from "oidc-provider";

  export const base: typeof interactionPolicy.base;
  export const Check: typeof interactionPolicy.Check;
}
