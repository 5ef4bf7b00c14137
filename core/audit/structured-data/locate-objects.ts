/**
 * The 0-based offset at which each object of a JSON text begins. Empty where that cannot be told: keys that are numbers come first
 * in objects of JavaScript, and of a key that stands twice only the last value is kept.
 */
export function locateObjects(text: string, parsed: unknown): ReadonlyMap<object, number> {
  const offsets = offsetsOfBraces(text);
  const located = new Map<object, number>();
  return place(parsed, offsets, located) && located.size === offsets.length ? located : new Map();
}

function place(value: unknown, offsets: readonly number[], located: Map<object, number>): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => place(one, offsets, located));
  const offset = offsets[located.size];
  if (offset === undefined) return false;
  located.set(value, offset);
  return Object.entries(value).every(([key, one]) => !/^\d+$/.test(key) && place(one, offsets, located));
}

function offsetsOfBraces(text: string): number[] {
  const offsets: number[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (character === "\\" && isInString) at++;
    else if (character === "{" && !isInString) offsets.push(at);
  }
  return offsets;
}
