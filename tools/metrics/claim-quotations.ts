import { withoutInvisible } from "../../core/fields.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { findClaims, type FoundClaim } from "../../db/measuring/claim-facts.ts";
import { shownText } from "../analyses/shown-text.ts";
import type { ClaimQuote } from "./claim-counts.ts";
import type { ClaimRow } from "./claim-row.ts";

/** The sentences of each of some rows. One that is being read again is left out. */
export async function readClaimQuotations(
  tenant: Tenant,
  rows: readonly (readonly ClaimQuote[])[],
): Promise<ClaimRow["quotations"][]> {
  const wanted = rows.flat().map(({ fact, ...one }) => ({ ...one, factId: fact.id }));
  const found = new Map(
    (await findClaims(tenant, wanted)).map((one) => [`${one.claim.answerKey} ${one.claim.factId}`, one]),
  );
  return rows.map((quotes) =>
    quotes.flatMap(({ answerKey, fact, verdict }) => {
      const one = found.get(`${answerKey} ${fact.id}`);
      const isSame = one?.claim.revision === fact.revision && one.claim.verdict === verdict;
      return one && isSame ? [quotationOf(one)] : [];
    }),
  );
}

function quotationOf({ claim, id, source, text: whole }: FoundClaim): ClaimRow["quotations"][number] {
  const { text, shift } = shownText(whole);
  const [start, end] = [shift(claim.start), shift(claim.end)];
  const url = claim.url === null ? null : withoutInvisible(claim.url);
  return { answer_id: id, source, verdict: claim.verdict, start, end, text: text.slice(start, end), url };
}
