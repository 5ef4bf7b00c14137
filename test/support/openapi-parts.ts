type Json = Record<string, unknown>;

/**
 * An OpenAPI document with parameters and responses written out where its operations only refer to
 * them.
 */
export function inlineParts<Document>(document: Document): Document {
  const written = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written);
    if (typeof value !== "object" || value === null) return value;
    const ref = (value as Json)["$ref"];
    const [, kind, name] = /^#\/components\/(parameters|responses)\/(\w+)$/.exec(String(ref)) ?? [];
    if (kind === undefined || name === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner)]));
    }
    const part = ((document as Json)["components"] as Record<string, Json>)[kind]?.[name];
    if (part === undefined) throw new Error(`${String(ref)} points at nothing.`);
    return part;
  };
  // The document with references resolved.
  return written(document) as Document;
}
