import { createHash } from "node:crypto";

/** Deterministic, in [0, 1). */
export function chance(...parts: (string | number)[]): number {
  return digest(parts).readUIntBE(0, 6) / 2 ** 48;
}

/** Deterministic sequence in [0, 1) (sfc32, seeded from SHA-256). */
export function chances(...parts: (string | number)[]): () => number {
  const seed = digest(parts);
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = seed.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

/** `items` must not be empty. */
export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export function seedOf(...parts: (string | number)[]): number {
  return digest(parts).readInt32LE(0);
}

/** Deterministic in [0, 1), a hundred times faster than `chance` (MurmurHash3 finalizer). */
export function chanceOf(one: number, other: number): number {
  return mixed(one ^ other) / 2 ** 32;
}

/** Every output bit depends on all input bits. */
export function mixed(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function digest(parts: (string | number)[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
