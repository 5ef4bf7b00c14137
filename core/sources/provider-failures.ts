/** Failures of questions by kind, common to all providers. Messages never quote a response. */
export const FAILURE_MESSAGES = {
  unauthorized: "The provider rejected the configured key.",
  out_of_quota: "The provider's account has no quota left.",
  rate_limited: "The provider accepts no more requests at the moment.",
  timeout: "The provider did not answer in time.",
  unavailable: "The provider could not be reached, or broke off its answer.",
  too_large: "The provider's answer is too large.",
  /** The response cannot be parsed; it is stored for inspection. */
  malformed: "The provider's answer could not be read.",
  /** The model stopped at a limit, such as its number of tokens. */
  cut_off: "The provider ended its answer before it was complete.",
  unsupported: "The provider does not serve this country or language.",
  /** The provider calls the request invalid: its model, address or parameter. */
  rejected: "The provider did not accept the request.",
};
export type FailureKind = keyof typeof FAILURE_MESSAGES;
// Safe: these are the keys of FAILURE_MESSAGES.
export const FAILURE_KINDS = Object.keys(FAILURE_MESSAGES) as [FailureKind, ...FailureKind[]];

export function isFailureKind(end: string): end is FailureKind {
  return end in FAILURE_MESSAGES;
}

export function getFailureKindByStatus(status: number): FailureKind {
  if (status === 402) return "out_of_quota";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  return status >= 500 || TEMPORARY_STATUSES.has(status) ? "unavailable" : "rejected";
}

const TEMPORARY_STATUSES = new Set([408, 425]);

/** Environment variables of a provider; `needs` are the required ones. */
export interface ProviderVariables {
  name: string;
  needs: readonly string[];
  variables: readonly string[];
}

/** Name of the provider's environment variable with this suffix, or a description. */
type FindVariable = (end: string, inWords: string) => string;

const describeBaseUrl = (its: FindVariable) => its("_BASE_URL", "its address");
const REACHABLE_ADVICE = "can be reached from here, and whether the provider reports a fault";

const FAILURE_REMEDIES: Readonly<Record<FailureKind, (its: FindVariable, of: ProviderVariables) => string>> = {
  unauthorized: (_its, { needs }) => `Correct ${needs.join(" and ") || "its key"}.`,
  out_of_quota: (its) =>
    `Add credit to the provider account, or raise ${its("_MONTHLY_USD", "the cap")} if the cap is reached.`,
  rate_limited: (its) =>
    `Wait, or lower ${its("_REQUESTS_PER_MINUTE", "the request rate")} to the limit of the account.`,
  timeout: (its) =>
    `Check whether ${describeBaseUrl(its)} ${REACHABLE_ADVICE}; raise ${its("_TIMEOUT_SECONDS", "its time limit")} if the provider is only slow.`,
  unavailable: (its) => `Correct ${describeBaseUrl(its)}, or check whether it ${REACHABLE_ADVICE}.`,
  malformed: (its, { name }) =>
    `Correct ${describeBaseUrl(its)} if it belongs to another service. Otherwise install a newer version: npx brand-visibility doctor --bodies ${name} prints the answer.`,
  too_large: (its) => `Correct ${describeBaseUrl(its)} if it belongs to another service.`,
  cut_off: (its) => `Raise ${its("_MAX_OUTPUT_TOKENS", "the maximum tokens of an answer")}.`,
  unsupported: () => "Leave the country or language out of the setup, or choose another provider for the source.",
  rejected: (its) => `Correct ${its("_MODEL", "the model")} or ${describeBaseUrl(its)}.`,
};

export function describeRemedy(kind: FailureKind, of: ProviderVariables): string {
  return FAILURE_REMEDIES[kind](
    (end, inWords) => of.variables.find((variable) => variable.endsWith(end)) ?? inWords,
    of,
  );
}
