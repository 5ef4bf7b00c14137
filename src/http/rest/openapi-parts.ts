// What operations of the OpenAPI document have in common: written once, in its components.

type Json = Record<string, unknown>;

export interface Operation extends Json {
  parameters?: Json[];
  responses: Record<string, Json>;
}

/** The operations with references in place of the parameters and responses that several of them have, and those. */
export function shareParts(operations: readonly Operation[]): {
  operations: Operation[];
  parameters: Json;
  responses: Json;
} {
  const parameters = sharedAmong(
    operations.flatMap((one) => one.parameters ?? []),
    "parameters",
    parameterName,
  );
  const responses = sharedAmong(
    operations.flatMap((one) => Object.values(one.responses)),
    "responses",
    responseName,
  );
  return {
    operations: operations.map((one) => ({
      ...one,
      ...(one.parameters ? { parameters: one.parameters.map(parameters.refer) } : {}),
      responses: Object.fromEntries(
        Object.entries(one.responses).map(([status, response]) => [status, responses.refer(response)]),
      ),
    })),
    parameters: parameters.components,
    responses: responses.components,
  };
}

interface Shared {
  components: Json;
  /** A reference to the component that a part is equal to; the part itself where there is none. */
  refer: (part: Json) => Json;
}

/**
 * The parts that are there more than once, by name. Where two have one name, both stay where they are used: a number
 * behind it would not say which is meant.
 */
function sharedAmong(parts: readonly Json[], kind: string, nameOf: (part: Json) => string | undefined): Shared {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  for (const part of parts) {
    const text = JSON.stringify(part);
    const name = seen.has(text) ? nameOf(part) : undefined;
    if (name !== undefined) names.set(text, name);
    seen.add(text);
  }
  const all = [...names.values()];
  const unique = new Map([...names].filter(([, name]) => all.indexOf(name) === all.lastIndexOf(name)));
  return {
    components: Object.fromEntries([...unique].map(([text, name]) => [name, JSON.parse(text) as Json])),
    refer(part) {
      const name = unique.get(JSON.stringify(part));
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
    },
  };
}

/** `organization_id` in the path to `OrganizationId`, `limit` in the query to `LimitQuery`. */
function parameterName({ name, in: place }: Json): string {
  const words = String(name).split(/[_-]/);
  const capital = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
  return place === "query" ? `${capital}Query` : capital;
}

/** More codes than this make an unreadable name. */
const MOST_CODES = 3;

/** A refusal is named by the errors that it can be, such as `ConflictOrQuotaExceeded`; what is no refusal has no name. */
function responseName(response: Json): string | undefined {
  const errors = [...JSON.stringify(response).matchAll(/"#\/components\/schemas\/(\w+)Error"/g)];
  if (errors.length === 0 || errors.length > MOST_CODES) return undefined;
  return errors.map((match) => match[1]).join("Or");
}
