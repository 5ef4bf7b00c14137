import { expect } from "vitest";
import { expectedKeywords, expectedTopBrands, type AnswerFilter, type Row } from "../metrics/expected-metrics.ts";
import { isResultPageSource } from "../../core/sources/sources.ts";
import { PARAMETER_TABLES } from "./parameter-tables.ts";
import {
  answerSchema,
  describesType,
  schemaFields,
  resolveReferences,
  operationOf,
  withoutNull,
  type Json,
  type Reference,
} from "./reference-document.ts";
import { ENUMERATIONS } from "./rules.ts";
import { rule } from "./rule.ts";
import { addressOf, EVERY_KEYWORD, metricsScene } from "./search-metrics-scene.ts";

type Scene = Awaited<ReturnType<typeof metricsScene>>;
type Path = "top-brands" | "keywords-metrics";

/** A request with one parameter, and the expected response by definition. */
type Case = [query: string, expected: unknown];

const PATHS: Record<string, Path> = { "4.6": "keywords-metrics", "4.7": "top-brands" };
const LISTED: Record<string, string> = {
  "Sources enum": "Sources",
  "Keyword types enum": "Keyword types",
  "competitor types enum": "Competitor types",
};

/** True if a parameter's description equals the table: type, enum members, null. */
function isDescribed(reference: Reference, given: Json, type: string): boolean {
  const { schema, nullable } = withoutNull(reference, given);
  const bare = type.replace(/[,;]? or null$/, "");
  if (type !== bare && !nullable) return false;
  const items = resolveReferences(reference, (schema["items"] ?? {}) as Json);
  const listed = /^array of (.* enum)$/.exec(bare)?.[1];
  const members = listed === undefined ? /^array of ([A-Z]\w*(?:, \w+)+)$/.exec(bare)?.[1]?.split(", ") : undefined;
  const expected = members ?? (listed === undefined ? undefined : ENUMERATIONS[LISTED[listed] ?? ""]);
  if (expected) return schema["type"] === "array" && JSON.stringify(items["enum"]) === JSON.stringify(expected);
  return describesType(reference, schema, bare);
}

function filterIds({ filters }: Scene) {
  return (list: string, name: string) => filters[list].find((one: { name: string }) => one.name === name)?.id as string;
}

const inText: AnswerFilter = ({ source }) => !isResultPageSource(source);
const generic: AnswerFilter = ({ keyword }) => keyword.type !== "Brand";

/**
 * The keyword filters that both requests have: the query, and the keywords that it lets through.
 */
function facetCases(s: Scene): Record<string, [query: string, chosen: AnswerFilter]> {
  const id = filterIds(s);
  return {
    persona_ids: [`persona_ids=${id("personas", "Barista")}`, ({ keyword }) => keyword.persona_id !== undefined],
    topic_ids: [`topic_ids=${id("topics", "Milk drinks")}`, ({ keyword }) => keyword.topic === "Milk drinks"],
    strength_ids: [`strength_ids=${id("strengths", "Milk foam")}`, ({ keyword }) => keyword.strength !== undefined],
    weakness_ids: [`weakness_ids=${id("weaknesses", "Loud pump")}`, ({ keyword }) => keyword.weakness !== undefined],
    related_product_ids: [
      `related_product_ids=${id("related_products", "Steam wand")}`,
      ({ keyword }) => keyword.related_product !== undefined,
    ],
    sub_brand_ids: [`sub_brand_ids=${id("sub_brands", "Pro line")}`, ({ keyword }) => keyword.sub_brand !== undefined],
    funnel_stages: ["funnel_stages=MoFu", ({ keyword }) => keyword.funnel_stage === "MoFu"],
    perception_type: [
      "perception_type=neutral",
      ({ keyword }) => keyword.strength === undefined && keyword.weakness === undefined,
    ],
    thematics: ["thematics=Work", ({ keyword }) => keyword.thematic === "Work"],
  };
}

const byName = (a: Row, b: Row) => (String(a["brand"]) < String(b["brand"]) ? -1 : 1);

