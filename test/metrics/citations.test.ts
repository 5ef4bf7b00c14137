import { afterAll, beforeAll, expect, test } from "vitest";
import { detectCitedPageType } from "../../core/reading/cited-page-type.ts";
import { isResultPageSource, SOURCE_NAMES, type Source } from "../../core/sources/sources.ts";
import { simulatedScene, type ExpectedAnswer } from "./simulated-scene.ts";
import { world } from "../support/world.ts";

type Cited = ExpectedAnswer["truth"]["citations"][number];

interface Select {
  collects: number[];
  /** AI answers by default. */
  sources?: Source[];
  counts?: (answer: ExpectedAnswer) => boolean;
  keep?: (citation: Cited) => boolean;
  /** Null for rows without sites. */
  by: "domain" | "url" | null;
  /** Names of the part of an answer; undefined if it is in none. */
  part?: (answer: ExpectedAnswer) => Record<string, unknown> | undefined;
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;

const isCiting = ({ truth }: ExpectedAnswer) => truth.citations.length > 0;

/** Expected citations by definition: answers per cited thing and part, most first. */
function expected(select: Select) {
  const { asked, brands } = s;
  const { by, keep = () => true, counts = () => true } = select;
  const chosen = asked.filter((one) => {
    const isAsked = select.sources?.includes(one.source) ?? !isResultPageSource(one.source);
    return select.collects.includes(one.collect) && isAsked && counts(one);
  });
  const parts = new Map<string, ExpectedAnswer[]>();
  for (const one of chosen) {
    const part = select.part ? select.part(one) : {};
    if (part) parts.set(JSON.stringify(part), [...(parts.get(JSON.stringify(part)) ?? []), one]);
  }
  const data = [...parts].flatMap(([part, own]) => {
    const citing = own.filter(isCiting).length;
    const rows = new Map<string, { first: Cited; answers: Set<ExpectedAnswer>; positions: number[] }>();
    for (const one of own) {
      for (const [at, citation] of one.truth.citations.entries()) {
        if (!keep(citation)) continue;
        const key = by === null ? "" : citation[by];
        const row = rows.get(key) ?? { first: citation, answers: new Set(), positions: [] };
        row.answers.add(one);
        row.positions.push(at + 1);
        rows.set(key, row);
      }
    }
    return [...rows.values()].map(({ first, answers, positions }) => ({
      ...(by !== null && {
        domain: first.domain,
        url: by === "url" ? first.url : null,
        page_type: by === "url" ? detectCitedPageType(first.url, first.competitor_type) : null,
        competitor_type: first.competitor_type,
        brand_id: first.brand_id,
        brand: brands.find(({ id }) => id === first.brand_id)?.name ?? null,
      }),
      ...(JSON.parse(part) as object),
      answers: answers.size,
      citations: positions.length,
      ...(select.part && { citing_answers: citing }),
      share: round(answers.size / citing),
      position: round(positions.reduce((sum, one) => sum + one, 0) / positions.length),
      role: "cited",
    }));
  });
  const order = (a: (typeof data)[number], b: (typeof data)[number]) =>
    b.answers - a.answers || b.citations - a.citations || (keyOf(a) < keyOf(b) ? -1 : 1);
  return { data: data.toSorted(order), citing_answers: chosen.filter(isCiting).length };
}

const keyOf = ({ domain, url }: { domain?: string; url?: string | null }) => `${domain} ${url ?? ""}`;

/** The scene, its analysis and its answers to a query. */
async function citationScene() {
  const s = await simulatedScene();
  const path = `${s.workspace.path}/analyses/${s.analysisId}/metrics/citations`;
  const ask = async (query: string) => {
    const { status, body } = await s.reader.get(`${path}?limit=100&${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { data: body.data, citing_answers: body.citing_answers, basis: body.basis };
  };
  const list = async (query: string) => {
    const { basis: _, ...rows } = await ask(query);
    return rows;
  };
  return { ...s, path, ask, list };
}

type CitationScene = Awaited<ReturnType<typeof citationScene>>;
let s: CitationScene;
beforeAll(async () => {
  s = await citationScene();
});
afterAll(() => s.w[Symbol.asyncDispose]());

const ofSite = ({ domain }: Cited) => domain === "labreviews.example";
const bySource = ({ source }: ExpectedAnswer) => ({ source: SOURCE_NAMES[source] });
/** Rows of the latest run in the order of their text. */
const expectedRows = (select: Omit<Select, "collects"> & { collects?: number[] }) =>
  expected({ collects: [2], ...select }).data.toSorted(compareRows);

const LATEST = { collects: [2], by: "domain" as const };

test("cited sites and pages, their counts and shares are the truth of the simulated world, filters included", async () => {
  const own = s.brands.find(({ name }) => name === "Kestrova")?.id ?? "";
  const assistants: Source[] = ["ASSISTANT_A", "ASSISTANT_B"];
  expect(await s.list("")).toEqual(expected(LATEST));
  expect(await s.list(`collect_id=${s.collectIds.first}`)).toEqual(expected({ ...LATEST, collects: [1] }));
  expect(await s.list("sources=ASSISTANT_A&sources=ASSISTANT_B")).toEqual(expected({ ...LATEST, sources: assistants }));
  expect(await s.list("sources=SEARCH_A&sources=ASSISTANT_A")).toEqual(
    expected({ ...LATEST, sources: ["SEARCH_A", "ASSISTANT_A"] }),
  );
  expect(await s.list(`group_by=page&brand_id=${own}`)).toEqual(
    expected({ ...LATEST, by: "url", keep: ({ brand_id }) => brand_id === own }),
  );
  expect(await s.list("group_by=page&domain=www.labreviews.example&sources=SEARCH_A")).toEqual(
    expected({ ...LATEST, by: "url", sources: ["SEARCH_A"], keep: ofSite }),
  );
  expect(await s.list("competitor_types=QA_FORUM&competitor_types=NEWS_MEDIA")).toEqual(
    expected({ ...LATEST, keep: ({ competitor_type: type }) => ["QA_FORUM", "NEWS_MEDIA"].includes(type) }),
  );
  const page = s.asked.flatMap(({ truth }) => truth.citations.filter(ofSite)).at(0)?.url ?? "";
  expect(await s.list(`group_by=page&url=${encodeURIComponent(page)}?utm_source=x`)).toEqual(
    expected({ ...LATEST, by: "url", keep: ({ url }) => url === page }),
  );
});

test("parts of the answers have their own counts: sources, runs, topics, countries, prompts, and sites in them", async () => {
  const rows = async (query: string) => (await s.list(query)).data.map(withoutIds).toSorted(compareRows);
  expect(await rows("group_by=source")).toEqual(expectedRows({ by: null, part: bySource }));
  expect(await rows("group_by=source&domain=labreviews.example")).toEqual(
    expectedRows({ by: null, keep: ofSite, part: bySource }),
  );
  expect(await rows("group_by=page&group_by=source&domain=labreviews.example")).toEqual(
    expectedRows({ by: "url", keep: ofSite, part: bySource }),
  );
  expect(await rows("group_by=topic&group_by=country")).toEqual(
    expectedRows({ by: null, part: ({ keyword }) => ({ country: "US", topic: keyword.topic }) }),
  );
  expect(await rows("group_by=keyword&domain=labreviews.example")).toEqual(
    expectedRows({ by: null, keep: ofSite, part: ({ keyword }) => ({ keyword: keyword.text }) }),
  );
  expect(await rows("group_by=collect&group_by=domain&competitor_types=QA_FORUM")).toEqual(
    expectedRows({
      collects: [1, 2],
      by: "domain",
      keep: ({ competitor_type: type }) => type === "QA_FORUM",
      part: ({ collect }) => ({ collect }),
    }),
  );
  const { data: runs } = await s.list("group_by=collect");
  expect(runs.map(({ collect, collect_id }: Record<string, unknown>) => [collect, collect_id])).toEqual([
    [1, s.collectIds.first],
    [2, s.collectIds.second],
  ]);
});

const withoutIds = ({ keyword_id: _k, collect_id: _c, collected_to: _t, ...row }: Record<string, unknown>) => row;
const compareRows = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test("single citations are the truth, newest answer first, and page without gaps", async () => {
  const single = s.asked
    .filter(({ collect, source }) => collect === 2 && ["ASSISTANT_A", "SEARCH_B"].includes(source))
    .flatMap(({ truth: { citations }, source, keyword }) =>
      citations.map((one, at) => ({
        domain: one.domain,
        url: one.url,
        page_type: detectCitedPageType(one.url, one.competitor_type),
        competitor_type: one.competitor_type,
        brand_id: one.brand_id,
        brand: s.brands.find(({ id }) => id === one.brand_id)?.name ?? null,
        source: SOURCE_NAMES[source],
        collect: 2,
        country: "US",
        keyword: keyword.text,
        position: at + 1,
        role: "cited",
      })),
    );
  const rows: Record<string, unknown>[] = [];
  const query = "group_by=none&sources=ASSISTANT_A&sources=SEARCH_B&limit=7";
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await s.reader.get(`${s.path}?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect(body.total_count).toBe(single.length);
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  const shown = rows.map(({ answer_id: _a, collected_at: _at, ...row }) => withoutIds(row));
  expect(shown.toSorted(compareRows)).toEqual(single.toSorted(compareRows));
  const places = rows.map(({ answer_id, position }) => [answer_id, position] as [string, number]);
  expect(places).toEqual(places.toSorted(([a, at], [b, behind]) => (a === b ? at - behind : a < b ? 1 : -1)));
  const [first] = rows;
  const answerPath = `${s.workspace.path}/analyses/${s.analysisId}/answers`;
  const answer = await s.reader.get(`${answerPath}/${String(first?.["answer_id"])}`);
  expect(answer.body).toMatchObject({
    collected_at: first?.["collected_at"],
    keyword_id: first?.["keyword_id"],
    collect_id: first?.["collect_id"],
  });
  expect(await s.reader.get(`${s.path}?group_by=none&group_by=source`)).toMatchObject({
    status: 400,
    body: { fields: [{ path: "group_by", message: "none cannot be combined" }] },
  });
});

test("rivals without the own brand select answers, in each kind of row, and n is of this selection", async () => {
  const rivalIds = s.brands.filter(({ name, compared }) => compared && name !== "Kestrova").map(({ id }) => id);
  const counts = ({ truth: { brandRanks } }: ExpectedAnswer) => {
    const named = new Set(brandRanks.map(({ brand_id }) => brand_id));
    return !named.has(s.ownBrandId) && rivalIds.filter((id) => named.has(id)).length >= 1;
  };
  const { basis, ...rows } = await s.ask("rivals_at_least=1");
  expect(rows).toEqual(expected({ ...LATEST, counts }));
  expect(rows.data.length).toBeGreaterThan(2);
  const isCounted = (one: ExpectedAnswer) =>
    one.collect === 2 && one.shown && !isResultPageSource(one.source) && counts(one);
  expect(basis.answers).toBe(s.asked.filter(isCounted).length);
  const { data: single } = await s.list("rivals_at_least=1&group_by=none");
  const citations = s.asked.filter(isCounted).flatMap(({ truth }) => truth.citations);
  expect(single).toHaveLength(Math.min(100, citations.length));
  expect(await s.list("rivals_at_least=3")).toEqual({ data: [], citing_answers: 0 });
});

test("pages of citations have no gaps or duplicates, and state their basis", async () => {
  const path = `${s.path}?group_by=page&limit=7`;
  const rows: { domain: string; url: string }[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body } = await s.reader.get(cursor === "" ? path : `${path}&cursor=${cursor}`);
    expect(body.basis).toMatchObject({
      collects: [{ collect_id: s.collectIds.second, number: 2 }],
      collection_methods: ["simulated"],
    });
    rows.push(...body.data);
    cursor = body.next_cursor;
  }
  expect(rows).toEqual(expected({ ...LATEST, by: "url" }).data);
  expect(rows.length).toBeGreaterThan(21);
});

test("returns 404 for a foreign analysis, and rejects an unknown collect by name", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const nothing = `${workspace.path}/analyses/${crypto.randomUUID()}/metrics/citations`;
  expect(await owner.get(nothing)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await s.reader.get(`${s.path}?collect_id=${crypto.randomUUID()}`)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "collect_id" }] },
  });
});
