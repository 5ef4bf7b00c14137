import type { BrandAlias } from "../reading/capture.ts";
import { parseHost } from "../identity/domains.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

export interface BrandNames {
  name: string;
  aliases: readonly BrandAlias[];
  domains: readonly string[];
}

/** A name, alias or domain of another brand. `path` is the field, such as `aliases.0`. */
export interface BrandConflict {
  path: string;
  with: "name" | "domain";
}

interface NameSpelling {
  /** Folded like answers: accents, case and word joiners do not distinguish names. */
  folded: string;
  cased: string;
  isCaseSensitive: boolean;
}

function toSpelling(text: string, isCaseSensitive: boolean): NameSpelling {
  const { cased, lower } = foldText(text.trim());
  return { folded: joinWords(lower), cased: joinWords(cased), isCaseSensitive };
}

function joinWords(folded: string): string {
  return folded.replaceAll(/[\s-]+/g, " ");
}

/** The name counts as an alias unless an alias of the same text sets its case sensitivity. */
function listSpellings({ name, aliases }: BrandNames): NameSpelling[] {
  const known = aliases.map((alias) => toSpelling(alias.text, alias.case_sensitive));
  return aliases.some((alias) => alias.text === name) ? known : [toSpelling(name, false), ...known];
}

/** True if some text would match both. */
function areConflicting(one: NameSpelling, other: NameSpelling): boolean {
  return one.folded === other.folded && (!one.isCaseSensitive || !other.isCaseSensitive || one.cased === other.cased);
}

/** A name or host reserved by one brand per workspace. */
export interface BrandClaim {
  kind: "name" | "host";
  /** Folded spelling of a name, or host of a domain. */
  key: string;
  cased: string;
  caseSensitive: boolean;
}

export function listBrandClaims(brand: BrandNames): BrandClaim[] {
  const names = listSpellings(brand).map(({ folded, cased, isCaseSensitive }) => ({
    key: folded,
    cased,
    caseSensitive: isCaseSensitive,
  }));
  const hosts = brand.domains.map(parseHost).filter((host) => host !== "");
  const claims = [
    ...names.map((name): BrandClaim => ({ kind: "name", ...name })),
    ...hosts.map((key): BrandClaim => ({ kind: "host", key, cased: "", caseSensitive: false })),
  ];
  return [...new Map(claims.map((claim) => [Object.values(claim).join("\0"), claim])).values()];
}

export function findBrandConflicts(brand: BrandNames, claimed: readonly BrandClaim[]): BrandConflict[] {
  if (claimed.length === 0) return [];
  const spellings = new Map<string, NameSpelling[]>();
  for (const { key: folded, cased, caseSensitive: isCaseSensitive } of claimed.filter(({ kind }) => kind === "name")) {
    spellings.set(folded, [...(spellings.get(folded) ?? []), { folded, cased, isCaseSensitive }]);
  }
  const isTaken = (own: NameSpelling) => (spellings.get(own.folded) ?? []).some((other) => areConflicting(own, other));
  const decided = brand.aliases.some((alias) => alias.text === brand.name);
  const hosts = new Set(claimed.filter(({ kind }) => kind === "host").map(({ key }) => key));
  return [
    ...(!decided && isTaken(toSpelling(brand.name, false)) ? [{ path: "name", with: "name" as const }] : []),
    ...brand.aliases.flatMap((alias, place) =>
      isTaken(toSpelling(alias.text, alias.case_sensitive))
        ? [{ path: `aliases.${place}`, with: "name" as const }]
        : [],
    ),
    ...brand.domains.flatMap((domain, place) =>
      hosts.has(parseHost(domain)) ? [{ path: `domains.${place}`, with: "domain" as const }] : [],
    ),
  ];
}

/**
 * Removes duplicate aliases. A case-insensitive alias replaces a case-sensitive one of the same
 * text; one equal to the name is dropped unless case-sensitive. Spellings in other case stay,
 * because short and plain words match by case.
 */
export function removeRepeatedAliases(name: string, aliases: readonly BrandAlias[]): BrandAlias[] {
  const spelt = aliases.map((alias) => ({ alias, cased: toSpelling(alias.text, alias.case_sensitive).cased }));
  const anyCase = new Set(spelt.filter(({ alias }) => !alias.case_sensitive).map(({ cased }) => cased));
  const seen = new Set<string>();
  return spelt
    .filter(({ alias, cased }) => {
      const stands = alias.case_sensitive ? !anyCase.has(cased) : cased !== toSpelling(name, false).cased;
      if (!stands || seen.has(cased)) return false;
      seen.add(cased);
      return true;
    })
    .map(({ alias }) => alias);
}

/** Removes domains with the host of an earlier one. */
export function removeRepeatedHosts(domains: readonly string[]): string[] {
  return [...new Map(domains.toReversed().map((domain) => [parseHost(domain), domain])).values()].toReversed();
}
