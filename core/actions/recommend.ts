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

/** A finding with its texts and score; actions are created and updated from it. */
export interface Recommendation extends Finding, Phrases, Worth {}

export interface EarlierLoss {
  rule: ActionRule;
  subject: string;
  before: CollectView;
}

/** Max open actions per rule; above it, existing actions are updated and none is created. */
export function mostOf(rule: ActionRule): number {
  return rule === "failed_check" ? 20 : 10;
}

/**
 * Recommendations of a completed collect, highest score first. `earlier` has the collects before,
 * latest first. Yields after each part of the work.
 */
export function* recommend(
  input: RuleInput,
  facts: {
    earlier: readonly CollectView[];
    earlierLosses: readonly EarlierLoss[];
    cited: CitedSites;
    /** Findings about opinions. */
    said: readonly Finding[];
  },
): Steps<Recommendation[]> {
  const { earlier, earlierLosses, cited, said } = facts;
  const fresh = yield* losses(input, earlier);
  // An earlier loss without recovery remains a finding.
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

/** Recommendations of an audit run, highest score first. `own` is the audited brand. */
export function recommendMending(view: AuditView, own: string): Recommendation[] {
  return failedChecks(view)
    .map((finding) => ({ ...finding, ...phrasesOf(finding, { own, asked: "keyword" }), ...worthOf(finding, []) }))
    .toSorted(mostValuable);
}

function mostValuable(a: Recommendation, b: Recommendation): number {
  return b.score - a.score || (a.subject < b.subject ? -1 : 1);
}
