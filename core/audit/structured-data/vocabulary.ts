import { PROPERTY_TABLE, TYPE_TABLE } from "./schema-org-table.ts";

/** A type of schema.org. */
interface SchemaType {
  parents: readonly string[];
  properties: ReadonlySet<string>;
  /** Names that an enumeration has; empty for other types. */
  members: ReadonlySet<string>;
  supersededBy: string | null;
}

/** A property of schema.org. */
interface SchemaProperty {
  /** Names of types and data types that a value may be of. */
  kinds: readonly string[];
  supersededBy: string | null;
}

/** Types of schema.org whose values are text, numbers and the like. */
const DATA_TYPES = new Set(
  "Boolean CssSelectorType Date DateTime Distance Duration Energy Float Integer Mass Number PronounceableText Text Time URL XPathType".split(
    " ",
  ),
);

const TYPES = new Map<string, SchemaType>(
  entries(TYPE_TABLE, "<").map(([name, [parents = "", properties = "", members = "", successor = ""]]) => [
    name,
    {
      parents: words(parents),
      properties: new Set(words(properties)),
      members: new Set(words(members)),
      supersededBy: successor || null,
    },
  ]),
);

const PROPERTIES = new Map<string, SchemaProperty>(
  entries(PROPERTY_TABLE, ":").map(([name, [kinds = "", successor = ""]]) => [
    name,
    { kinds: words(kinds), supersededBy: successor || null },
  ]),
);

const SPELLINGS = new Map([...TYPES.keys(), ...PROPERTIES.keys()].map((name) => [name.toLowerCase(), name]));

const ANCESTORS = new Map<string, ReadonlySet<string>>();

/** The type of a name; undefined where schema.org has none. */
export function findType(name: string): SchemaType | undefined {
  return TYPES.get(name);
}

/** The property of a name, whatever types have it. */
export function findProperty(name: string): SchemaProperty | undefined {
  return PROPERTIES.get(name);
}

/** The name of schema.org that differs from this one in capitals alone. */
export function respell(name: string): string | undefined {
  return SPELLINGS.get(name.toLowerCase());
}

export function isDataType(name: string): boolean {
  return DATA_TYPES.has(name);
}

/** True for the type itself and what descends from it. */
export function isA(name: string, ancestor: string): boolean {
  return name === ancestor || ancestorsOf(name).has(ancestor);
}

/** True where the type, or one that it descends from, has the property. */
export function hasProperty(name: string, property: string): boolean {
  return [name, ...ancestorsOf(name)].some((one) => TYPES.get(one)?.properties.has(property));
}

/** True for an enumeration whose members are known. Those of some stand in other vocabularies. */
export function hasMembers(name: string): boolean {
  return (TYPES.get(name)?.members.size ?? 0) > 0;
}

function ancestorsOf(name: string): ReadonlySet<string> {
  const known = ANCESTORS.get(name);
  if (known) return known;
  const parents = TYPES.get(name)?.parents ?? [];
  const ancestors = new Set(parents.flatMap((parent) => [parent, ...ancestorsOf(parent)]));
  // Only names of schema.org are kept: names of pages are without number.
  if (TYPES.has(name)) ANCESTORS.set(name, ancestors);
  return ancestors;
}

function entries(table: string, mark: string): [name: string, fields: string[]][] {
  return table
    .split(";")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const end = entry.indexOf(mark);
      return [entry.slice(0, end), entry.slice(end + 1).split("|")];
    });
}

function words(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