function topCases(s: Scene): Record<string, Case[]> {
  const { first, second } = s.collectIds;
  const of = (chosen: AnswerFilter, current = [2], previous = [1]) =>
    expectedTopBrands(s, (one) => generic(one) && chosen(one), current, previous);
  // By default, text sources if any of them responded.
  const top = (chosen: AnswerFilter, current?: number[], previous?: number[]) => {
    const isByName = s.asked.some(
      (one) => (current ?? [2]).includes(one.collect) && generic(one) && chosen(one) && inText(one) && one.shown,
    );
    return of((one) => chosen(one) && inText(one) === isByName, current, previous);
  };
  const all = top(() => true);
  const picked = (keep: (row: Row) => boolean) => {
    const data = all.data.filter(keep);
    return { total_count: data.length, data };
  };
  const sorted = (field: string, sign: number) => {
    const value = (row: Row) => row[field] as number;
    const data = all.data.toSorted((a, b) => sign * (value(a) - value(b)) || byName(a, b));
    return { ...all, data };
  };
  const facets = Object.entries(facetCases(s)).map(([name, [query, chosen]]) => [name, [[query, top(chosen)]]]);
  return {
    ...(Object.fromEntries(facets) as Record<string, Case[]>),
    sources: [
      ["sources=ASSISTANT_A", of(({ source }) => source === "ASSISTANT_A")],
      ["sources[]=SEARCH_A&sources[]=ASSISTANT_B", of(({ source }) => ["SEARCH_A", "ASSISTANT_B"].includes(source))],
    ],
    brands: [["brands=tavolino&brands=Kestrova", picked((row) => /Tavolino|Kestrova/.test(String(row["brand"])))]],
    collect_id: [[`collect_id=${first}`, top(() => true, [1], [])]],
    collect_ids: [[`collect_ids=${first}&collect_ids=${second}`, top(() => true, [1, 2], [])]],
    prev_collect_ids: [[`collect_id=${first}&prev_collect_ids=${second}`, top(() => true, [1], [2])]],
    keyword_type: [["keyword_type=Brand", expectedTopBrands(s, (one) => !generic(one) && inText(one), [2], [1])]],
    competitor_types: [
      ["competitor_types=BRANDED_WEBSITE", all],
      ["competitor_types=NEWS_MEDIA", { total_count: 0, data: [] }],
    ],
    page_number: [["rows_per_page=2&page_number=2", { ...all, data: all.data.slice(2, 4) }]],
    rows_per_page: [["rows_per_page=3", { ...all, data: all.data.slice(0, 3) }]],
    search_query: [["search_query=KAFF", picked((row) => row["brand"] === "Nordkaffa")]],
    sort_column: [
      ["sort_column=brand&sort_direction=asc", { ...all, data: all.data.toSorted(byName) }],
      ["sort_column=visibility_score", all],
      ["sort_column=nb_mentions", sorted("total_mentions", -1)],
      ["sort_column=nb_distinct_keywords", sorted("nb_keywords", -1)],
      ["sort_column=average_position", sorted("average_rank", -1)],
      ["sort_column=presence_rate", sorted("presence_rate", -1)],
    ],
    sort_direction: [
      ["sort_column=average_position&sort_direction=asc", sorted("average_rank", 1)],
      ["sort_column=average_position&sort_direction=desc", sorted("average_rank", -1)],
    ],
  };
}

const REQUIRED = { sources: "sources=", thematics: "thematics=", keyword_type: "keyword_type=" };

function keywordCases(s: Scene): Record<string, Case[]> {
  const { first, second } = s.collectIds;
  const sources = ["SEARCH_A", "ASSISTANT_A"] as const;
  const every = { keyword: () => true, sources, current: [2], previous: [1] };
  type Select = Partial<Parameters<typeof expectedKeywords>[1]>;
  const both = "sources=SEARCH_A&sources=ASSISTANT_A";
  const one = (query: string, select: Select): Case => {
    const given = new URLSearchParams(query);
    const rest = { ...REQUIRED, thematics: EVERY_KEYWORD, sources: both };
    const needed = Object.entries(rest).flatMap(([name, text]) => (given.has(name) ? [] : [text]));
    return [[...needed, query].join("&"), expectedKeywords(s, { ...every, ...select })];
  };
  const facets = Object.entries(facetCases(s)).map(([name, [query, chosen]]) => {
    const keyword: Select["keyword"] = (known) => s.asked.some((asked) => asked.keyword === known && chosen(asked));
    return [name, [one(query, { keyword })]];
  });
  const cited = s.asked.filter(({ collect, source, truth }) => {
    return collect === 2 && source === "SEARCH_A" && truth.citations.some((c) => c.competitor_type === "QA_FORUM");
  });
  return {
    ...(Object.fromEntries(facets) as Record<string, Case[]>),
    sources: [one("sources=ASSISTANT_B", { sources: ["ASSISTANT_B"] })],
    keyword_type: [
      one("keyword_type=Generic&thematics=", { keyword: ({ type }) => type !== "Brand" }),
      one("keyword_type=Brand&thematics=", { keyword: ({ type }) => type === "Brand" }),
    ],
    collect_id: [one(`collect_id=${first}`, { current: [1], previous: [] })],
    collect_ids: [one(`collect_ids=${first}&collect_ids=${second}`, { current: [1, 2], previous: [] })],
    prev_collect_id: [one(`collect_id=${first}&prev_collect_id=${second}`, { current: [1], previous: [2] })],
    prev_collect_ids: [one(`collect_id=${first}&prev_collect_ids=${second}`, { current: [1], previous: [2] })],
    competitor_types: [
      one("sources=SEARCH_A&competitor_types=QA_FORUM", {
        sources: ["SEARCH_A"],
        keyword: (keyword) => cited.some((asked) => asked.keyword === keyword),
      }),
    ],
  };
}

