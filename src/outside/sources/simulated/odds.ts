import { mixed } from "./chance.ts";

// On the logit scale effects add up and probabilities stay within 0 to 1.

const [FURTHEST, STEPS_TO_ONE] = [8, 8];
const NORMAL_STEPS = Array.from({ length: 49 }, (_, step) => (step - 24) / 4);
const BYTES_SUM = { mean: (4 * 255) / 2, deviation: Math.sqrt((4 * (256 ** 2 - 1)) / 12) };

export function chanceAt(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

/**
 * Deterministic with mean 0 and deviation 1. A sum of four bytes is nearly normal and costs
 * nanoseconds.
 */
export function deviateOf(one: number, other: number): number {
  const hash = mixed(one ^ other);
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
  return (sum - BYTES_SUM.mean) / BYTES_SUM.deviation;
}

/**
 * Returns the logit at which normal noise gives `share` on average. Uses a table, because no closed
 * formula exists.
 */
export function openCentres(deviation: number): (share: number) => number {
  const step = Math.sqrt(1 + (Math.PI / 8) * deviation ** 2) / STEPS_TO_ONE;
  const half = FURTHEST * STEPS_TO_ONE;
  const averages = Float64Array.from({ length: 2 * half + 1 }, (_, at) => average((at - half) * step, deviation));
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

function average(centre: number, deviation: number): number {
  let [sum, weights] = [0, 0];
  for (const step of NORMAL_STEPS) {
    const weight = Math.exp(-(step ** 2) / 2);
    sum += weight * chanceAt(centre + deviation * step);
    weights += weight;
  }
  return sum / weights;
}
