import { expect, test } from "vitest";
import type { Effect, Evidence } from "../../core/actions/action.ts";
import { countCitations, type CitedSites } from "../../core/actions/cited-sites.ts";
import { createBaseline, measureEffect } from "../../core/actions/effect.ts";
import { evidenceRow } from "../../core/actions/finding.ts";
import {
  runSteps,
  createRuleInput,
  keyword,
  OTHER_RIVAL,
  OWN,
  RIVAL,
  createCollectView,
  type Cell,
} from "./collect-view.ts";

const TEN = Array.from({ length: 10 }, (_, at) => keyword(at));

/** Keywords with the own brand in `own` of `answers` answers, and two rivals. */
function cells(keywords: number, own: number, answers: number, rivals: readonly [number, number] = [0, 0]): Cell[] {
  const ranks = [
    [OWN, 1, own],
    [RIVAL, 2, rivals[0]],
    [OTHER_RIVAL, 3, rivals[1]],
  ] as [string, number, number][];
  return Array.from({ length: keywords }, (_, at) => ({
    keyword: at,
    source: "ASSISTANT_A",
    answers,
    ranks: ranks.filter(([, , times]) => times > 0),
  }));
}

const ABOUT_ALL = evidenceRow({ rule: "presence_lost", collect_id: "collect-1", answers: 0, occurrences: 0 });

/** Effect of an implementation after collect 1. */
function effect(
  before: readonly Cell[],
  after: readonly Cell[],
  { row = ABOUT_ALL, way = {}, sign = null as Effect | null, cited = [NO_SITES, NO_SITES] as const } = {},
): Effect {
  const baseline = createBaseline({ id: "collect-1", collectNumber: 1 }, [row]);
  const [then, now] = cited;
  const seen = { view: createCollectView(1, before), cited: then, opinions: null };
  const facts = { before: seen, now: { cited: now, opinions: null }, sign };
  return runSteps(measureEffect(baseline, createRuleInput(createCollectView(2, after, way), TEN), facts));
}
const NO_SITES: CitedSites = new Map();

test("two keywords cannot show an effect, whatever the number of answers", () => {
  // Fault: 40 answers to two keywords counted as 40 independent ones, and as an effect.
  expect(effect(cells(2, 0, 20), cells(2, 20, 20))).toMatchObject({ verdict: "insufficient_data", p_value: null });
  expect(effect(cells(10, 0, 4), cells(10, 4, 4))).toMatchObject({ verdict: "moved", after: { ci_high: 1 } });
});

test("a first sign becomes an effect if the next collect repeats it, else noise", () => {
  const sign = effect(cells(6, 0, 1), cells(6, 1, 1));
  expect(sign.verdict).toBe("first_sign");
  expect(effect(cells(6, 0, 1), cells(6, 1, 1), { sign }).verdict).toBe("moved");
  expect(effect(cells(6, 0, 1), [...cells(5, 0, 1), ...cells(6, 1, 1).slice(5)], { sign }).verdict).toBe(
    "insufficient_data",
  );
});

test("attributes changes shared by rivals, and changes of model or method, to these", () => {
  expect(effect(cells(10, 0, 4, [4, 0]), cells(10, 4, 4, [0, 4])).verdict).toBe("moved_with_field");
  expect(effect(cells(10, 0, 4), cells(10, 4, 4), { way: { model: "model-2" } }).verdict).toBe("model_changed");
  expect(effect(cells(10, 0, 4), cells(10, 4, 4), { way: { method: "import" } }).verdict).toBe("method_changed");
  expect(effect(cells(10, 0, 4), cells(4, 4, 4)).verdict).toBe("basket_changed");
});

/** Answers to each keyword that cite a site, and another page of the brand of that id. */
function citing(times: number, brandId: string | null): CitedSites {
  const sites: CitedSites = new Map();
  const page = { url: "https://site.test/", siteType: "PRODUCT_REVIEW_SITE" as const };
  const pages = [
    { ...page, domain: "site.test", brandId: null },
    { ...page, domain: "own.test", brandId },
  ];
  const { compared } = createRuleInput(createCollectView(1, []), []);
  for (const { position } of TEN) {
    for (let at = 0; at < times; at += 1) {
      const answer = {
        id: `${position} ${at}`,
        source: "ASSISTANT_A" as const,
        keyword: position,
        pages,
        brandIds: [],
      };
      countCitations(sites, answer, compared);
    }
  }
  return sites;
}

test("for a site, the effect is the share of its citing answers that also cite the own brand", () => {
  const row: Evidence = { ...ABOUT_ALL, rule: "cited_source", source: "ASSISTANT_A", domain: "site.test" };
  const answered = cells(10, 0, 4);
  const moved = effect(answered, answered, { row, cited: [citing(2, null), citing(3, OWN)] });
  expect(moved.after).toMatchObject({ answers: 30, occurrences: 30 });
  expect(moved).toMatchObject({ verdict: "moved", before: { ci_low: 0 } });
});
