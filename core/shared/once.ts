/** What many need not and none twice: read at the first call, and kept. */
export function once<T>(read: () => T): () => T {
  let known: { value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}
