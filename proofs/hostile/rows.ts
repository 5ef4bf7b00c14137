import type { Wire } from "./send.ts";

/** One line of the table: a request that costs its sender little. */
export interface Row {
  /** Unique; says which interface, what is called and what is hostile about it. */
  name: string;
  /** What its sample is drawn from: rows of one kind cost alike. */
  kind: string;
  wire(): Promise<Wire> | Wire;
  /** A usual request to the same address: the size of its answer is the size that an answer may have. */
  usual?: () => Promise<Wire> | Wire;
  /** True where a rejection carries what the call is about: a page with its form, or a stored brief. */
  isToldWithRejection?: boolean;
  /** True where the answer is a file, which has any size. */
  isFile?: boolean;
}

/** As much as the largest body of REST, tools and SCIM holds; forms take half of it. */
export const BODY_BYTES = 1024 * 1024 - 1024;
export const FORM_BYTES = 512 * 1024 - 1024;
/** Node.js takes 16 KB of headers, of which the address is one. */
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

/** The same pair again and again. */
export function repeated(bytes: number, name: string, value = "a"): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  return Array(Math.floor(bytes / (pair.length + 1)))
    .fill(pair)
    .join("&");
}

/** Bodies by what is hostile about them, made when they are sent. */
export type Bodies = Readonly<Record<string, () => object>>;

export function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Delays making a value to the first call, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
