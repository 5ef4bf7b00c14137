/** What names of a JSON-LD object mean: an `@context`, as far as it has to do with schema.org. */
export interface Context {
  /** Whether names without a prefix are schema.org's. */
  isSchemaOrg: boolean;
  /** Whether a term or prefix is schema.org's. */
  hasPrefix: boolean;
  /** Terms and prefixes that it defines itself, and the address of each. Those of the context around it hold besides. */
  terms: ReadonlyMap<string, string>;
  outer: Context | null;
  /** It has another vocabulary besides, whose names are not known. */
  isMixed: boolean;
  /** schema.org is named in another form than its own. */
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

/** The context of an object whose `@context` is `value`, within `outer`. */
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

/** The name that schema.org has for a type or property; null where it is of another vocabulary. */
export function schemaName(name: string, context: Context): string | null {
  const address = NAME.exec(name);
  if (address) return address[1] ?? null;
  const term = findTerm(name, context);
  if (term !== undefined) return NAME.exec(withoutPrefix(term, context))?.[1] ?? null;
  if (!name.includes(":")) return context.isSchemaOrg ? name : null;
  return NAME.exec(withoutPrefix(name, context))?.[1] ?? null;
}

/** True where names can be schema.org's, if only by a prefix or term: `{"schema": "https://schema.org/"}`. */
export function knowsSchemaOrg({ isSchemaOrg, hasPrefix }: Context): boolean {
  return isSchemaOrg || hasPrefix;
}

/** The address of a term. Contexts are nested no deeper than JSON is. */
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
