import type { RawRequest } from "./send.ts";

/** One line of the table: a request that costs its sender little. */
export interface Row {
  /** Unique; states the interface, the call and its hostile part. */
  name: string;
  /** Group for sampling: rows of one kind cost alike. */
  kind: string;
  wire(): Promise<RawRequest> | RawRequest;
  /** A usual request to the same address, whose response size is the allowed size. */
  usual?: () => Promise<RawRequest> | RawRequest;
  /** True if a rejection repeats content: a page with its form, or a stored brief. */
  isToldWithRejection?: boolean;
  /** True for a file response of any size. */
  isFile?: boolean;
}

/** Just below the max body of REST, tools and SCIM; forms take half of it. */
export const BODY_BYTES = 1024 * 1024 - 1024;
export const FORM_BYTES = 512 * 1024 - 1024;
/** Node.js accepts 16 KB of headers, including the address. */
export const ADDRESS_BYTES = 14_000;

/** `prefix0=…&prefix1=…`, as many as fit. */
export function manyPairs(bytes: number, prefix = "f"): string {
  const parts: string[] = [];
  for (let left = bytes, at = 0; left > 0; at++) {
    const part = `${prefix}${at}=1`;
    left -= part.length + 1;
    if (left > 0) parts.push(part);
  }
  return parts.join("&");
}

/** One pair, repeated to `bytes`. */
export function repeated(bytes: number, name: string, value = "a"): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return Array(Math.floor(bytes / (pair.length + 1)))
    .fill(pair)
    .join("&");
}

/** Bodies by their hostile part, built when sent. */
export type Bodies = Readonly<Record<string, () => object>>;

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Builds a value on first use and memoises it. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
