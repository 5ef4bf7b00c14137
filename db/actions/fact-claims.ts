import { factText } from "../../core/claims/fact.ts";
import { numbersOf, type HeldFact } from "../../core/metrics/facts/collect-claims.ts";
import { type HeldAgainst, type HeldClaim, promptPlaces } from "../../core/actions/opinion-view.ts";
import type { Sentences } from "../../core/actions/rules/fact-rule.ts";
import { wordsAt } from "../../core/actions/rules/said-answer.ts";
import type { Tenant } from "../engine/store.ts";
import { findClaims, listClaimFacts, listFactsOf } from "../metrics/claim-facts.ts";
import { countedIn } from "../metrics/methods.ts";
import type { OpinionSetup } from "./opinion-facts.ts";

type ClaimFacts = Awaited<ReturnType<typeof listClaimFacts>>[number];

/** Includes the facts of the brand's sub-brands and products. */
export async function readHeldFacts(
  tenant: Tenant,
  { collectId, brandId, setup }: { collectId: string; brandId: string; setup: OpinionSetup },
): Promise<HeldAgainst[]> {
  const { numbers, families } = setup;
  const family = families.familyOf(brandId);
  const ids = [...numbers].flatMap(([id, number]) => (family.has(number) ? [id] : []));
  const claims = await countedIn(tenant.db, collectId, await listClaimFacts(tenant.db, collectId, [...family]));
  const places = promptPlaces(setup);
  return (await listFactsOf(tenant, ids)).map((fact) => {
    const { id, revision, attribute, value } = fact;
    const own = claims.filter(({ brandNumber }) => brandNumber === numbers.get(fact.brandId));
    return {
      id,
      attribute,
      declared: factText(value),
      claims: own.flatMap((one) => claimsIn(one, { id, revision }, places)),
    };
  });
}

function claimsIn({ source, claims }: ClaimFacts, fact: HeldFact, places: ReadonlyMap<number, number>): HeldClaim[] {
  const verdicts = numbersOf(claims.held, fact);
  if (!verdicts) return [];
  const { starts, brands, ranks, mentions } = claims.facts;
  return [...places].flatMap(([question, prompt]) => {
    const found: HeldClaim[] = [];
    for (let at = starts[question] ?? 0; at < (starts[question + 1] ?? 0); at += 1) {
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
export async function readSentences(
  tenant: Tenant,
  { collectId, claims }: { collectId: string; claims: readonly { factId: string; keys: readonly number[] }[] },
): Promise<Sentences> {
  const wanted = claims.flatMap(({ factId, keys }) => keys.map((answerKey) => ({ collectId, answerKey, factId })));
  const sentences = new Map(claims.map(({ factId }) => [factId, new Map<number, string>()]));
  for (const { claim, text } of wanted.length === 0 ? [] : await findClaims(tenant, wanted)) {
    if (claim.verdict !== "contradicted") continue;
    sentences.get(claim.factId)?.set(claim.answerKey, wordsAt({ text }, claim));
  }
  return sentences;
}
