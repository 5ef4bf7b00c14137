import { parse, type Compare, type Filter } from "scim2-parse-filter";
import { findAttribute, findPath, type Attribute, type ResourceKind } from "./attributes.ts";
import { scimError } from "./scim-errors.ts";

/** A parsed filter (RFC 7644 section 3.4.2.2) of bounded cost. */
export interface ScimFilter {
  isMatch(resource: object): boolean;
  /** Values that every match must have, for database lookups. Attribute names are lower case. */
  equals: ReadonlyMap<string, string>;
  mentions(attribute: string): boolean;
  termCount: number;
}

const MAX_LENGTH = 2000;
const MAX_DEPTH = 20;
const MAX_TERMS = 100;

type FilterPredicate = (resource: unknown) => boolean;

/** Throws invalidFilter for invalid syntax and unknown attributes. */
export function readFilter(text: string, kind: ResourceKind): ScimFilter {
  const tree = parseBounded(text);
  const mentioned = new Set<string>();
  const isMatch = compileFilter(tree, (path) => {
    const found = findPath(kind, path);
    if (found) mentioned.add(found.attribute.name);
    return found;
  });
  const equals = new Map(
    listRequiredTerms(tree).flatMap((term): [string, string][] => {
      const found = findPath(kind, term.attrPath);
      return found && typeof term.compValue === "string" ? [[formatName(found), term.compValue]] : [];
    }),
  );
  return { isMatch, equals, mentions: (attribute) => mentioned.has(attribute), termCount: countTerms(tree) };
}

export interface ValueFilter extends Pick<ScimFilter, "termCount"> {
  tree: Filter;
  isMatch: (value: unknown) => boolean;
}

/** Parses the filter in `emails[…]`, on sub-attributes of one attribute. */
export function readValueFilter(text: string, attribute: Attribute): ValueFilter {
  const tree = parseBounded(text);
  return {
    tree,
    isMatch: compileFilter(tree, (path) => findSubAttribute(attribute, path)),
    termCount: countTerms(tree),
  };
}

/** Resources filtered per event loop iteration, so that other requests run in between. */
export function getBatchSize({ termCount }: ScimFilter): number {
  return termCount <= 10 ? 500 : 50;
}

type FindPath = (path: string) => { attribute: Attribute; sub?: Attribute } | undefined;

function findSubAttribute({ subAttributes }: Attribute, path: string): ReturnType<FindPath> {
  const attribute = findAttribute(subAttributes, path);
  return attribute && { attribute };
}

function formatName({ attribute, sub }: { attribute: Attribute; sub?: Attribute }): string {
  return (sub ? `${attribute.name}.${sub.name}` : attribute.name).toLowerCase();
}

// The parser's work doubles with each line feed after an open quote, and each bracket recurses, so
// both are bounded first.
// oxlint-disable-next-line no-control-regex -- matching them is the purpose
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001F\u007F]/;

