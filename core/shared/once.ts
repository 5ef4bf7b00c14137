/** Loads a value on first use and memoises it. */
export function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
