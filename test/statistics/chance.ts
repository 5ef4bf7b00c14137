/**
 * Numbers by chance from a seed: sfc32 (Chris Doty-Humphrey, PractRand) and the polar method for
 * the normal distribution.
 */
export class RandomGenerator {
  #a = 0;
  #b = 0;
  #c = 0;
  #count = 1;
  #spare = Number.NaN;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed * 7919 + 104_729) | 0;
    for (let warm = 0; warm < 15; warm += 1) this.uniform();
  }

  /** From 0, and below 1. */
  uniform(): number {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }

  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const square = u * u + v * v;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spare = v * scale;
      return u * scale;
    }
  }

  /** Gumbel distribution: the largest strength plus noise is a choice by a logit model. */
  gumbel(): number {
    return -Math.log(-Math.log(this.uniform() + 1e-12));
  }
}