/** Request without the parameter; an empty value must give the same response. */
const WITHOUT: Record<string, string> = {
  "4.6": `${EVERY_KEYWORD}&sources=SEARCH_A&sources=ASSISTANT_A`,
  "4.7": "",
};

const figures = (body: { data: unknown; total_count?: unknown }) => {
  const { data, total_count } = body;
  return total_count === undefined ? { data } : { total_count, data };
};

/** Response without keyword ids, which the definitions do not know. */
async function answered(path: Path, query: string): Promise<unknown> {
  const { reader } = await metricsScene();
  const { status, body } = await reader.get(await addressOf(path, query));
  expect([query, status]).toEqual([query, 200]);
  return figures({ ...body, data: body.data.map(({ keyword_id: _id, ...row }: Row) => row) });
}

for (const [section, parameters] of Object.entries(PARAMETER_TABLES)) {
  const path = PATHS[section] ?? "top-brands";
  for (const { name, type, required } of parameters) {
    rule(`${section} · ${name}`, async () => {
      const s = await metricsScene();
      const declared = operationOf(s.reference, "GET", `/api/v1/${path}`).parameters?.find((one) => one.name === name);
      expect(declared).toMatchObject({ in: "query", required });
      const asTabled = isDescribed(s.reference, declared?.schema ?? {}, type);
      expect([asTabled, declared?.schema]).toEqual([true, declared?.schema]);
      if (name.endsWith("client_id") || name === "project_id") return holdsScope(path, name);
      const cases = (path === "top-brands" ? topCases(s) : keywordCases(s))[name] ?? [];
      expect(cases.length).toBeGreaterThan(0);
      for (const [query, expected] of cases) expect([query, await answered(path, query)]).toEqual([query, expected]);
      const usual = WITHOUT[section] ?? "";
      if (required) return holdsRequired(path, usual, name);
      expect(await answered(path, `${usual}&${name}=`)).toEqual(await answered(path, usual));
    });
  }
  rule(`${section} · address`, async () => {
    const s = await metricsScene();
    expect(operationOf(s.reference, "GET", `/api/v1/${path}`).security).toEqual([{ bearer: [] }]);
    const address = await addressOf(path, WITHOUT[section] ?? "");
    expect((await s.w.request("GET", address)).status).toBe(401);
    expect((await s.reader.get(address)).status).toBe(200);
  });
  rule(`${section} · response`, async () => {
    const s = await metricsScene();
    const schema = answerSchema(s.reference, operationOf(s.reference, "GET", `/api/v1/${path}`), 200);
    const needed = path === "top-brands" ? ["total_count", "data"] : ["data"];
    expect(schema["required"]).toEqual(expect.arrayContaining(needed));
    const described = schemaFields(s.reference, schema);
    expect(described["data"]).toMatchObject({ type: "array" });
    if (path === "top-brands") expect(described["total_count"]).toMatchObject({ type: "integer" });
    const { body } = await s.reader.get(await addressOf(path, WITHOUT[section] ?? ""));
    expect(body.data.length).toBeGreaterThan(0);
    if (path === "top-brands") expect(body.total_count).toBe(body.data.length);
  });
}

/** Without the id, the request is rejected by name; a foreign id gives nothing. */
async function holdsScope(path: Path, name: string): Promise<void> {
  const { reader, scope } = await metricsScene();
  const query = new URLSearchParams(`${scope}&${WITHOUT[path === "top-brands" ? "4.7" : "4.6"] ?? ""}`);
  query.set(name, crypto.randomUUID());
  expect(await reader.get(`/api/v1/${path}?${query.toString()}`)).toMatchObject({ status: 404 });
  query.delete(name);
  const { status, body } = await reader.get(`/api/v1/${path}?${query.toString()}`);
  expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"]);
}

async function holdsRequired(path: Path, usual: string, name: string): Promise<void> {
  const query = new URLSearchParams(usual);
  query.delete(name);
  const { reader } = await metricsScene();
  const { status, body } = await reader.get(await addressOf(path, query.toString()));
  expect([status, body.fields?.map((field: { path: string }) => field.path)]).toEqual([400, [name]]);
}
