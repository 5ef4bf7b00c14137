import { expect, test } from "vitest";
import { findCompetitorPresent, findKeywordsWithoutPresence } from "../../core/actions/rules/absence-rules.ts";
import { findCitedSites, countCitations, type CitedSites, type CitingAnswer } from "../../core/actions/cited-sites.ts";
import { findLosses, findRemainingLoss } from "../../core/actions/rules/loss-rules.ts";
import { recommend } from "../../core/actions/recommend.ts";
import { computeDemandShare, scoreAction } from "../../core/actions/score-action.ts";
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

const K = keyword(0);

const fires = (answers: number, ranks: Cell["ranks"] = []) =>
  runSteps(
    findCompetitorPresent(
      createRuleInput(createCollectView(1, [{ keyword: 0, source: "ASSISTANT_A", answers, ranks }]), [K]),
    ),
  ).length > 0;

test("a competitor counts as present from half of the answers if the own brand is in none", () => {
  expect(fires(4, [[RIVAL, 1, 2]])).toBe(true);
  expect(fires(4, [[RIVAL, 1, 1]])).toBe(false);
  expect(fires(5, [[RIVAL, 1, 2]])).toBe(false);
  expect(
    fires(4, [
      [RIVAL, 1, 4],
      [OWN, 5, 1],
    ]),
  ).toBe(false);
  expect(fires(4, [["stranger", 1, 4]])).toBe(false);
  expect(
    fires(4, [
      [RIVAL, 1, 1],
      [OTHER_RIVAL, 2, 1],
    ]),
  ).toBe(false);
  // Three answers are the least that work is based on.
  expect(fires(3, [[RIVAL, 1, 3]])).toBe(true);
  expect(fires(2, [[RIVAL, 1, 2]])).toBe(false);
});

test("gaps of one topic and channel are one finding, with a row per question and source", () => {
  const other = keyword(1, { searchVolume: 900 });
  const elsewhere = keyword(2, { topicId: "topic-2", topic: "Topic 2" });
  const cells: Cell[] = [
    { keyword: 0, source: "ASSISTANT_A", answers: 2, ranks: [[RIVAL, 1, 2]] },
    {
      keyword: 1,
      source: "ASSISTANT_B",
      answers: 2,
      ranks: [
        [OTHER_RIVAL, 2, 1],
        [RIVAL, 3, 2],
      ],
    },
    { keyword: 1, source: "SEARCH_A", answers: 3, ranks: [[RIVAL, 1, 3]] },
    { keyword: 2, source: "ASSISTANT_A", answers: 3, ranks: [[OTHER_RIVAL, 1, 3]] },
    {
      keyword: 0,
      source: "ASSISTANT_C",
      answers: 2,
      ranks: [
        [OWN, 1, 1],
        [RIVAL, 2, 2],
      ],
    },
  ];
  const found = runSteps(findCompetitorPresent(createRuleInput(createCollectView(1, cells), [K, other, elsewhere])));
  expect(found.map(({ subject }) => subject)).toEqual([
    "topic:topic-1:search_results",
    "topic:topic-1:assistants",
    "topic:topic-2:assistants",
  ]);
  expect(found[1]).toMatchObject({ rival: "Rival", gap: 1, answers: 4, keywords: [0, 1] });
  expect(found[1]?.evidence).toEqual([
    expect.objectContaining({
      keyword_id: "k1",
      source: "ASSISTANT_B",
      answers: 2,
      occurrences: 0,
      brand: "Rival",
      brand_occurrences: 2,
      brand_rank: 3,
      search_volume: 900,
      counted: true,
    }),
    expect.objectContaining({ keyword_id: "k0", source: "ASSISTANT_A", answers: 2, brand_rank: 1 }),
  ]);
});

const absentKeywords = (volume: number | null, cells: Cell[]) =>
  findKeywordsWithoutPresence(createRuleInput(createCollectView(1, cells), [keyword(0, { searchVolume: volume })]))
    .length;

