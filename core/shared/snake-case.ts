type SnakeCaseName<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCaseName<Rest>}`
  : S;

export type SnakeCased<T> = { [Key in keyof T & string as SnakeCaseName<Key>]: T[Key] };

const snakeNameByKey = new Map<string, string>();

/** Output schemas drop undeclared columns; rows with secrets are mapped field by field instead. */
export function toSnakeCase<T extends object>(row: T): SnakeCased<T> {
  const cased = Object.entries(row).map(([key, value]) => [toSnakeCaseName(key), value]);
  return Object.fromEntries(cased) as SnakeCased<T>; // Safe: `toSnakeCaseName` implements `Snake`.
}

function toSnakeCaseName(key: string): string {
  let name = snakeNameByKey.get(key);
  if (name === undefined) {
    name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNameByKey.set(key, name);
  }
  return name;
}
