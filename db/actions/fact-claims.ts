import { formatFact } from "../../core/claims/fact.ts";
import { mapVerdictsByNumber, type CheckedFact } from "../../core/metrics/facts/collect-claims.ts";
import { type FactWithClaims, type FactClaim, indexPromptsByQuestion } from "../../core/actions/opinion-view.ts";
import type { ContradictingSentences } from "../../core/actions/rules/fact-rule.ts";
import { extractExcerpt } from "../../core/actions/rules/opened-answer.ts";
import type { Tenant } from "../engine/store.ts";
import { findClaims, listClaimFacts, listFactsOfBrands } from "../metrics/claim-facts.ts";
import { listCountedParts } from "../metrics/methods.ts";
import type { OpinionSetup } from "./opinion-facts.ts";

type ClaimFacts = Awaited<ReturnType<typeof listClaimFacts>>[number];

/** Includes the facts of the brand's sub-brands and products. */
export async function readFactsWithClaims(
  tenant: Tenant,
  { collectId, brandId, setup }: { collectId: string; brandId: string; setup: OpinionSetup },
): Promise<FactWithClaims[]> {
  const { numberByBrandId, brandFamilies } = setup;
  const family = brandFamilies.familyOf(brandId);
  const ids = [...numberByBrandId].flatMap(([id, number]) => (family.has(number) ? [id] : []));
  const claims = await listCountedParts(tenant.db, collectId, await listClaimFacts(tenant.db, collectId, [...family]));
  // Facts are checked in all answers, as in the list of claims.
  const places = indexPromptsByQuestion(setup, () => true);
  return (await listFactsOfBrands(tenant, ids)).map((fact) => {
    const { id, revision, attribute, value } = fact;
    const own = claims.filter(({ brandNumber }) => brandNumber === numberByBrandId.get(fact.brandId));
    return {
      id,
      attribute,
      declaredValue: formatFact(value),
      claims: own.flatMap((one) => findFactClaims(one, { id, revision }, places)),
    };
  });
}

function findFactClaims({ source, claims }: ClaimFacts, fact: CheckedFact, places: ReadonlyMap<number, number>) {
  const verdicts = mapVerdictsByNumber(claims.held, fact);
  if (!verdicts) return [];
  const { rowStarts, brands, ranks, mentions } = claims.facts;
  return [...places].flatMap(([question, prompt]) => {
    const found: FactClaim[] = [];
    for (let at = rowStarts[question] ?? 0; at < (rowStarts[question + 1] ?? 0); at += 1) {
      const verdict = verdicts.get(brands[at] ?? 0);
      if (!verdict) continue;
      const key = claims.firstKey + (mentions[at] ?? 0);
      const url = claims.pages[(ranks[at] ?? 0) - 1] ?? null;
      found.push({ source, prompt, key, value: verdict === "contradicted" ? 1 : 0, url });
    }
    return found;
  });
}

/** Omits claims that no longer contradict their fact or are being re-extracted. */
export async function readContradictingSentences(
  tenant: Tenant,
  { collectId, claims }: { collectId: string; claims: readonly { factId: string; keys: readonly number[] }[] },
): Promise<ContradictingSentences> {
  const wanted = claims.flatMap(({ factId, keys }) => keys.map((answerKey) => ({ collectId, answerKey, factId })));
  const sentences = new Map(claims.map(({ factId }) => [factId, new Map<number, string>()]));
  for (const { claim, text } of wanted.length === 0 ? [] : await findClaims(tenant, wanted)) {
    if (claim.verdict !== "contradicted") continue;
    sentences.get(claim.factId)?.set(claim.answerKey, extractExcerpt({ text }, claim));
  }
  return sentences;
}
