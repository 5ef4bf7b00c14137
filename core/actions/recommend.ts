import { competitorPresent, keywordWithoutPresence } from "./rules/absence-rules.ts";
import type { ActionRule, Phrases, Teller } from "./action.ts";
import { failedChecks } from "./rules/audit-rule.ts";
import type { AuditView } from "./audit-view.ts";
import { citedSources, type CitedSites } from "./cited-sites.ts";
import type { CollectView } from "./collect-view.ts";
import type { Finding, RuleInput, Steps } from "./finding.ts";
import { losses, remainingLoss } from "./rules/loss-rules.ts";
import { phrasesOf } from "./phrases/phrase.ts";
import { worthOf, type Worth } from "./score.ts";

/** A finding with what is said of it and what it is worth: what an action is made or updated from. */
export interface Recommendation extends Finding, Phrases, Worth {}

export interface EarlierLoss {
  rule: ActionRule;
  subject: string;
  before: CollectView;
}

/** New actions of one rule stop at this many open ones; those that are there already are always updated. */
export function mostOf(rule: ActionRule): number {
  return rule === "failed_check" ? 20 : 10;
}

/**
 * Everything that a completed collect calls for, the most valuable first. `earlier` are the collects before it, the latest
 * first. Pauses after each part of the work.
 */
export function* recommend(
  input: RuleInput,
  facts: {
    earlier: readonly CollectView[];
    earlierLosses: readonly EarlierLoss[];
    cited: CitedSites;
    /** What was found in what answers say of brands. */
    said: readonly Finding[];
  },
): Steps<Recommendation[]> {
  const { earlier, earlierLosses, cited, said } = facts;
  const fresh = yield* losses(input, earlier);
  // What fell before and did not come back is still lost, though it did not fall again.
  const remaining: Finding[] = [];
  for (const { before, ...of } of earlierLosses) {
    if (fresh.some(({ rule, subject }) => rule === of.rule && subject === of.subject)) continue;
    const loss = yield* remainingLoss(input, before, of);
    if (loss) remaining.push(loss);
  }
  const own = input.brandNames.get(input.compared.ownId) ?? "your brand";
  const by: Teller = { own, asked: input.clusters === null ? "keyword" : "prompt" };
  return [
    ...(yield* competitorPresent(input)),
    ...keywordWithoutPresence(input),
    ...citedSources(input, cited),
    ...fresh,
    ...remaining,
    ...said,
  ]
    .map((finding) => ({ ...finding, ...phrasesOf(finding, by), ...worthOf(finding, input.keywords) }))
    .toSorted(mostValuable);
}

/** Everything that a run of an audit calls for, the most valuable first. `own` is whose pages they are. */
export function recommendMending(view: AuditView, own: string): Recommendation[] {
  return failedChecks(view)
    .map((finding) => ({ ...finding, ...phrasesOf(finding, { own, asked: "keyword" }), ...worthOf(finding, []) }))
    .toSorted(mostValuable);
}

function mostValuable(a: Recommendation, b: Recommendation): number {
  return b.score - a.score || (a.subject < b.subject ? -1 : 1);
}
