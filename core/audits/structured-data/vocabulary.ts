import SCHEMA_ORG from "../../../lists/schema-org.json" with { type: "json" };

interface SchemaType {
  parents: readonly string[];
  properties: ReadonlySet<string>;
  /** Empty unless the type is an enumeration. */
  members: ReadonlySet<string>;
  supersededBy: string | null;
}

interface SchemaProperty {
  /** Types and data types that a value may have. */
  kinds: readonly string[];
  supersededBy: string | null;
}

const DATA_TYPES = new Set(
  "Boolean CssSelectorType Date DateTime Distance Duration Energy Float Integer Mass Number PronounceableText Text Time URL XPathType".split(
    " ",
  ),
);

interface VocabularyTable {
  types: readonly {
    name: string;
    parents: string[];
    properties: string[];
    members: string[];
    supersededBy: string | null;
  }[];
  properties: readonly ({ name: string } & SchemaProperty)[];
}
const SCHEMA_VOCABULARY = SCHEMA_ORG as VocabularyTable;

const TYPES = new Map<string, SchemaType>(
  SCHEMA_VOCABULARY.types.map(({ name, properties, members, ...type }) => [
    name,
    { ...type, properties: new Set(properties), members: new Set(members) },
  ]),
);

const PROPERTIES_BY_NAME = new Map<string, SchemaProperty>(
  SCHEMA_VOCABULARY.properties.map(({ name, ...property }) => [name, property]),
);

const SPELLINGS_BY_LOWER_CASE = new Map(
  [...TYPES.keys(), ...PROPERTIES_BY_NAME.keys()].map((name) => [name.toLowerCase(), name]),
);

const ANCESTORS_BY_TYPE = new Map<string, ReadonlySet<string>>();

export function findType(name: string): SchemaType | undefined {
  return TYPES.get(name);
}

export function findProperty(name: string): SchemaProperty | undefined {
  return PROPERTIES_BY_NAME.get(name);
}

/** Differs only in case. */
export function findSpelling(name: string): string | undefined {
  return SPELLINGS_BY_LOWER_CASE.get(name.toLowerCase());
}

export function isDataType(name: string): boolean {
  return DATA_TYPES.has(name);
}

/** Includes the type itself. */
export function isSubtypeOf(name: string, ancestor: string): boolean {
  return name === ancestor || findAncestors(name).has(ancestor);
}

/** Includes properties of ancestors. */
export function hasProperty(name: string, property: string): boolean {
  return [name, ...findAncestors(name)].some((one) => TYPES.get(one)?.properties.has(property));
}

/** False for enumerations with members in other vocabularies. */
export function hasMembers(name: string): boolean {
  return (TYPES.get(name)?.members.size ?? 0) > 0;
}

function findAncestors(name: string): ReadonlySet<string> {
  const known = ANCESTORS_BY_TYPE.get(name);
  if (known) return known;
  const parents = TYPES.get(name)?.parents ?? [];
  const ancestors = new Set(parents.flatMap((parent) => [parent, ...findAncestors(parent)]));
  // Only schema.org names are cached; names from pages are unbounded.
  if (TYPES.has(name)) ANCESTORS_BY_TYPE.set(name, ancestors);
  return ancestors;
}
