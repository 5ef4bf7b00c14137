/** Meaning of names under an `@context`, as far as schema.org is concerned. */
export interface Context {
  /** True if unprefixed names are schema.org's. */
  isSchemaOrg: boolean;
  /** True if a term or prefix is schema.org's. */
  hasPrefix: boolean;
  /** Addresses of terms and prefixes defined here; those of `outer` also apply. */
  terms: ReadonlyMap<string, string>;
  outer: Context | null;
  /** True if another vocabulary is included, whose names are unknown. */
  isMixed: boolean;
  /** True if schema.org is written in a nonstandard form. */
  isOddlyWritten: boolean;
}

const NOTHING: Context = {
  isSchemaOrg: false,
  hasPrefix: false,
  terms: new Map(),
  outer: null,
  isMixed: false,
  isOddlyWritten: false,
};
export const SCHEMA_ORG: Context = { ...NOTHING, isSchemaOrg: true };

const MOST_TERMS = 500;

const ADDRESS = /^https?:\/\/schema\.org(?:\/(?:docs\/jsonldcontext\.jsonl?d?|#)?)?$/i;
const ODD_ADDRESS = /^(?:https?:)?(?:\/\/)?(?:www\.)?schema\.org\/?$/i;
const WITHIN = /^https?:\/\/(?:www\.)?schema\.org(?:\/|$)/i;
const NAME = /^https?:\/\/(?:www\.)?schema\.org\/([^/?#]+)$/i;

/** Parses an `@context` value within an outer context. */
export function readContext(value: unknown, outer: Context | undefined): Context {
  if (value === undefined) return outer ?? NOTHING;
  if (value === null) return NOTHING;
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  let isSchemaOrg = false;
  let isForeign = false;
  let isOddlyWritten = false;
  let setsVocabulary = false;
  const terms = new Map<string, string>();
  const name = (address: unknown): void => {
    const isOdd = typeof address === "string" && !ADDRESS.test(address) && ODD_ADDRESS.test(address);
    const isOurs = isOdd || (typeof address === "string" && ADDRESS.test(address));
    setsVocabulary = true;
    isSchemaOrg ||= isOurs;
    isForeign ||= !isOurs;
    isOddlyWritten ||= isOdd;
  };
  for (const part of parts.slice(0, MOST_TERMS)) {
    if (typeof part === "string") name(part);
    else if (typeof part === "object" && part !== null) {
      for (const [term, definition] of Object.entries(part).slice(0, MOST_TERMS)) {
        if (term === "@vocab") name(definition);
        else if (!term.startsWith("@")) terms.set(term, addressOf(definition));
      }
    }
  }
  if (!setsVocabulary) isSchemaOrg = outer?.isSchemaOrg ?? false;
  const hasPrefix = (outer?.hasPrefix ?? false) || [...terms.values()].some((address) => WITHIN.test(address));
  return {
    isSchemaOrg,
    hasPrefix,
    terms,
    outer: outer ?? null,
    isMixed: isSchemaOrg && isForeign,
    isOddlyWritten,
  };
}

/** Name of a type or property in schema.org; null for another vocabulary. */
export function schemaName(name: string, context: Context): string | null {
  const address = NAME.exec(name);
  if (address) return address[1] ?? null;
  const term = findTerm(name, context);
  if (term !== undefined) return NAME.exec(withoutPrefix(term, context))?.[1] ?? null;
  if (!name.includes(":")) return context.isSchemaOrg ? name : null;
  return NAME.exec(withoutPrefix(name, context))?.[1] ?? null;
}

/**
 * True if schema.org names are possible, at least by prefix or term: `{"schema":
 * "https://schema.org/"}`.
 */
export function knowsSchemaOrg({ isSchemaOrg, hasPrefix }: Context): boolean {
  return isSchemaOrg || hasPrefix;
}

/** Address of a term. Recursion is bounded by the nesting limit of JSON. */
function findTerm(name: string, context: Context | null): string | undefined {
  for (let one = context; one !== null; one = one.outer) {
    const address = one.terms.get(name);
    if (address !== undefined) return address;
  }
  return undefined;
}

function withoutPrefix(name: string, context: Context): string {
  const end = name.indexOf(":");
  const prefix = name.slice(0, end);
  const address =
    findTerm(prefix, context) ?? (prefix === "schema" && context.isSchemaOrg ? "https://schema.org/" : "");
  return end > 0 && address !== "" ? address + name.slice(end + 1) : name;
}

function addressOf(definition: unknown): string {
  if (typeof definition === "string") return definition;
  const id: unknown =
    typeof definition === "object" && definition !== null && "@id" in definition ? definition["@id"] : "";
  return typeof id === "string" ? id : "";
}
