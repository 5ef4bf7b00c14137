/** Every plain value of a result; absence is no fact. */
export function plainValues(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [value];
  return Object.values(value).flatMap(plainValues);
}

/** Facts missing from a tool's text: as is, as JSON, or as a rounded number, percentage or points. */
export function findMissingFacts(value: unknown, text: string): unknown[] {
  const numbers = numbersIn(text);
  return plainValues(value).filter((fact) =>
    typeof fact === "number"
      ? !listForms(fact).some((form) => numbers.has(form))
      : !text.includes(String(fact)) && !text.includes(JSON.stringify(fact).slice(1, -1)),
  );
}

/** True where a tool's text shows a value. */
export function isShown(text: string, value: unknown): boolean {
  return findMissingFacts([value], text).length === 0;
}

/**
 * Numbers in a text that are no fact (plain or in percent, exact or rounded), part of one, list
 * length or part of a name.
 */
export function findInventedNumbers(text: string, told: unknown): string[] {
  const known = new Set<string>();
  const learn = (value: unknown): void => {
    if (typeof value === "number") for (const form of listForms(value)) known.add(form);
    else if (typeof value === "string") for (const number of numbersIn(value)) known.add(number);
    else if (typeof value === "object" && value !== null) {
      learn(Object.keys(value).join(" "));
      if (Array.isArray(value)) learn(value.length);
      for (const inner of Object.values(value)) learn(inner);
    }
  };
  learn(told);
  return [...numbersIn(text)].filter((number) => !known.has(number));
}

/** The whole numbers and decimals in a text. */
function numbersIn(text: string): Set<string> {
  return new Set(text.match(/(?<![\d.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\d)/g));
}

/** A number as texts write it: plain or in percent, exact or rounded. */
function listForms(value: number): string[] {
  const percent = Number((value * 100).toPrecision(12));
  const rounded = [value, percent].flatMap((one) =>
    Number.isInteger(one) ? [] : [0, 1, 2, 3, 4, 5, 6].map((digits) => Number(one.toFixed(digits)) + 0),
  );
  return [value, percent, ...rounded].map(String);
}

/** The structured content of a tool result without its notes; a subset of the REST response. */
export function visibleFields(answer: { structured: Record<string, unknown> } | undefined): Record<string, unknown> {
  if (!answer) throw new Error("no answer");
  const { notes: _notes, truncated: _truncated, next_cursor: _cursor, ...shown } = answer.structured;
  return shown;
}
