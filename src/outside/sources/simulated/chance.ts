import { createHash } from "node:crypto";

export function hashToChance(...parts: (string | number)[]): number {
  return hashParts(parts).readUIntBE(0, 6) / 2 ** 48;
}

/** In [0, 1): sfc32, seeded from SHA-256. */
export function createRandom(...parts: (string | number)[]): () => number {
  const seed = hashParts(parts);
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

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

export function createSeed(...parts: (string | number)[]): number {
  return hashParts(parts).readInt32LE(0);
}

/** In [0, 1); MurmurHash3's finalizer is a hundred times faster than `hashToChance`. */
export function fastChance(one: number, other: number): number {
  return mixBits(one ^ other) / 2 ** 32;
}

export function mixBits(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashParts(parts: (string | number)[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

// On the logit scale effects add up and probabilities stay within 0 to 1.

const [MAX_LOGIT, STEPS_TO_ONE] = [8, 8];
const NORMAL_STEPS = Array.from({ length: 49 }, (_, step) => (step - 24) / 4);
const BYTES_SUM = { mean: (4 * 255) / 2, deviation: Math.sqrt((4 * (256 ** 2 - 1)) / 12) };

export function toProbability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/** Mean 0, deviation 1. A sum of four bytes is nearly normal and costs nanoseconds. */
export function normalDeviate(one: number, other: number): number {
  const hash = mixBits(one ^ other);
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
  return (sum - BYTES_SUM.mean) / BYTES_SUM.deviation;
}

/** On average, normal noise around the logit gives `share`. A table: no closed formula exists. */
export function openLogitTable(deviation: number): (share: number) => number {
  const step = Math.sqrt(1 + (Math.PI / 8) * deviation ** 2) / STEPS_TO_ONE;
  const half = MAX_LOGIT * STEPS_TO_ONE;
  const averages = Float64Array.from({ length: 2 * half + 1 }, (_, at) =>
    computeAverage((at - half) * step, deviation),
  );
  return (share) => {
    let [low, high] = [0, 2 * half];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((averages[middle] ?? 0) <= share) low = middle;
      else high = middle;
    }
    const [below, above] = [averages[low] ?? 0, averages[high] ?? 1];
    const part = Math.min(1, Math.max(0, (share - below) / (above - below)));
    return (low + part - half) * step;
  };
}

function computeAverage(centre: number, deviation: number): number {
  let [sum, weights] = [0, 0];
  for (const step of NORMAL_STEPS) {
    const weight = Math.exp(-(step ** 2) / 2);
    sum += weight * toProbability(centre + deviation * step);
    weights += weight;
  }
  return sum / weights;
}
