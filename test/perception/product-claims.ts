import type { FactValue } from "../../core/claims/fact.ts";
import { checkClaim } from "../../core/claims/check-claim.ts";
import type { Mention } from "../../core/reading/capture.ts";
import { findMentions } from "../../core/reading/find-mentions.ts";
import { labelledCatalog } from "../measurement/truth.ts";
import type { DeclaredFact } from "./facts.ts";
import type { ReadClaim } from "./perception-reading.ts";
import type { IdentifiedAnswer } from "./recorded.ts";

const catalog = labelledCatalog();
const SUBJECT = "the product of the fact";

/**
 * The product's verdict on a declared fact, with the fact's product added to the catalog as a
 * brand.
 */
export function claimOf({ text, prompt }: IdentifiedAnswer, fact: DeclaredFact): ReadClaim {
  const found = findMentions(text, catalog, prompt);
  const mentions = [...found, ...fact.names.flatMap((name) => namesIn(text, name, { maker: fact.brand, found }))];
  return checkClaim({ text, mentions }, { brandId: SUBJECT, attribute: fact.attribute, value: valueOf(fact) });
}

/**
 * A name of the product, also where the capture ran the next cell or price into it, and not after
 * another maker's name.
 */
function namesIn(
  text: string,
  name: string,
  { maker, found }: { maker: string; found: readonly Mention[] },
): Mention[] {
  const written = name.replaceAll(/[-+() ]/g, (character) => WRITTEN[character] ?? character);
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\d])${written}(?!\p{Ll})(?!\p{Lu}(?!\p{Ll}))(?!\d(?!.{0,12}[ \u00a0]\$•))`,
    "gu",
  );
  return [...text.matchAll(pattern)].flatMap(({ index, 0: said }) => {
    const before = found.findLast(({ start, end }) => start <= index && !/[\n•]/.test(text.slice(end, index)));
    if (before && before.brand_id !== maker) return [];
    return [{ brand_id: SUBJECT, alias: name, start: index, end: index + said.length }];
  });
}

const WRITTEN: Readonly<Record<string, string>> = {
  "-": "[-‑]",
  " ": String.raw`\s`,
  "+": String.raw`\+`,
  "(": String.raw`\(`,
  ")": String.raw`\)`,
};

function valueOf({ kind, value, unit }: DeclaredFact): FactValue {
  switch (kind) {
    case "quantity":
      return { kind: "number", number: Number(value), unit: unit ?? "" };
    case "price":
      return { kind, amount: Number(value), currency: unit ?? "" };
    case "date":
      return { kind, date: String(value) };
    case "availability":
      return { kind, country: "US", available: value === true };
    default:
      return { kind, present: value === true };
  }
}
