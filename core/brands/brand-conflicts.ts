import type { BrandAlias } from "../reading/capture.ts";
import { hostOf } from "../identity/domains.ts";
import { foldText } from "../reading/aliases/text-folding.ts";

/** What a caller wants a brand to be known by. */
export interface BrandNames {
  name: string;
  aliases: readonly BrandAlias[];
  domains: readonly string[];
}

/** A name, alias or domain that another brand has already. `path` names the field, such as `aliases.0`. */
export interface BrandConflict {
  path: string;
  with: "name" | "domain";
}

interface Spelling {
  /** As texts are compared when answers are read: accents, case, and what joins words do not tell names apart. */
  folded: string;
  cased: string;
  caseSensitive: boolean;
}

function spelling(text: string, caseSensitive: boolean): Spelling {
  const { cased, lower } = foldText(text.trim());
  return { folded: joined(lower), cased: joined(cased), caseSensitive };
}

function joined(folded: string): string {
  return folded.replaceAll(/[\s-]+/g, " ");
}

/** The name is an alias too, unless an alias of the same text decides whether its case matters. */
function spellingsOf({ name, aliases }: BrandNames): Spelling[] {
  const known = aliases.map((alias) => spelling(alias.text, alias.case_sensitive));
  return aliases.some((alias) => alias.text === name) ? known : [spelling(name, false), ...known];
}

/** True if some text would name both. */
function meet(one: Spelling, other: Spelling): boolean {
  return one.folded === other.folded && (!one.caseSensitive || !other.caseSensitive || one.cased === other.cased);
}

/** What a brand is found by: nothing else of the same workspace may claim it. Hosts have no case. */
export interface BrandClaim {
  kind: "name" | "host";
  /** A spelling without case, or a host. */
  key: string;
  cased: string;
  caseSensitive: boolean;
}

export function claimsOf(brand: BrandNames): BrandClaim[] {
  const names = spellingsOf(brand).map(({ folded, cased, caseSensitive }) => ({ key: folded, cased, caseSensitive }));
  const hosts = brand.domains.map(hostOf).filter((host) => host !== "");
  const claims = [
    ...names.map((name): BrandClaim => ({ kind: "name", ...name })),
    ...hosts.map((key): BrandClaim => ({ kind: "host", key, cased: "", caseSensitive: false })),
  ];
  return [...new Map(claims.map((claim) => [Object.values(claim).join("\0"), claim])).values()];
}

/** What of a brand others have claimed. Empty if nothing is. */
export function conflictsOf(brand: BrandNames, claimed: readonly BrandClaim[]): BrandConflict[] {
  if (claimed.length === 0) return [];
  const taken = new Map<string, Spelling[]>();
  for (const { key: folded, cased, caseSensitive } of claimed.filter(({ kind }) => kind === "name")) {
    taken.set(folded, [...(taken.get(folded) ?? []), { folded, cased, caseSensitive }]);
  }
  const isTaken = (own: Spelling) => (taken.get(own.folded) ?? []).some((other) => meet(own, other));
  const decided = brand.aliases.some((alias) => alias.text === brand.name);
  const hosts = new Set(claimed.filter(({ kind }) => kind === "host").map(({ key }) => key));
  return [
    ...(!decided && isTaken(spelling(brand.name, false)) ? [{ path: "name", with: "name" as const }] : []),
    ...brand.aliases.flatMap((alias, place) =>
      isTaken(spelling(alias.text, alias.case_sensitive)) ? [{ path: `aliases.${place}`, with: "name" as const }] : [],
    ),
    ...brand.domains.flatMap((domain, place) =>
      hosts.has(hostOf(domain)) ? [{ path: `domains.${place}`, with: "domain" as const }] : [],
    ),
  ];
}

/**
 * Aliases, each spelling once: one that takes any case stands for one of the same text that does not. One that is the
 * name itself goes, unless it makes the name's case matter. Spellings of other case stay: of a short or plain word
 * they find something else.
 */
export function withoutRepeats(name: string, aliases: readonly BrandAlias[]): BrandAlias[] {
  const spelt = aliases.map((alias) => ({ alias, cased: spelling(alias.text, alias.case_sensitive).cased }));
  const anyCase = new Set(spelt.filter(({ alias }) => !alias.case_sensitive).map(({ cased }) => cased));
  const seen = new Set<string>();
  return spelt
    .filter(({ alias, cased }) => {
      const stands = alias.case_sensitive ? !anyCase.has(cased) : cased !== spelling(name, false).cased;
      if (!stands || seen.has(cased)) return false;
      seen.add(cased);
      return true;
    })
    .map(({ alias }) => alias);
}

/** Domains, each host once, as first given. */
export function withoutRepeatedHosts(domains: readonly string[]): string[] {
  return [...new Map(domains.toReversed().map((domain) => [hostOf(domain), domain])).values()].toReversed();
}
