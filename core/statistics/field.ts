/** Random sign flips. With the observed sample there are 500, and 25 of 500 are 5 %. */
const SIGN_FLIPS = 499;
const MAX_REACHED = 25;
const SIGN_FLIP_SEED = 20_261_123;

const MIN_DIFFERING_PROMPTS = 4;

/** Change of one rival: `d[at]` for the prompt at index `prompts[at]`, 0 for all others. */
export interface RivalChange {
  prompts: ArrayLike<number>;
  d: ArrayLike<number>;
}

/**
 * Tests at 5 % whether the rivals (not the own brand) changed together, as after a model update.
 * Centres changes by the rivals' mean per prompt, because an entering brand displaces all rivals.
 * Compares Σ_b (Σ_i d)² / Σ_i d² under random sign flips of whole prompts (Pesarin, "Multivariate
 * Permutation Tests", 2001). Deterministic by prompt order; false without two rivals that differ.
 */
export function isFieldMoving(prompts: number, rivals: readonly RivalChange[]): boolean {
  const changes = rivals.filter(
    ({ d }) => Array.from(d).filter((value) => Math.abs(value) > 1e-12).length >= MIN_DIFFERING_PROMPTS,
  );
  if (changes.length < 2) return false;
  const means = computeMeans(prompts, changes);
  const squareSums = changes.map((rival) => sumSquares(rival, means));
  const signs = new Float64Array(prompts).fill(1);
  const observed = computeStatistic(changes, { signs, means, squareSums });
  const random = createRandomBits(SIGN_FLIP_SEED);
  let reached = 1;
  for (let flip = 0; flip < SIGN_FLIPS; flip += 1) {
    for (let prompt = 0; prompt < prompts; prompt += 1) signs[prompt] = random() ? 1 : -1;
    // Compares with a tolerance, since sums of equal terms differ in the last digits.
    if (computeStatistic(changes, { signs, means, squareSums }) >= observed * (1 - 1e-9)) reached += 1;
    if (reached > MAX_REACHED) return false;
  }
  return true;
}

function computeMeans(prompts: number, rivals: readonly RivalChange[]): Float64Array {
  const means = new Float64Array(prompts);
  for (const { prompts: at, d } of rivals) {
    for (let i = 0; i < at.length; i += 1) addAt(means, at[i] ?? 0, (d[i] ?? 0) / rivals.length);
  }
  return means;
}

/** Σ_i (d_i − mean_i)² over all prompts. */
function sumSquares({ prompts, d }: RivalChange, means: Float64Array): number {
  let sum = 0;
  for (const mean of means) sum += mean * mean;
  for (let i = 0; i < prompts.length; i += 1) sum += (d[i] ?? 0) * ((d[i] ?? 0) - 2 * (means[prompts[i] ?? 0] ?? 0));
  return sum;
}

/** Subtracts the means from sums, so that the cost depends on changes, not on brands × prompts. */
function computeStatistic(
  rivals: readonly RivalChange[],
  { signs, means, squareSums }: { signs: Float64Array; means: Float64Array; squareSums: readonly number[] },
): number {
  let mean = 0;
  for (let prompt = 0; prompt < signs.length; prompt += 1) mean += (signs[prompt] ?? 0) * (means[prompt] ?? 0);
  let statistic = 0;
  for (const [rival, { prompts, d }] of rivals.entries()) {
    let sum = -mean;
    for (let i = 0; i < prompts.length; i += 1) sum += (signs[prompts[i] ?? 0] ?? 0) * (d[i] ?? 0);
    const scale = squareSums[rival] ?? 0;
    if (scale > 1e-12) statistic += (sum * sum) / scale;
  }
  return statistic;
}

function addAt(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}

/** Random bits, 32 per number of mulberry32 (Tommy Ettinger, 2017). */
function createRandomBits(seed: number): () => boolean {
  let state = seed;
  let bits = 0;
  let rivals = 0;
  return () => {
    if (rivals === 0) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      bits = mixed ^ (mixed >>> 14);
      rivals = 32;
    }
    rivals -= 1;
    const coin = (bits & 1) === 1;
    bits >>>= 1;
    return coin;
  };
}
