interface SideMoments {
  x: number;
  n: number;
  xx: number;
  xn: number;
  nn: number;
}

/**
 * Sums over prompts of a brand's share of voice in one or several earlier collects and in a later one. Of a prompt x is the brand's
 * weight and n that of all brands, each side's own; x and n of `before` are their sums over the earlier collects.
 */
export interface ShareMoments {
  earlier: number;
  prompts: number;
  before: SideMoments;
  after: SideMoments;
  /** Σ of products of the two sides, what stands first being of the side before: Σ x·x, Σ x·n, Σ n·x, Σ n·n. */
  cross: { xx: number; xn: number; nx: number; nn: number };
  /** Σ x², Σ x·n, Σ n² of each earlier collect by itself. */
  each: { xx: number; xn: number; nn: number };
  /** Prompts whose share is not the same in all collects. */
  varying: number;
  /** Prompts whose share after is not that before. */
  differing: number;
}

/** The sums of prompts one by one, with x and n by collect, the later one last. */
export function shareMomentsOf(prompts: Iterable<{ x: ArrayLike<number>; n: ArrayLike<number> }>): ShareMoments {
  const sums = noShareMoments(1);
  for (const { x, n } of prompts) {
    sums.earlier = n.length - 1;
    addVoice(sums, n);
    addWeights(sums, x, n);
  }
  return sums;
}

export function noShareMoments(earlier: number): ShareMoments {
  return {
    earlier,
    prompts: 0,
    before: { x: 0, n: 0, xx: 0, xn: 0, nn: 0 },
    after: { x: 0, n: 0, xx: 0, xn: 0, nn: 0 },
    cross: { xx: 0, xn: 0, nx: 0, nn: 0 },
    each: { xx: 0, xn: 0, nn: 0 },
    varying: 0,
    differing: 0,
  };
}

/** Adds what a prompt says of all brands, which is the same for each of them. */
export function addVoice(sums: ShareMoments, n: ArrayLike<number>): void {
  const [before, after] = sidesOf(n);
  sums.prompts += 1;
  sums.before.n += before;
  sums.before.nn += before * before;
  sums.after.n += after;
  sums.after.nn += after * after;
  sums.cross.nn += before * after;
  for (let at = 0; at < n.length - 1; at += 1) sums.each.nn += (n[at] ?? 0) ** 2;
}

/** Adds what a prompt says of one brand; nothing of a prompt in which it has no weight. */
export function addWeights(sums: ShareMoments, x: ArrayLike<number>, n: ArrayLike<number>): void {
  const [before, after] = sidesOf(x);
  const [allBefore, allAfter] = sidesOf(n);
  addSide(sums.before, before, allBefore);
  addSide(sums.after, after, allAfter);
  sums.cross.xx += before * after;
  sums.cross.xn += before * allAfter;
  sums.cross.nx += allBefore * after;
  let varies = differs(before * allAfter - after * allBefore);
  if (varies) sums.differing += 1;
  for (let at = 0; at < n.length - 1; at += 1) {
    const [own, all] = [x[at] ?? 0, n[at] ?? 0];
    sums.each.xx += own * own;
    sums.each.xn += own * all;
    varies ||= differs(own * allAfter - after * all);
  }
  if (varies) sums.varying += 1;
}

function addSide(sums: SideMoments, x: number, n: number): void {
  sums.x += x;
  sums.xx += x * x;
  sums.xn += x * n;
}

/** The earlier collects together, and the later one. */
function sidesOf(values: ArrayLike<number>): [before: number, after: number] {
  let before = 0;
  for (let at = 0; at < values.length - 1; at += 1) before += values[at] ?? 0;
  return [before, values[values.length - 1] ?? 0];
}

/** Sums of weights are not exact: what is a billionth apart is the same. */
function differs(value: number): boolean {
  return Math.abs(value) > 1e-9;
}