test("a keyword lacks presence if it has search volume and no source shows the own brand", () => {
  const nowhere: Cell[] = [
    { keyword: 0, source: "ASSISTANT_A", answers: 2, ranks: [["stranger", 1, 2]] },
    { keyword: 0, source: "SEARCH_B", answers: 1, ranks: [["stranger", 1, 1]] },
  ];
  expect(absentKeywords(1, nowhere)).toBe(1);
  expect(absentKeywords(0, nowhere)).toBe(0);
  expect(absentKeywords(null, nowhere)).toBe(0);
  expect(absentKeywords(1, nowhere.slice(0, 1))).toBe(0);
  expect(absentKeywords(1, [...nowhere, { keyword: 0, source: "ASSISTANT_D", answers: 9, ranks: [[OWN, 9, 1]] }])).toBe(
    0,
  );
});

/** Equal answers for each keyword, `own` of them with the own brand at `rank`. */
function createCells(keywords: number, answers: number, own: (at: number) => number, rank = 1): Cell[] {
  return Array.from({ length: keywords }, (_, at) => ({
    keyword: at,
    source: "ASSISTANT_A" as const,
    answers,
    ranks: [
      [RIVAL, 9, answers] as [string, number, number],
      ...(own(at) > 0 ? [[OWN, rank, own(at)] as [string, number, number]] : []),
    ],
  }));
}
const TEN = Array.from({ length: 10 }, (_, at) => keyword(at));

/** Losses of a collect against earlier ones, latest first. */
function findLost(now: readonly Cell[], ...earlier: (readonly Cell[])[]): string[] {
  const views = earlier.map((cells, at) => createCollectView(earlier.length - at, cells));
  const found = runSteps(findLosses(createRuleInput(createCollectView(earlier.length + 1, now), TEN), views));
  return found.map(({ rule, subject, evidence }) => `${rule} ${subject} since ${evidence[0]?.previous_collect_id}`);
}

/** Keywords with the own brand in `own` of their answers. */
const present = (keywords: number, own: number, answers: number) => createCells(keywords, answers, () => own);

test("reports lost presence after a significant decline in at least six keywords, at once if it is certain", () => {
  const both = [
    "presence_lost source:ASSISTANT_A since collect-1",
    "presence_lost topic:topic-1:assistants since collect-1",
  ];
  expect(findLost(present(10, 1, 2), present(10, 2, 2))).toEqual(both);
  expect(findLost(present(10, 0, 1), present(10, 1, 1))).toEqual(both);
  expect(findLost(present(10, 2, 2), present(10, 1, 2))).toEqual([]);
  expect(findLost(present(5, 0, 9), present(5, 9, 9))).toEqual([]);
  // One run of six keywords gives a first sign: six coins agree in one of 32 throws.
  expect(findLost(present(6, 0, 1), present(6, 1, 1))).toEqual([]);
});

test("a fall that is no more than a sign is a loss once the next collect repeats it against the same collect", () => {
  // Fault: week by week, an unchanged brand was reported as changed 2.5 times a year.
  const [high, low] = [present(6, 1, 1), present(6, 0, 1)];
  expect(findLost(low, low, high)).toEqual([
    "presence_lost source:ASSISTANT_A since collect-1",
    "presence_lost topic:topic-1:assistants since collect-1",
  ]);
  expect(findLost(low, high, high)).toEqual([]);
  expect(findLost(high, low, high)).toEqual([]);
});

/** Ten keywords with this number of four answers for each rival and the own brand. */
function market(first: number, second: number, own: number): Cell[] {
  return TEN.map(({ position }) => ({
    keyword: position,
    source: "ASSISTANT_A",
    answers: 4,
    ranks: [
      [OWN, 1, own],
      [RIVAL, 2, first],
      [OTHER_RIVAL, 3, second],
    ],
  }));
}

test("attributes a drop shared by the rivals to the model", () => {
  expect(findLost(market(2, 2, 1), market(2, 2, 4))).toHaveLength(2);
  expect(findLost(market(4, 0, 1), market(0, 4, 4))).toEqual([]);
});

test("additional runs cause no loss: runs are cut to the smaller number, in order", () => {
  // Fault: a brand in the first run of each keyword dropped from 100 to 20 % after four more runs.
  expect(findLost(present(10, 1, 5), present(10, 1, 1))).toEqual([]);
});

