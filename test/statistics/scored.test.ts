import { expect, test } from "vitest";
import { chooseExtent, report } from "../support/proof.ts";
import { minOf, meanOfAll, maxOf, formatPercents } from "./figures.ts";
import { scoredCoverage, scoredFalseChanges, scoredSettings } from "./scored-brand.ts";

// Figures of the answers that name a brand: sentiment, the rates of pros and cons, and which of two
// is preferred.

const LONG = 480_000;

test(
  "covers the world's rate among answers that name a brand in 92 of 100 collects, from 12 prompts on",
  () => {
    const settings = scoredSettings([8, 12, 20, 40], 37);
    const held = settings.map((setting, at) => ({
      setting,
      share: scoredCoverage(setting, chooseExtent(2000, 200), 7000 + at),
    }));
    for (const prompts of new Set(settings.map((one) => one.prompts))) {
      const shares = held.filter(({ setting }) => setting.prompts === prompts).map(({ share }) => share);
      report(`${prompts} prompts: ${formatPercents(meanOfAll(shares), minOf(shares))}`);
    }
    const usual = held.filter(({ setting }) => setting.prompts >= 12).map(({ share }) => share);
    expect(minOf(usual)).toBeGreaterThanOrEqual(chooseExtent(0.92, 0.87));
    expect(meanOfAll(usual)).toBeGreaterThanOrEqual(0.93);
  },
  LONG,
);

test.for([1, 4])(
  "calls at most 6 of 100 unchanged collects changed against %i earlier",
  { timeout: LONG },
  (earlier) => {
    const settings = scoredSettings([8, 12, 20, 40], 37);
    const called = settings.map((setting, at) =>
      scoredFalseChanges(setting, earlier, chooseExtent(4000, 150), 9000 + at),
    );
    report(`against ${earlier}, called changed in %, mean (most): ${formatPercents(meanOfAll(called), maxOf(called))}`);
    expect(maxOf(called)).toBeLessThanOrEqual(chooseExtent(0.06, 0.12));
    expect(meanOfAll(called)).toBeLessThanOrEqual(0.05);
  },
);
