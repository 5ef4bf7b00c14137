import { expect, test } from "vitest";
import { isResultPageSource, SOURCES } from "../../core/sources/sources.ts";
import { expectedKeywords, expectedTopBrands, type AnswerFilter, type Row } from "./expected-metrics.ts";
import { simulatedScene } from "./simulated-scene.ts";

// From price to metrics through REST, against the simulated world's truth.

const generic: AnswerFilter = ({ keyword }) => keyword.type !== "Brand";
/** By default, result pages are excluded. */
const byName: AnswerFilter = ({ source }) => !isResultPageSource(source);

test("every field of top-brands is the truth of the simulated world, filters and previous collect included", async () => {
  await using s = await simulatedScene();
  const { first, second } = s.collectIds;
  const { filters } = s;
  const id = (list: string, name: string) => filters[list].find((entry: { name: string }) => entry.name === name)?.id;
  const cases: [string, AnswerFilter, number[]?, number[]?][] = [
    ["", generic],
    ["keyword_type=Generic&keyword_type=Brand", () => true],
    ["keyword_type=Brand", (one) => !generic(one)],
    ...SOURCES.map((source): [string, AnswerFilter] => [
      `sources=${source}`,
      (one) => generic(one) && one.source === source,
    ]),
    ["sources=ASSISTANT_A&sources=SEARCH_A", (one) => generic(one) && ["ASSISTANT_A", "SEARCH_A"].includes(one.source)],
    ["thematics=Home", (one) => generic(one) && one.keyword.thematic === "Home"],
    [`topic_ids=${id("topics", "Offices")}`, (one) => one.keyword.topic === "Offices"],
    [`persona_ids=${id("personas", "Barista")}`, (one) => one.keyword.persona_id !== undefined],
    [`strength_ids=${id("strengths", "Milk foam")}`, (one) => one.keyword.strength !== undefined],
    [`weakness_ids=${id("weaknesses", "Loud pump")}`, (one) => one.keyword.weakness !== undefined],
    [`related_product_ids=${id("related_products", "Steam wand")}`, (one) => one.keyword.related_product !== undefined],
    [`sub_brand_ids=${id("sub_brands", "Pro line")}`, (one) => one.keyword.sub_brand !== undefined],
    ["funnel_stages=MoFu", (one) => one.keyword.funnel_stage === "MoFu"],
    [
      "perception_type=neutral",
      (one) => generic(one) && one.keyword.strength === undefined && one.keyword.weakness === undefined,
    ],
    [`collect_id=${first}`, generic, [1], []],
    [`collect_ids=${first}&collect_ids=${second}`, generic, [1, 2], []],
    [`collect_id=${first}&prev_collect_ids=${second}`, generic, [1], [2]],
  ];
  expect(s.asked.filter(({ truth }) => truth.brandRanks.length > 0).length).toBeGreaterThan(150);
  for (const [query, chosen, current = [2], previous = [1]] of cases) {
    const counted: AnswerFilter = (one) => chosen(one) && (query.includes("sources=") || byName(one));
    expect([query, await s.top(query)]).toEqual([query, expectedTopBrands(s, counted, current, previous)]);
  }
});

test("every field of keywords-metrics is the truth of the simulated world, filters and previous collect included", async () => {
  await using s = await simulatedScene();
  const { first, second } = s.collectIds;
  const required = "thematics=Home&thematics=Work&keyword_type=Generic&keyword_type=Brand";
  const all = SOURCES.map((source) => `sources=${source}`).join("&");
  const every = { keyword: () => true, sources: SOURCES, current: [2], previous: [1] };
  const cases: [string, Parameters<typeof expectedKeywords>[1]][] = [
    [`${required}&${all}`, every],
    [`${required}&sources=ASSISTANT_A`, { ...every, sources: ["ASSISTANT_A"] }],
    [`${required}&${all}&collect_id=${first}`, { ...every, current: [1], previous: [] }],
    [`${required}&${all}&collect_ids=${first}&collect_ids=${second}`, { ...every, current: [1, 2], previous: [] }],
    [`${required}&${all}&collect_id=${first}&prev_collect_id=${second}`, { ...every, current: [1], previous: [2] }],
    [`${required}&${all}&perception_type=positive`, { ...every, keyword: ({ strength }) => strength !== undefined }],
    [`thematics=Work&keyword_type=Generic&${all}`, { ...every, keyword: ({ thematic }) => thematic === "Work" }],
    ...(["QA_FORUM", "BRANDED_WEBSITE", "NEWS_MEDIA"] as const).map((type): (typeof cases)[number] => [
      `${required}&sources=SEARCH_A&competitor_types=${type}`,
      {
        ...every,
        sources: ["SEARCH_A"],
        keyword: (keyword) =>
          s.asked.some(
            (one) =>
              one.keyword === keyword &&
              one.collect === 2 &&
              one.source === "SEARCH_A" &&
              one.truth.citations.some(({ competitor_type }) => competitor_type === type),
          ),
      },
    ]),
  ];
  for (const [query, select] of cases) {
    const { data } = await s.keywordRows(query);
    const shown = data.map(({ keyword_id: _id, ...row }: Row) => row);
    expect([query, { data: shown }]).toEqual([query, expectedKeywords(s, select)]);
  }
});

