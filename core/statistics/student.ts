/** Cached because bisection is slow and a selection needs few values thousands of times. */
const quantileByKey = new Map<number, number>();

/** Regularized incomplete beta I_x(f/2, 1/2) at x = f/(f + t²) (Abramowitz and Stegun, 26.7.1). */
export function computeTwoSidedP(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return 0;
  return computeIncompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** Probabilities must be above one half. */
export function studentQuantile(probability: number, freedom: number): number {
  // Unique key: probabilities are below 1 and degrees of freedom are integers.
  const key = freedom + probability;
  const cached = quantileByKey.get(key);
  if (cached !== undefined) return cached;
  const outside = 2 * (1 - probability);
  let low = 0;
  let high = 2;
  while (computeTwoSidedP(high, freedom) > outside) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (computeTwoSidedP(middle, freedom) > outside) low = middle;
    else high = middle;
  }
  quantileByKey.set(key, high);
  return high;
}

/** Continued fraction on the side that converges fast (Press et al., "Numerical Recipes", 6.4). */
function computeIncompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const factor = Math.exp(
    computeLogGamma(a + b) - computeLogGamma(a) - computeLogGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (factor * computeBetaFraction(x, a, b)) / a
    : 1 - (factor * computeBetaFraction(1 - x, b, a)) / b;
}

/** Lentz's method. */
function computeBetaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / avoidZero(1 - ((a + b) * x) / (a + 1));
  let product = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / avoidZero(1 + even * d);
    c = avoidZero(1 + even / c);
    product *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / avoidZero(1 + odd * d);
    c = avoidZero(1 + odd / c);
    product *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return product;
}

function avoidZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/** Stirling's series (Abramowitz and Stegun, 6.1.41) above 10, by recurrence below, for x > 0. */
function computeLogGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += Math.log(at);
  const square = 1 / (at * at);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}
