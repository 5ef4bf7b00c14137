interface SideMoments {
  x: number;
  n: number;
  xx: number;
  xn: number;
  nn: number;
}

/** Per prompt, x is the brand's weight, n that of all brands; `before` sums earlier collects. */
export interface ShareMoments {
  earlier: number;
  promptCount: number;
  before: SideMoments;
  after: SideMoments;
  /** Σ of products of both sides, the earlier factor first: Σ x·x, Σ x·n, Σ n·x, Σ n·n. */
  cross: { xx: number; xn: number; nx: number; nn: number };
  /** Σ x², Σ x·n, Σ n² per earlier collect. */
  each: { xx: number; xn: number; nn: number };
  /** Number of prompts whose share differs between any two collects. */
  varying: number;
  /** Number of prompts whose later share differs from the earlier one. */
  differingPromptCount: number;
}

/** Sums prompts, each with x and n by collect, the later one last. */
export function sumShareMoments(prompts: Iterable<{ x: ArrayLike<number>; n: ArrayLike<number> }>): ShareMoments {
  const sums = createShareMoments(1);
  for (const { x, n } of prompts) {
    sums.earlier = n.length - 1;
    addTrackedWeights(sums, n);
    addBrandShare(sums, x, n);
  }
  return sums;
}

export function createShareMoments(earlier: number): ShareMoments {
  return {
    earlier,
    promptCount: 0,
    before: { x: 0, n: 0, xx: 0, xn: 0, nn: 0 },
    after: { x: 0, n: 0, xx: 0, xn: 0, nn: 0 },
    cross: { xx: 0, xn: 0, nx: 0, nn: 0 },
    each: { xx: 0, xn: 0, nn: 0 },
    varying: 0,
    differingPromptCount: 0,
  };
}

/** Adds a prompt's sums over all brands, which are shared by each brand's moments. */
export function addTrackedWeights(sums: ShareMoments, n: ArrayLike<number>): void {
  const [before, after] = sumSides(n);
  sums.promptCount += 1;
  sums.before.n += before;
  sums.before.nn += before * before;
  sums.after.n += after;
  sums.after.nn += after * after;
  sums.cross.nn += before * after;
  for (let at = 0; at < n.length - 1; at += 1) sums.each.nn += (n[at] ?? 0) ** 2;
}

/** Adds a prompt's weights of one brand; not needed if the brand has none. */
export function addBrandShare(sums: ShareMoments, x: ArrayLike<number>, n: ArrayLike<number>): void {
  const [before, after] = sumSides(x);
  const [allBefore, allAfter] = sumSides(n);
  addSide(sums.before, before, allBefore);
  addSide(sums.after, after, allAfter);
  sums.cross.xx += before * after;
  sums.cross.xn += before * allAfter;
  sums.cross.nx += allBefore * after;
  let varies = isNonZero(before * allAfter - after * allBefore);
  if (varies) sums.differingPromptCount += 1;
  for (let at = 0; at < n.length - 1; at += 1) {
    const [own, all] = [x[at] ?? 0, n[at] ?? 0];
    sums.each.xx += own * own;
    sums.each.xn += own * all;
    varies ||= isNonZero(own * allAfter - after * all);
  }
  if (varies) sums.varying += 1;
}

function addSide(sums: SideMoments, x: number, n: number): void {
  sums.x += x;
  sums.xx += x * x;
  sums.xn += x * n;
}

function sumSides(values: ArrayLike<number>): [before: number, after: number] {
  let before = 0;
  for (let at = 0; at < values.length - 1; at += 1) before += values[at] ?? 0;
  return [before, values[values.length - 1] ?? 0];
}

/** Sums of weights differ by rounding errors. */
function isNonZero(value: number): boolean {
  return Math.abs(value) > 1e-9;
}