test("a loss of less than five points of presence is no loss, however sure it is", () => {
  expect(findLost(present(10, 451, 1000), present(10, 500, 1000))).toEqual([]);
  expect(findLost(present(10, 449, 1000), present(10, 500, 1000))).toHaveLength(2);
});

test("an answer by another model or method is no loss", () => {
  const before = createCollectView(1, present(10, 2, 2), { model: "model-0" });
  expect(runSteps(findLosses(createRuleInput(createCollectView(2, present(10, 0, 2)), TEN), [before]))).toEqual([]);
});

const lostRank = (before: number, now: number, keywords = 10) =>
  runSteps(
    findLosses(
      createRuleInput(
        createCollectView(
          2,
          createCells(keywords, 2, () => 2, now),
        ),
        TEN.slice(0, keywords),
      ),
      [
        createCollectView(
          1,
          createCells(keywords, 2, () => 2, before),
        ),
      ],
    ),
  );

test("reports a lost rank from half a rank on, if visibility moved down", () => {
  expect(lostRank(1, 4).map(({ rule }) => rule)).toEqual(["rank_lost", "rank_lost"]);
  expect(lostRank(1, 4)[0]?.evidence[0]).toMatchObject({ rank: 4, previous_rank: 1, counted: true, keyword_id: null });
  expect(lostRank(4, 1)).toEqual([]);
  expect(lostRank(3, 3)).toEqual([]);
  expect(lostRank(1, 4, 4)).toEqual([]);
});

test("the counted rows of a loss add up to the tested sums, and the others only illustrate them", () => {
  const before = createCollectView(
    1,
    createCells(10, 2, () => 2),
  );
  const [loss] = runSteps(
    findLosses(
      createRuleInput(
        createCollectView(
          2,
          createCells(10, 2, (at) => (at < 8 ? 0 : 2)),
        ),
        TEN,
      ),
      [before],
    ),
  );
  const counted = loss?.evidence.filter((row) => row.counted);
  expect(counted).toMatchObject([
    { answers: 20, occurrences: 4, previous_answers: 20, previous_occurrences: 20, previous_collect_id: "collect-1" },
  ]);
  expect(loss?.evidence.filter((row) => !row.counted).map((row) => row.keyword_id)).toEqual([
    "k0",
    "k1",
    "k2",
    "k3",
    "k4",
    "k5",
    "k6",
    "k7",
  ]);
});

test("a loss persists until the brand recovers against the same collect", () => {
  const first = createCollectView(
    1,
    createCells(10, 2, () => 2),
  );
  const third = (own: number) =>
    createRuleInput(
      createCollectView(
        3,
        createCells(10, 2, () => own),
      ),
      TEN,
    );
  const of = { rule: "presence_lost" as const, subject: "source:ASSISTANT_A" };
  expect(runSteps(findRemainingLoss(third(0), first, of))?.evidence[0]).toMatchObject({
    previous_collect_id: "collect-1",
  });
  expect(runSteps(findRemainingLoss(third(2), first, of))).toBeUndefined();
  const facts = { earlier: [createCollectView(2, present(10, 0, 2))], cited: new Map(), opinions: [] };
  const earlierLosses = [{ ...of, before: first }];
  const rules = (own: number) =>
    runSteps(recommend(third(own), { ...facts, earlierLosses })).filter(({ rule }) => rule === "presence_lost").length;
  expect([rules(0), rules(2)]).toEqual([1, 0]);
});

function sitesOf(answers: readonly Partial<CitingAnswer>[]): CitedSites {
  const sites: CitedSites = new Map();
  const { compared } = createRuleInput(createCollectView(1, []), []);
  for (const [at, answer] of answers.entries()) {
    const whole = { id: `a${at}`, source: "ASSISTANT_A" as const, keyword: at, pages: [PAGE], brandIds: [RIVAL] };
    countCitations(sites, { ...whole, ...answer }, compared);
  }
  return sites;
}
const PAGE = {
  domain: "site.test",
  url: "https://site.test/a",
  siteType: "PRODUCT_REVIEW_SITE" as const,
  brandId: null,
};
const own = { ...PAGE, domain: "own.test", url: "https://own.test/", brandId: OWN };
const five = (answer: Partial<CitingAnswer> = {}) => Array.from({ length: 5 }, () => answer);

