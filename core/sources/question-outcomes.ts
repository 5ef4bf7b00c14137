import type { FailureKind } from "./provider-failures.ts";

/** Causes of failed questions, with remedies for users. */
export const FAILURE_REMEDIES = {
  not_configured:
    "No provider is configured for this source. The operator of this service must configure one, or the analysis must leave the source out.",
  unauthorized: "The operator must set a key that the provider accepts.",
  out_of_quota: "The operator must top up the account at the provider.",
  over_cap:
    "A spending cap is reached or cannot be enforced; npx brand-visibility doctor shows the cap. The operator must raise it, or run the collect again on the next day or in the next month.",
  over_analysis_cap:
    "The spending cap of this analysis is reached. Raise or remove max_spend_usd in its setup, and run the collect again.",
  rate_limited: "Run the collect again later: the provider accepted no more requests.",
  timeout: "Run the collect again later: the provider did not answer in time.",
  unavailable: "Run the collect again later: the provider could not be reached, or failed.",
  malformed:
    "The provider may have changed its answers. The operator can print the answer with npx brand-visibility doctor --bodies.",
  too_large: "The answer exceeds the size limit. Only another prompt can help.",
  cut_off: "The operator must raise the maximum length of answers.",
  unsupported:
    "Choose another country or language, or leave the source out: its provider does not support the chosen one.",
  rejected:
    "The provider did not accept the prompt. The operator must check model and address with npx brand-visibility doctor.",
  canceled: "No action is needed: the prompt was canceled before it was sent.",
  internal: "Run the collect again. If it fails again, tell the operator.",
} as const satisfies Record<
  FailureKind | "not_configured" | "over_cap" | "over_analysis_cap" | "canceled" | "internal",
  string
>;

export type FailureCause = keyof typeof FAILURE_REMEDIES;
// Safe: these are the keys of FAILURE_REMEDIES.
export const FAILURE_CAUSES = Object.keys(FAILURE_REMEDIES) as [FailureCause, ...FailureCause[]];

export const QUESTION_OUTCOMES = ["not_shown", "refused", ...FAILURE_CAUSES] as const;
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number];

export function isFailure(end: QuestionOutcome): end is FailureCause {
  return end in FAILURE_REMEDIES;
}
