import type { FailureKind } from "./provider-failures.ts";

/** Causes of failed questions, with remedies for users. */
export const FAILURE_REMEDIES = {
  not_configured:
    "The operator of this service must configure a provider of this source, or the analysis leave it out.",
  unauthorized: "The operator must set a key that the provider takes.",
  out_of_quota: "The operator must top up the account at the provider.",
  over_cap:
    "A cap on spending is reached or cannot be kept, as npx brand-visibility doctor says. The operator must raise it, or the collect be run again in the next day or month.",
  over_analysis_cap:
    "What providers may be paid for this analysis is spent. Change its setup to a higher max_spend_usd, or to none, and run the collect again.",
  rate_limited: "Run the collect again later: the provider took no more requests.",
  timeout: "Run the collect again later: the provider did not answer in time.",
  unavailable: "Run the collect again later: the provider could not be reached, or failed.",
  malformed:
    "The operator can see what came by npx brand-visibility doctor: the provider may have changed its answers.",
  too_large: "Nothing helps but another question: the answer was larger than is read.",
  cut_off: "The operator must allow longer answers.",
  unsupported: "Choose another country or language, or leave the source out: its provider does not serve this one.",
  rejected:
    "The operator must check model and address by npx brand-visibility doctor: the provider did not accept the question.",
  canceled: "Nothing is to be done: it was given up before it was asked.",
  internal: "Run the collect again. If it fails again, tell the operator.",
} as const satisfies Record<
  FailureKind | "not_configured" | "over_cap" | "over_analysis_cap" | "canceled" | "internal",
  string
>;

export type FailureCause = keyof typeof FAILURE_REMEDIES;
// Safe: these are the keys of FAILURE_REMEDIES.
export const FAILURE_CAUSES = Object.keys(FAILURE_REMEDIES) as [FailureCause, ...FailureCause[]];

/** Outcomes of a question without an answer. */
export const QUESTION_OUTCOMES = ["not_shown", "refused", ...FAILURE_CAUSES] as const;
export type QuestionOutcome = (typeof QUESTION_OUTCOMES)[number];

export function isFailure(end: QuestionOutcome): end is FailureCause {
  return end in FAILURE_REMEDIES;
}
