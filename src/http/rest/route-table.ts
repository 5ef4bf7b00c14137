interface RouteNode<T> {
  childByWord: Map<string, RouteNode<T>>;
  parameter?: RouteNode<T>;
  /** Routes that match at this node: by method, with the parameter names of the path. */
  routesByMethod: Map<string, { value: T; parameterNames: readonly string[] }>;
}

export type RouteMatch<T> =
  | {
      value: T;
      /** Decoded path parameters. Throws URIError for invalid percent-encoding. */
      getParams: () => Record<string, string>;
    }
  | { allow: readonly string[] };

export interface RouteTable<T> {
  /** Case-sensitive. Fixed words precede parameters; ignores a trailing slash; HEAD matches GET. */
  findRoute(method: string, path: string): RouteMatch<T> | undefined;
}

/** The cost of a match is independent of the number of routes. */
export function openRouteTable<T>(routes: Iterable<{ method: string; path: string; value: T }>): RouteTable<T> {
  const root = createNode<T>();
  for (const { method, path, value } of routes) {
    const segments = splitPath(path);
    let place = root;
    for (const word of segments) place = word.startsWith(":") ? getParameterChild(place) : getFixedChild(place, word);
    const parameterNames = segments.filter((word) => word.startsWith(":")).map((word) => word.slice(1));
    place.routesByMethod.set(method, { value, parameterNames });
  }
  return {
    findRoute(method, path) {
      const words = splitPath(path);
      if (words.length > 1 && words.at(-1) === "") words.pop();
      const places = matchNodes(root, words, 0, []);
      for (const { node, values } of places) {
        const end = node.routesByMethod.get(method) ?? (method === "HEAD" ? node.routesByMethod.get("GET") : undefined);
        if (end) return { value: end.value, getParams: () => decodeParams(end.parameterNames, values) };
      }
      const [first] = places;
      return first && { allow: [...first.node.routesByMethod.keys()] };
    },
  };
}

function createNode<T>(): RouteNode<T> {
  return { childByWord: new Map(), routesByMethod: new Map() };
}

function splitPath(path: string): string[] {
  return path.slice(1).split("/");
}

function getParameterChild<T>(node: RouteNode<T>): RouteNode<T> {
  return (node.parameter ??= createNode());
}

function getFixedChild<T>(node: RouteNode<T>, word: string): RouteNode<T> {
  const known = node.childByWord.get(word) ?? createNode();
  node.childByWord.set(word, known);
  return known;
}

interface NodeMatch<T> {
  node: RouteNode<T>;
  values: readonly string[];
}

function matchNodes<T>(
  node: RouteNode<T>,
  words: readonly string[],
  at: number,
  values: readonly string[],
): NodeMatch<T>[] {
  const word = words[at];
  if (word === undefined) return node.routesByMethod.size > 0 ? [{ node, values }] : [];
  const fixed = node.childByWord.get(word);
  const found = fixed ? matchNodes(fixed, words, at + 1, values) : [];
  if (!node.parameter || word === "") return found;
  return [...found, ...matchNodes(node.parameter, words, at + 1, [...values, word])];
}

/** A null prototype prevents names such as `__proto__` from having an effect. */
function decodeParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params = Object.create(null) as Record<string, string>;
  for (const [at, name] of names.entries()) params[name] = decodeURIComponent(values[at] ?? "");
  return params;
}
