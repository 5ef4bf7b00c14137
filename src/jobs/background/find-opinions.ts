import { setImmediate as nextTurn } from "node:timers/promises";
import { readSentences } from "../../../db/acting/fact-claims.ts";
import { readSaidAnswers, type OpinionSetup } from "../../../db/acting/opinion-facts.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { consOf, frequentCons } from "../../../core/recommend/rules/con-rule.ts";
import { contradictedFacts, contradictingAnswers, wrongFacts } from "../../../core/recommend/rules/fact-rule.ts";
import type { Finding, RuleInput, Steps } from "../../../core/recommend/finding.ts";
import type { OpinionView } from "../../../core/recommend/opinion-view.ts";
import { lossesToRivals } from "../../../core/recommend/rules/preference-rule.ts";
import { keysOfLost, preferredCompetitors } from "../../../core/recommend/rules/preferred-competitors.ts";

/**
 * What the answers of a collect say of brands that calls for work. Sums say what: only of that some answers, a few hundred at most, are opened, to
 * see which pages they cite for it.
 */
export async function findOpinions(
  tenant: Tenant,
  input: RuleInput,
  { view, families }: { view: OpinionView; families: OpinionSetup["families"] },
): Promise<Finding[]> {
  const { ownId } = input.compared;
  const cons = consOf(input, view);
  await nextTurn();
  const lost = await inTurns(lossesToRivals(input, view));
  const contradicted = contradictedFacts(view);
  const claims = contradictingAnswers(contradicted);
  const keys = [...cons.flatMap((con) => con.keys), ...keysOfLost(lost), ...claims.flatMap((one) => one.keys)];
  const opened = {
    answers: await readSaidAnswers(tenant, [...new Set(keys)]),
    ownHosts: families.hostsOf(ownId),
  };
  const sentences = await readSentences(tenant, { collectId: input.collect.id, claims });
  return [
    ...frequentCons(input, view, { cons, opened, brands: families.familyOf(ownId) }),
    ...wrongFacts(input, view, { contradicted, opened, sentences }),
    ...preferredCompetitors(input, view, { lost, opened, familyOf: families.familyOf }),
  ];
}

/** Does the steps of some work, with a turn for others after each. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
