/** Every plain value of a result; absence is no fact. */
export function facts(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [value];
  return Object.values(value).flatMap(facts);
}

/** True where a tool's text shows a value in one of the two forms that it can: as it is, or as JSON writes it. */
export function shows(text: string, value: unknown): boolean {
  return text.includes(String(value)) || text.includes(JSON.stringify(value).slice(1, -1));
}

/** What a tool shows of an object, without what it says of its own result. A part of what REST answers. */
export function shownOf(answer: { structured: Record<string, unknown> } | undefined): Record<string, unknown> {
  if (!answer) throw new Error("no answer");
  const { notes: _notes, truncated: _truncated, next_cursor: _cursor, ...shown } = answer.structured;
  return shown;
}
