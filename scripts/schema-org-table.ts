import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

interface SchemaType {
  parents: Set<string>;
  properties: string[];
  members: string[];
  supersededBy: string | null;
}

interface SchemaProperty {
  kinds: string[];
  supersededBy: string | null;
}

/** Generates `lists/schema-org.json` from the installed package schema-dts. */
export function schemaOrgTable(): string {
  const require = createRequire(import.meta.url);
  const declarations = require.resolve("schema-dts").replace(/\.js$/, ".d.ts");
  const { version } = require("schema-dts/package.json") as { version: string };
  const { types, properties } = readDeclarations(readFileSync(declarations, "utf8"));
  const source = `schema-dts ${version} (Apache-2.0), written by npm run generate. The vocabulary is schema.org's (CC BY-SA 3.0).`;
  return `{
"source": ${JSON.stringify(source)},
"types": ${formatRows(types)},
"properties": ${formatRows(properties)}
}
`;
}

/** One row per line keeps diffs readable. */
function formatRows(entries: ReadonlyMap<string, object>): string {
  const rows = [...entries].map(([name, entry]) => {
    return JSON.stringify({ name, ...entry }, (_, value: unknown) => (value instanceof Set ? [...value] : value));
  });
  return `[\n${rows.join(",\n")}\n]`;
}

function readDeclarations(text: string): { types: Map<string, SchemaType>; properties: Map<string, SchemaProperty> } {
  const nameOf = readNames(text);
  const types = new Map<string, SchemaType>();
  const properties = new Map<string, SchemaProperty>();
  const typeOf = (identifier: string): SchemaType => {
    const name = nameOf(identifier);
    const type = types.get(name) ?? { parents: new Set(), properties: [], members: [], supersededBy: null };
    types.set(name, type);
    return type;
  };
  for (const [, identifier = "", kind, body = ""] of text.matchAll(
    /^(?:export )?interface (\w+)(Base|Leaf) extends [^{]+ \{\n(.*?)^\}/gms,
  )) {
    if (isForeignType(identifier)) continue;
    const type = typeOf(identifier);
    if (kind === "Leaf") continue;
    for (const [, comment = "", name = "", range = ""] of body.matchAll(
      /(\/\*\*(?:(?!\*\/).)*\*\/)?\s*"(\w+)"\?: SchemaValue<([^>]*), "\w+">;/gs,
    )) {
      type.properties.push(name);
      const kinds = range.split(" | ").filter((one) => one !== "IdReference" && !isForeignType(one));
      properties.set(name, { kinds: kinds.map(nameOf), supersededBy: findSuccessor(comment) });
    }
  }
  for (const [, comment = "", identifier = "", union = ""] of text.matchAll(
    /(\/\*\*(?:(?!\*\/).)*\*\/)\nexport type (\w+)(?:<[^>]*>)? = ([^;\n]*);$/gms,
  )) {
    if (!types.has(nameOf(identifier))) continue;
    const type = typeOf(identifier);
    type.supersededBy = findSuccessor(comment);
    type.members = [...union.matchAll(/"https:\/\/schema\.org\/(\w+)"/g)].map(([, one = ""]) => one);
    // The union names all subtypes; `extends` omits interfaces without own properties.
    for (const subtype of union.replaceAll(/"[^"]*"|<[^>]*>/g, "").split(" | ")) {
      if (types.has(nameOf(subtype))) typeOf(subtype).parents.add(nameOf(identifier));
    }
  }
  return { types: sorted(types), properties: sorted(properties) };
}

/** Maps identifiers to names that are no valid identifiers: `_3DModel` is 3DModel. */
function readNames(text: string): (identifier: string) => string {
  const names = new Map(
    [...text.matchAll(/interface (\w+)Leaf extends [^{]+ \{\n\s+"@type": "(\w+)"/g)].map(
      ([, identifier = "", name = ""]) => [identifier, name],
    ),
  );
  return (identifier) => names.get(identifier) ?? identifier;
}

/** Types of other vocabularies are named by their URL: `xmlns_com_foaf_0_1_Person`. */
const isForeignType = (identifier: string): boolean => /._/.test(identifier);

const findSuccessor = (comment: string): string | null =>
  /@deprecated (?:Consider using https:\/\/schema\.org\/|Use )(\w+) instead/.exec(comment)?.[1] ?? null;

function sorted<Value>(map: ReadonlyMap<string, Value>): Map<string, Value> {
  return new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
