/** What kept a question from being answered, the same for every provider. */
export type FailureKind =
  | "unauthorized"
  | "out_of_quota"
  | "rate_limited"
  | "timeout"
  | "unavailable"
  | "too_large"
  | "malformed"
  | "cut_off"
  | "unsupported"
  | "rejected";

/** What a provider is configured by: `needs` are the variables without which it is not. */
export interface ProviderVariables {
  name: string;
  needs: readonly string[];
  /** All of its variables. */
  variables: readonly string[];
}

/** The provider's variable that ends so, or what it is in words. */
type Its = (end: string, inWords: string) => string;

const address = (its: Its) => its("_BASE_URL", "its address");
const REACHED = "can be reached from here, and whether the provider reports a fault";

const REMEDIES: Readonly<Record<FailureKind, (its: Its, of: ProviderVariables) => string>> = {
  unauthorized: (_its, { needs }) => `Correct ${needs.join(" and ") || "its key"}.`,
  out_of_quota: (its) =>
    `Add credit to the account there, or raise ${its("_MONTHLY_USD", "the cap")} where that is spent.`,
  rate_limited: (its) => `Wait, or set ${its("_REQUESTS_PER_MINUTE", "a limit")} to what the account may ask.`,
  timeout: (its) =>
    `See whether ${address(its)} ${REACHED}; raise ${its("_TIMEOUT_SECONDS", "its time limit")} where it is only slow.`,
  unavailable: (its) => `Correct ${address(its)}, or see whether it ${REACHED}.`,
  malformed: (its, { name }) =>
    `Correct ${address(its)} where it is another service's. Else install a newer version: npm run doctor -- --bodies ${name} prints what came.`,
  too_large: (its) => `Correct ${address(its)} where it is another service's.`,
  cut_off: (its) => `Raise ${its("_MAX_OUTPUT_TOKENS", "the most tokens of an answer")}.`,
  unsupported: () => "Leave the country or language out of the setup, or have another provider answer the source.",
  rejected: (its) => `Correct ${its("_MODEL", "what is asked for")} or ${address(its)}.`,
};

/** What an operator can do about a failure, in a sentence or two that name the variables to look at. */
export function remedyOf(kind: FailureKind, of: ProviderVariables): string {
  return REMEDIES[kind]((end, inWords) => of.variables.find((variable) => variable.endsWith(end)) ?? inWords, of);
}
