import { distance } from "fastest-levenshtein";
import { listSettings } from "./config.ts";

/** Kubernetes and Docker set these variables for every service of a namespace. */
const CONTAINER_VARIABLE_PATTERN =
  /_SERVICE_(?:HOST|PORT)(?:_\w|$)|_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?$/;

/** Within two letters of a setting, or with a common prefix. Never reads values. */
export function describeMisspeltSettings(variables: readonly string[]): string[] {
  const all = listSettings().map(({ name }) => name);
  // Provider settings are excluded: a provider's other programs use the same prefixes.
  const begins = listPrefixes(listSettings([]).map(({ name }) => name));
  return variables.flatMap((name) => {
    if (all.includes(name) || !/^[A-Z][A-Z0-9_]*$/.test(name) || CONTAINER_VARIABLE_PATTERN.test(name)) return [];
    const near = all.filter((setting) => isNear(name, setting));
    const beginning = begins.find((one) => name.startsWith(one));
    const alike = beginning === undefined ? [] : all.filter((setting) => setting.startsWith(beginning));
    const [meant] = (near.length > 0 ? near : alike).toSorted((a, b) => distance(name, a) - distance(name, b));
    return meant === undefined ? [] : `${name} is not a setting. Did you mean ${meant}?`;
  });
}

/** Prefixes of two words or more, or shared by several settings; the longest first. */
function listPrefixes(names: readonly string[]): string[] {
  const all = names.flatMap((name) => {
    const words = name.split("_");
    return words.slice(1).map((_word, at) => `${words.slice(0, at + 1).join("_")}_`);
  });
  return [...new Set(all)]
    .filter((beginning) => beginning.split("_").length > 2 || all.filter((other) => other === beginning).length > 1)
    .toSorted((a, b) => b.length - a.length);
}

/** Lengths first, because every start checks many variables. */
function isNear(name: string, setting: string): boolean {
  const maxDistance = getMaxEdits(setting);
  return Math.abs(name.length - setting.length) <= maxDistance && distance(name, setting) <= maxDistance;
}

/** Few for short names, which are near too many others. */
function getMaxEdits(name: string): number {
  if (name.length < 6) return 0;
  return name.length < 9 ? 1 : 2;
}