const approachable = (answers: Partial<CitingAnswer>[]) =>
  findCitedSites(createRuleInput(createCollectView(1, []), TEN), sitesOf(answers)).map(
    ({ subjectName }) => subjectName,
  );

test("a site is an outreach target from five answers, if none cites the own brand and half name a competitor", () => {
  expect(approachable(five())).toEqual(["site.test"]);
  expect(approachable(five().slice(1))).toEqual([]);
  expect(approachable([...five(), { pages: [PAGE, own] }])).toEqual([]);
  // The own brand is named, but its site is not cited: the approach is still worth it.
  expect(approachable(five({ brandIds: [OWN, RIVAL] }))).toEqual(["site.test"]);
  expect(approachable(five({ brandIds: [] }))).toEqual([]);
  expect(approachable([...five({ brandIds: [] }), ...five()])).toEqual(["site.test"]);
  expect(approachable([...five({ brandIds: [] }), ...five(), { brandIds: [] }])).toEqual([]);
  expect(approachable(five({ pages: [{ ...PAGE, brandId: RIVAL }] }))).toEqual([]);
  expect(approachable(five({ pages: [{ ...PAGE, siteType: "BRANDED_WEBSITE" }] }))).toEqual([]);
});

test("counts a page cited twice in an answer once, and names the most cited page", () => {
  const twice = { pages: [PAGE, { ...PAGE, url: "https://site.test/b" }] };
  const [found] = findCitedSites(createRuleInput(createCollectView(1, []), TEN), sitesOf([...five(), twice]));
  expect(found?.evidence).toEqual([
    expect.objectContaining({
      domain: "site.test",
      url: "https://site.test/a",
      answers: 6,
      occurrences: 0,
      brand: "Rival",
      brand_occurrences: 6,
      answer_ids: ["a0", "a1", "a2", "a3", "a4", "a5"],
    }),
  ]);
});

test("the score equals the documented formula at its ends and in between", () => {
  const volumes = [keyword(0, { searchVolume: 100 }), keyword(1, { searchVolume: 300 }), keyword(2)];
  // A keyword of unknown volume has the median of the known ones, 300.
  expect(computeDemandShare([0], volumes)).toBeCloseTo(100 / 700);
  expect(computeDemandShare([0, 1, 2], volumes)).toBe(1);
  expect(computeDemandShare([], volumes)).toBe(0);
  const finding = {
    rule: "competitor_present" as const,
    subject: "s",
    channel: "assistants" as const,
    subjectName: "a",
    evidence: [],
    pValue: null,
    reach: null,
    rival: null,
    siteType: null,
  };
  // 100 · (0.45 · sqrt(1 / 7) + 0.35 · 0.5 + 0.2 · 10 / 20) · 0.9
  const some = scoreAction({ ...finding, keywords: [0], gap: 0.5, answers: 10 }, volumes);
  expect(some).toEqual({ score: 40.1, impact: "medium", effort: "medium", criticality: "low", timeline: "month" });
  const all = scoreAction(
    { ...finding, keywords: [0, 1, 2], gap: 1, answers: 1e9, channel: "search_results" },
    volumes,
  );
  expect(all).toEqual({ score: 80, impact: "high", effort: "high", criticality: "medium", timeline: "quarter" });
  const buying = [keyword(0, { funnelStage: "BoFu" })];
  expect(scoreAction({ ...finding, keywords: [0], gap: 1, answers: 90 }, buying).criticality).toBe("high");
  const loss = scoreAction({ ...finding, rule: "presence_lost", keywords: [0], gap: 0.3, answers: 90 }, buying);
  expect(loss).toMatchObject({ criticality: "critical", timeline: "two_weeks", effort: "medium" });
  // 100 · (0.45 · sqrt(1 / 4) + 0.35 · 0.5 + 0.2 · 10 / 20): reach of opinions is a share of
  // prompts.
  const fact = scoreAction(
    { ...finding, rule: "wrong_fact", keywords: [], reach: 0.25, gap: 0.5, answers: 10 },
    volumes,
  );
  expect(fact).toEqual({ score: 50, impact: "medium", effort: "low", criticality: "high", timeline: "two_weeks" });
});