test("statistics of a keyword are counts: how many answers it has, and how many of them the own brand, now and before", async () => {
  await using s = await simulatedScene();
  const required = "thematics=&keyword_type=&sources=ASSISTANT_A&sources=SEARCH_B_AIO";
  const { data } = await s.keywordRows(`${required}&statistics=true`);
  const count = (text: string, collect: number) => {
    const own = s.asked.filter(
      (one) =>
        one.keyword.text === text &&
        one.collect === collect &&
        ["ASSISTANT_A", "SEARCH_B_AIO"].includes(one.source) &&
        one.shown,
    );
    const having = own.filter(({ truth }) => truth.brandRanks.some(({ brand_id }) => brand_id === s.ownBrandId));
    return [own.length, having.length];
  };
  expect(data.length).toBe(s.keywords.length);
  for (const row of data) {
    const { keyword_text: text, answers, occurrences, previous_answers, previous_occurrences } = row;
    expect([text, answers, occurrences, previous_answers, previous_occurrences]).toEqual([
      text,
      ...count(text, 2),
      ...count(text, 1),
    ]);
  }
});

test("both metrics responses state their basis, and that it is simulated", async () => {
  await using s = await simulatedScene();
  const { first, second } = s.collectIds;
  const figures = await s.basis(`collect_id=${second}&sources=SEARCH_A&sources=ASSISTANT_B`);
  for (const basis of figures) {
    expect(basis).toMatchObject({
      collects: [{ collect_id: second, number: 2 }],
      previous_collects: [{ collect_id: first, number: 1 }],
      sources: [
        { source: "SEARCH_A", name: "Bing" },
        { source: "ASSISTANT_B", name: "Perplexity" },
      ],
      collection_methods: ["simulated"],
    });
  }
});

test("the basis counts the selected answers by collect and source, in one line", async () => {
  // Fault: the basis stated 240 answers for 184, 56 or 20 counted ones.
  await using s = await simulatedScene();
  const { first, second } = s.collectIds;
  const topic = s.filters.topics[0].name as string;
  const both = `collect_ids=${first}&collect_ids=${second}`;
  const selections = [
    "",
    "sources=ASSISTANT_B&sources=ASSISTANT_C",
    "keyword_type=Brand",
    `topic_ids=${topic}`,
    both,
    `${both}&sources=SEARCH_A&sources=ASSISTANT_A`,
  ];
  const answers = new Set<number>();
  for (const query of selections) {
    const { data, basis } = await s.whole("top-brands", query);
    const [{ total, total_prev_collect: before }] = data;
    answers.add(basis.answers);
    expect([query, basis.answers]).toEqual([query, total]);
    expect(sum(basis.collects)).toBe(total);
    expect(sum(basis.sources)).toBe(total);
    expect(sum(basis.previous_collects)).toBe(before ?? 0);
    expect(basis.legend).toContain(`n = ${total} answers`);
    expect(basis.legend).toMatch(
      /presence_rate = .*; run \d on \d{4}-\d\d-\d\d.* \(\d+ answers\).*; collected by simulated$/,
    );
    const type = query.includes("keyword_type") ? "" : "keyword_type=Generic";
    const rows = await s.whole("keywords-metrics", `sources=&thematics=&${type}&${query}`);
    // Ranks are shown by source, including result pages.
    const named = rows.basis.sources.filter(({ presence }: { presence: string }) => {
      return presence === "name" || query.includes("sources=");
    });
    expect(named).toEqual(basis.sources);
    expect(sum(rows.basis.collects)).toBe(sum(rows.basis.sources));
    expect(rows.basis.answers).toBe(sum(rows.basis.sources));
  }
  expect(answers.size).toBe(selections.length);
});

function sum(rows: { answers: number }[]): number {
  return rows.reduce((all, { answers }) => all + answers, 0);
}
