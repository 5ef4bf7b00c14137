import { distance as levenshtein } from "fastest-levenshtein";

export interface Named {
  id: string;
  name: string;
  /** Distinguishes things of the same name, such as "DE, Anna". */
  detail?: string;
}

/** Folds a name for comparison: NFKC, lower case. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/** Non-empty parts of a list in one text. */
export function splitAtCommas(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

/** Resolves a value: by id, then exact name, then folded name. Several results share the name. */
export function createNameResolver<T extends Named>(among: readonly T[]): (value: string) => T[] {
  const byId = new Map(among.map((one) => [one.id, [one]]));
  const byName = groupBy(among, ({ name }) => name);
  const byFolded = groupBy(among, ({ name }) => foldName(name));
  return (value) => byId.get(value.toLowerCase()) ?? byName.get(value) ?? byFolded.get(foldName(value)) ?? [];
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

const MAX_SUGGESTIONS = 20;
// Max names compared, since users choose the number and length of names.
const MAX_COMPARED_NAMES = 2000;
const MAX_COMPARED_LETTERS = 32;

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Suggests names for an unknown value, nearest spelling first, with their total number. For a day,
 * the nearest days.
 */
export function createNameSuggester(
  among: readonly Named[],
): (value: string) => { allowed: string[]; allowed_count: number } {
  const names = [...new Map(among.map(({ name }) => [name, foldName(name)]))];
  return (value) => {
    const wanted = foldName(value);
    const alike = names.filter(([name]) => DAY_PATTERN.test(name) === DAY_PATTERN.test(value));
    const fitting = alike.length > 0 ? alike : names;
    const nearest = fitting
      .map(([name, folded], at) => ({ name, edits: measureNameDistance(wanted, folded, at < MAX_COMPARED_NAMES) }))
      .toSorted((a, b) => a.edits - b.edits)
      .slice(0, MAX_SUGGESTIONS);
    return { allowed: nearest.map(({ name }) => name), allowed_count: fitting.length };
  };
}

function measureNameDistance(wanted: string, name: string, isCompared: boolean): number {
  if (DAY_PATTERN.test(wanted) && DAY_PATTERN.test(name)) return Math.abs(Date.parse(wanted) - Date.parse(name));
  if (wanted !== "" && name !== "" && (name.includes(wanted) || wanted.includes(name))) return 0;
  const far = MAX_COMPARED_LETTERS;
  return isCompared ? Math.min(far, levenshtein(wanted.slice(0, far), name.slice(0, far))) : far;
}
