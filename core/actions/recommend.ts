import { findCompetitorPresent, findKeywordsWithoutPresence } from "./rules/absence-rules.ts";
import type { ActionRule, Phrases, PhraseContext } from "./action.ts";
import { findFailedChecks } from "./rules/audit-rule.ts";
import type { AuditView } from "./audit-view.ts";
import { findCitedSites, type CitedSites } from "./cited-sites.ts";
import type { CollectView } from "./collect-view.ts";
import type { ActionFinding, RuleInput, Steps } from "./finding.ts";
import { findLosses, findRemainingLoss } from "./rules/loss-rules.ts";
import { buildPhrases } from "./phrases/build-phrases.ts";
import { scoreAction, type ActionScore } from "./score-action.ts";

export interface Recommendation extends ActionFinding, Phrases, ActionScore {}

export interface EarlierLoss {
  rule: ActionRule;
  subject: string;
  before: CollectView;
}

/** Max open actions per rule; above it, existing actions are updated and none is created. */
export function getMaxOpenActions(rule: ActionRule): number {
  return rule === "failed_check" ? 20 : 10;
}

/** Highest score first. `earlier`: collects before, latest first. Yields between parts of work. */
export function* recommend(
  input: RuleInput,
  facts: {
    earlier: readonly CollectView[];
    earlierLosses: readonly EarlierLoss[];
    cited: CitedSites;
    opinions: readonly ActionFinding[];
  },
): Steps<Recommendation[]> {
  const { earlier, earlierLosses, cited, opinions } = facts;
  const fresh = yield* findLosses(input, earlier);
  // An earlier loss without recovery remains a finding.
  const remaining: ActionFinding[] = [];
  for (const { before, ...of } of earlierLosses) {
    if (fresh.some(({ rule, subject }) => rule === of.rule && subject === of.subject)) continue;
    const loss = yield* findRemainingLoss(input, before, of);
    if (loss) remaining.push(loss);
  }
  const own = input.brandNames.get(input.compared.ownId) ?? "your brand";
  const by: PhraseContext = { own, promptNoun: input.promptClusters === null ? "keyword" : "prompt" };
  return [
    ...(yield* findCompetitorPresent(input)),
    ...findKeywordsWithoutPresence(input),
    ...findCitedSites(input, cited),
    ...fresh,
    ...remaining,
    ...opinions,
  ]
    .map((finding) => ({ ...finding, ...buildPhrases(finding, by), ...scoreAction(finding, input.keywords) }))
    .toSorted(compareByScore);
}

/** Recommendations of an audit run, highest score first. `own` is the audited brand. */
export function recommendFixes(view: AuditView, own: string): Recommendation[] {
  return findFailedChecks(view)
    .map((finding) => ({
      ...finding,
      ...buildPhrases(finding, { own, promptNoun: "keyword" }),
      ...scoreAction(finding, []),
    }))
    .toSorted(compareByScore);
}

function compareByScore(a: Recommendation, b: Recommendation): number {
  return b.score - a.score || (a.subject < b.subject ? -1 : 1);
}
