export interface Context {
  /** Unprefixed names are schema.org's. */
  isSchemaOrg: boolean;
  /** A term or prefix is schema.org's. */
  hasPrefix: boolean;
  /** Addresses of terms and prefixes; those of `outerContext` also apply. */
  terms: ReadonlyMap<string, string>;
  outerContext: Context | null;
  /** Another vocabulary is included, whose names are unknown. */
  isMixed: boolean;
  /** schema.org is written in a nonstandard form. */
  isNonstandard: boolean;
}

const EMPTY_CONTEXT: Context = {
  isSchemaOrg: false,
  hasPrefix: false,
  terms: new Map(),
  outerContext: null,
  isMixed: false,
  isNonstandard: false,
};
export const SCHEMA_ORG_CONTEXT: Context = { ...EMPTY_CONTEXT, isSchemaOrg: true };

const MAX_TERMS = 500;

const SCHEMA_ORG_ADDRESS_PATTERN = /^https?:\/\/schema\.org(?:\/(?:docs\/jsonldcontext\.jsonl?d?|#)?)?$/i;
const NONSTANDARD_URL_PATTERN = /^(?:https?:)?(?:\/\/)?(?:www\.)?schema\.org\/?$/i;
const SCHEMA_ORG_PREFIX_PATTERN = /^https?:\/\/(?:www\.)?schema\.org(?:\/|$)/i;
const SCHEMA_ORG_NAME_PATTERN = /^https?:\/\/(?:www\.)?schema\.org\/([^/?#]+)$/i;

export function parseContext(value: unknown, outer: Context | undefined): Context {
  if (value === undefined) return outer ?? EMPTY_CONTEXT;
  if (value === null) return EMPTY_CONTEXT;
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  let isSchemaOrg = false;
  let isForeign = false;
  let isNonstandard = false;
  let setsVocabulary = false;
  const terms = new Map<string, string>();
  const name = (address: unknown): void => {
    const isOdd =
      typeof address === "string" && !SCHEMA_ORG_ADDRESS_PATTERN.test(address) && NONSTANDARD_URL_PATTERN.test(address);
    const isOurs = isOdd || (typeof address === "string" && SCHEMA_ORG_ADDRESS_PATTERN.test(address));
    setsVocabulary = true;
    isSchemaOrg ||= isOurs;
    isForeign ||= !isOurs;
    isNonstandard ||= isOdd;
  };
  for (const part of parts.slice(0, MAX_TERMS)) {
    if (typeof part === "string") name(part);
    else if (typeof part === "object" && part !== null) {
      for (const [term, definition] of Object.entries(part).slice(0, MAX_TERMS)) {
        if (term === "@vocab") name(definition);
        else if (!term.startsWith("@")) terms.set(term, getDefinitionAddress(definition));
      }
    }
  }
  if (!setsVocabulary) isSchemaOrg = outer?.isSchemaOrg ?? false;
  const hasPrefix =
    (outer?.hasPrefix ?? false) || [...terms.values()].some((address) => SCHEMA_ORG_PREFIX_PATTERN.test(address));
  return {
    isSchemaOrg,
    hasPrefix,
    terms,
    outerContext: outer ?? null,
    isMixed: isSchemaOrg && isForeign,
    isNonstandard,
  };
}

/** Null for another vocabulary. */
export function toSchemaName(name: string, context: Context): string | null {
  const address = SCHEMA_ORG_NAME_PATTERN.exec(name);
  if (address) return address[1] ?? null;
  const term = findTerm(name, context);
  if (term !== undefined) return SCHEMA_ORG_NAME_PATTERN.exec(expandPrefix(term, context))?.[1] ?? null;
  if (!name.includes(":")) return context.isSchemaOrg ? name : null;
  return SCHEMA_ORG_NAME_PATTERN.exec(expandPrefix(name, context))?.[1] ?? null;
}

/** True for at least a prefix or term: `{"schema": "https://schema.org/"}`. */
export function allowsSchemaOrg({ isSchemaOrg, hasPrefix }: Context): boolean {
  return isSchemaOrg || hasPrefix;
}

/** Bounded by the nesting limit of JSON. */
function findTerm(name: string, context: Context | null): string | undefined {
  for (let one = context; one !== null; one = one.outerContext) {
    const address = one.terms.get(name);
    if (address !== undefined) return address;
  }
  return undefined;
}

function expandPrefix(name: string, context: Context): string {
  const end = name.indexOf(":");
  const prefix = name.slice(0, end);
  const address =
    findTerm(prefix, context) ?? (prefix === "schema" && context.isSchemaOrg ? "https://schema.org/" : "");
  return end > 0 && address !== "" ? address + name.slice(end + 1) : name;
}

function getDefinitionAddress(definition: unknown): string {
  if (typeof definition === "string") return definition;
  const id: unknown =
    typeof definition === "object" && definition !== null && "@id" in definition ? definition["@id"] : "";
  return typeof id === "string" ? id : "";
}
