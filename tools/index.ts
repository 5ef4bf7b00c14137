import { GROUPS, type AnyEndpoint } from "./endpoint.ts";
import * as every from "./every-endpoint.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** By group, then a path before the paths below it, and words before parameters, which would take them for values. */
function inOrder(a: AnyEndpoint, b: AnyEndpoint): number {
  return (
    GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
    byPath(a.path, b.path) ||
    METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
  );
}

function byPath(a: string, b: string): number {
  // "~" comes after every letter, and "/" before.
  const [first, second] = [a, b].map((path) => path.replaceAll(":", "~"));
  return first === second ? 0 : (first ?? "") < (second ?? "") ? -1 : 1;
}

/** Everything that the product can do. Routes, tools and the reference are made from this list, in this order. */
export const endpoints: readonly AnyEndpoint[] = Object.values<AnyEndpoint>(every).toSorted(inOrder);
