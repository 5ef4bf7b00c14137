import ROWS from "../../lists/words.json" with { type: "json" };

/** Words of `lists/words.json` by group (language, strength or kind). Throws if unknown. */
export function wordGroups(list: string): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const row of ROWS.filter((one) => one.list === list)) {
    const words = groups.get(row.group) ?? new Set();
    for (const word of row.words.split(" ")) words.add(word);
    groups.set(row.group, words);
  }
  if (groups.size === 0) throw new Error(`lists/words.json has no list "${list}".`);
  return groups;
}

/** Words of a list over all groups. */
export function wordList(list: string): ReadonlySet<string> {
  return new Set([...wordGroups(list).values()].flatMap((words) => [...words]));
}