function parseBounded(text: string): Filter {
  if (text.length > MAX_LENGTH) throw scimError("invalidFilter", `A filter can have at most ${MAX_LENGTH} characters.`);
  if (CONTROL_CHARACTER_PATTERN.test(text))
    throw scimError("invalidFilter", "A filter must not contain control characters.");
  if ((text.match(/\(|\[|\bnot\b/gi) ?? []).length > MAX_DEPTH) {
    throw scimError("invalidFilter", `A filter can have at most ${MAX_DEPTH} brackets and negations.`);
  }
  let tree: Filter;
  try {
    tree = parse(lowercaseLiterals(text));
  } catch (error) {
    throw scimError("invalidFilter", "The filter is not valid. See RFC 7644 section 3.4.2.2 for the syntax.", error);
  }
  if (countTerms(tree) > MAX_TERMS)
    throw scimError("invalidFilter", `A filter can have at most ${MAX_TERMS} comparisons.`);
  return tree;
}

/** Lowercases booleans, because some clients send `active eq True`. */
function lowercaseLiterals(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|\b(?:true|false|null)\b/gi, (part) =>
    part.startsWith('"') ? part : part.toLowerCase(),
  );
}

function countTerms(tree: Filter): number {
  if (tree.op === "and" || tree.op === "or") return tree.filters.reduce((sum, one) => sum + countTerms(one), 0);
  if (tree.op === "not") return countTerms(tree.filter);
  return tree.op === "[]" ? countTerms(tree.valFilter) : 1;
}

function listRequiredTerms(tree: Filter): Compare[] {
  if (tree.op === "and") return tree.filters.flatMap(listRequiredTerms);
  return tree.op === "eq" ? [tree] : [];
}

function compileFilter(tree: Filter, find: FindPath): FilterPredicate {
  switch (tree.op) {
    case "and": {
      const tests = tree.filters.map((one) => compileFilter(one, find));
      return (resource) => tests.every((test) => test(resource));
    }
    case "or": {
      const tests = tree.filters.map((one) => compileFilter(one, find));
      return (resource) => tests.some((test) => test(resource));
    }
    case "not": {
      const test = compileFilter(tree.filter, find);
      return (resource) => !test(resource);
    }
    case "[]": {
      const { attribute } = requirePath(find, tree.attrPath);
      if (attribute.type !== "complex")
        throw scimError("invalidFilter", "Only a complex attribute can be followed by brackets.");
      const test = compileFilter(tree.valFilter, (path) => findSubAttribute(attribute, path));
      return (resource) => getValues(resource, attribute).some(test);
    }
    default:
      return compileTerm(tree, requirePath(find, tree.attrPath));
  }
}

function requirePath(find: FindPath, path: string): { attribute: Attribute; sub?: Attribute } {
  const found = find(path);
  if (!found)
    throw scimError("invalidFilter", "The filter uses an unknown attribute. GET /Schemas lists the attributes.");
  return found;
}

function compileTerm(
  term: Exclude<Filter, { op: "and" | "or" | "not" | "[]" }>,
  path: ReturnType<typeof requirePath>,
): FilterPredicate {
  const { attribute } = path;
  if (term.op === "pr") return (resource) => getLeafValues(resource, attribute, path.sub).length > 0;
  // A complex attribute is compared by its `value` (RFC 7644 section 3.4.2.2).
  const sub = path.sub ?? findAttribute(attribute.subAttributes, "value");
  const compared = sub ?? attribute;
  if (compared.type === "complex")
    throw scimError("invalidFilter", "Compare a sub-attribute of the complex attribute.");
  const values = (resource: unknown) => getLeafValues(resource, attribute, sub);
  if (term.compValue === null && (term.op === "eq" || term.op === "ne")) {
    const isAbsent = term.op === "eq";
    return (resource) => (values(resource).length === 0) === isAbsent;
  }
  const compare = compileComparison(term, compared);
  return term.op === "ne"
    ? (resource) => !values(resource).some(compare)
    : (resource) => values(resource).some(compare);
}

/** Treats `ne` as `eq`; the caller negates it over all values. */
function compileComparison({ op, compValue }: Compare, { type, caseExact }: Attribute): (value: unknown) => boolean {
  if (type === "boolean") {
    const wanted = typeof compValue === "string" ? BOOLEAN_BY_TEXT.get(compValue.toLowerCase()) : compValue;
    if (typeof wanted !== "boolean" || (op !== "eq" && op !== "ne")) {
      throw scimError("invalidFilter", "Compare true and false only with eq, ne or pr.");
    }
    return (value) => value === wanted;
  }
  if (typeof compValue !== "string") throw scimError("invalidFilter", "Compare text with a value in double quotes.");
  if (type === "dateTime" && Number.isNaN(Date.parse(compValue))) {
    throw scimError("invalidFilter", "Compare a time with a value such as 2026-11-21T04:31:00Z.");
  }
  const folded = (text: string) =>
    type === "dateTime" ? new Date(text).toISOString() : caseExact ? text : text.toLowerCase();
  const wanted = folded(compValue);
  const holds = TEXT_OPERATORS[op];
  return (value) => typeof value === "string" && holds(folded(value), wanted);
}

const BOOLEAN_BY_TEXT = new Map([
  ["true", true],
  ["false", false],
]);

const TEXT_OPERATORS: Record<Compare["op"], (value: string, wanted: string) => boolean> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value === wanted,
  co: (value, wanted) => value.includes(wanted),
  sw: (value, wanted) => value.startsWith(wanted),
  ew: (value, wanted) => value.endsWith(wanted),
  gt: (value, wanted) => value > wanted,
  ge: (value, wanted) => value >= wanted,
  lt: (value, wanted) => value < wanted,
  le: (value, wanted) => value <= wanted,
};

function getValues(resource: unknown, { name }: Attribute): unknown[] {
  if (typeof resource !== "object" || resource === null || !Object.hasOwn(resource, name)) return [];
  const value = (resource as Record<string, unknown>)[name];
  return value === undefined || value === null ? [] : [value].flat();
}

/** Skips empty strings, which count as unassigned (RFC 7643 section 2.5). */
function getLeafValues(resource: unknown, attribute: Attribute, sub: Attribute | undefined): unknown[] {
  const values = getValues(resource, attribute);
  return (sub ? values.flatMap((value) => getValues(value, sub)) : values).filter((value) => value !== "");
}
