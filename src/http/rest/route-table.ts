interface Place<T> {
  fixed: Map<string, Place<T>>;
  parameter?: Place<T>;
  /** Routes that match at this node: by method, with the parameter names of the path. */
  ends: Map<string, { value: T; names: readonly string[] }>;
}

export type Found<T> =
  | {
      value: T;
      /** Decoded path parameters. Throws URIError for invalid percent-encoding. */
      params: () => Record<string, string>;
    }
  | { allow: readonly string[] };

export interface RouteTable<T> {
  /**
   * Undefined for an unknown path. Case-sensitive; fixed words take precedence over parameters; a
   * trailing slash is ignored; HEAD matches GET.
   */
  find(method: string, path: string): Found<T> | undefined;
}

/**
 * Matches paths such as `/v1/tags/:tag_id` word by word; the cost is independent of the number of
 * routes.
 */
export function openRouteTable<T>(routes: Iterable<{ method: string; path: string; value: T }>): RouteTable<T> {
  const root = emptyPlace<T>();
  for (const { method, path, value } of routes) {
    const words = wordsOf(path);
    let place = root;
    for (const word of words) place = word.startsWith(":") ? parameterOf(place) : fixedOf(place, word);
    const names = words.filter((word) => word.startsWith(":")).map((word) => word.slice(1));
    place.ends.set(method, { value, names });
  }
  return {
    find(method, path) {
      const words = wordsOf(path);
      if (words.length > 1 && words.at(-1) === "") words.pop();
      const places = placesAt(root, words, 0, []);
      for (const { place, values } of places) {
        const end = place.ends.get(method) ?? (method === "HEAD" ? place.ends.get("GET") : undefined);
        if (end) return { value: end.value, params: () => named(end.names, values) };
      }
      const [first] = places;
      return first && { allow: [...first.place.ends.keys()] };
    },
  };
}

function emptyPlace<T>(): Place<T> {
  return { fixed: new Map(), ends: new Map() };
}

function wordsOf(path: string): string[] {
  return path.slice(1).split("/");
}

function parameterOf<T>(place: Place<T>): Place<T> {
  return (place.parameter ??= emptyPlace());
}

function fixedOf<T>(place: Place<T>, word: string): Place<T> {
  const known = place.fixed.get(word) ?? emptyPlace();
  place.fixed.set(word, known);
  return known;
}

interface At<T> {
  place: Place<T>;
  values: readonly string[];
}

function placesAt<T>(place: Place<T>, words: readonly string[], at: number, values: readonly string[]): At<T>[] {
  const word = words[at];
  if (word === undefined) return place.ends.size > 0 ? [{ place, values }] : [];
  const fixed = place.fixed.get(word);
  const found = fixed ? placesAt(fixed, words, at + 1, values) : [];
  if (!place.parameter || word === "") return found;
  return [...found, ...placesAt(place.parameter, words, at + 1, [...values, word])];
}

/** A null prototype prevents names such as `__proto__` from having an effect. */
function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>;
  for (const [at, name] of names.entries()) params[name] = decodeURIComponent(values[at] ?? "");
  return params;
}
