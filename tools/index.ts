import { ENDPOINT_GROUPS, type AnyEndpoint } from "./endpoint.ts";
import * as every from "./every-endpoint.ts";

const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Fixed path segments come before parameters, which would match them. */
function compareEndpoints(a: AnyEndpoint, b: AnyEndpoint): number {
  return (
    ENDPOINT_GROUPS.indexOf(a.group) - ENDPOINT_GROUPS.indexOf(b.group) ||
    comparePaths(a.path, b.path) ||
    HTTP_METHODS.indexOf(a.method) - HTTP_METHODS.indexOf(b.method)
  );
}

function comparePaths(a: string, b: string): number {
  // "~" sorts after every letter, "/" before.
  const [first, second] = [a, b].map((path) => path.replaceAll(":", "~"));
  return first === second ? 0 : (first ?? "") < (second ?? "") ? -1 : 1;
}

export const endpoints: readonly AnyEndpoint[] = Object.values<AnyEndpoint>(every).toSorted(compareEndpoints);
