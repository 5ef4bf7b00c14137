// Moves repeated parameters and responses of the OpenAPI document into its components.

type Json = Record<string, unknown>;

export interface Operation extends Json {
  tags: string[];
  parameters?: Json[];
  responses: Record<string, Json>;
}

export function shareParts(operations: readonly Operation[]): {
  operations: Operation[];
  parameters: Json;
  responses: Json;
} {
  const listParts = (within: (one: Operation) => readonly Json[]): Part[] =>
    operations.flatMap((one) => within(one).map((part) => ({ part, group: one.tags.join(" ") })));
  const parameters = shareRepeated(
    listParts((one) => one.parameters ?? []),
    "parameters",
    toParameterName,
  );
  const responses = shareRepeated(
    listParts((one) => Object.values(one.responses)),
    "responses",
    toResponseName,
  );
  return {
    operations: operations.map((one) => ({
      ...one,
      ...(one.parameters ? { parameters: one.parameters.map(parameters.toReference) } : {}),
      responses: Object.fromEntries(
        Object.entries(one.responses).map(([status, response]) => [status, responses.toReference(response)]),
      ),
    })),
    parameters: parameters.components,
    responses: responses.components,
  };
}

interface SharedParts {
  components: Json;
  /** Returns a reference to an equal component; the part itself without one. */
  toReference: (part: Json) => Json;
}

interface Part {
  part: Json;
  group: string;
}

/** Equal names get their group as prefix; parts that stay ambiguous remain inline. */
function shareRepeated(parts: readonly Part[], kind: string, nameOf: (part: Json) => string | undefined): SharedParts {
  const uses = new Map<string, Part[]>();
  for (const one of parts) {
    const text = JSON.stringify(one.part);
    uses.set(text, [...(uses.get(text) ?? []), one]);
  }
  const names = new Map<string, string>();
  for (const [text, [first, ...others]] of uses) {
    const name = first && others.length > 0 ? nameOf(first.part) : undefined;
    if (name !== undefined) names.set(text, name);
  }
  const all = [...names.values()];
  const isRepeated = (name: string) => all.indexOf(name) !== all.lastIndexOf(name);
  const longer = new Map(
    [...names].map(([text, name]) => [text, isRepeated(name) ? addGroupPrefix(name, uses.get(text) ?? []) : name]),
  );
  const given = [...longer.values()];
  const unique = new Map([...longer].filter(([, name]) => given.indexOf(name) === given.lastIndexOf(name)));
  return {
    components: Object.fromEntries([...unique].map(([text, name]) => [name, JSON.parse(text) as Json])),
    toReference(part) {
      const name = unique.get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
  };
}

/** Unchanged if several groups use the schema. */
function addGroupPrefix(name: string, uses: readonly Part[]): string {
  const [group = "", ...others] = new Set(uses.map((one) => one.group));
  return others.length > 0 ? name : `${group.replaceAll(" ", "")}${name}`;
}

/** `organization_id` in the path becomes `OrganizationId`, `limit` in the query `LimitQuery`. */
function toParameterName({ name, in: location }: Json): string {
  const words = String(name).split(/[_-]/);
  const capital = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
  return location === "query" ? `${capital}Query` : capital;
}

const MAX_CODES = 3;

/** Joins the names of the errors with "Or"; undefined for other responses. */
function toResponseName(response: Json): string | undefined {
  const errors = [...JSON.stringify(response).matchAll(/"#\/components\/schemas\/(\w+)Error"/g)];
  if (errors.length === 0 || errors.length > MAX_CODES) return undefined;
  return errors.map((match) => match[1]).join("Or");
}
