import { expect, test } from "vitest";
import type { Source } from "../../core/sources/sources.ts";
import { simulatedScene, type ExpectedAnswer, type SimulatedScene } from "./simulated-scene.ts";
import { world } from "../support/world.ts";

type Cited = ExpectedAnswer["truth"]["citations"][number];

/** Expected citations of a collect by definition: answers per cited thing, most first. */
function expected(
  { asked, brands }: SimulatedScene,
  select: { collect: number; sources?: Source[]; keep?: (citation: Cited) => boolean; by: "domain" | "url" },
) {
  const chosen = asked.filter(({ collect, source }) => {
    return collect === select.collect && (select.sources === undefined || select.sources.includes(source));
  });
  const citing = chosen.filter(({ truth }) => truth.citations.length > 0).length;
  const keys = new Map<string, { first: Cited; answers: Set<ExpectedAnswer>; citations: number }>();
  for (const one of chosen) {
    for (const citation of one.truth.citations.filter(select.keep ?? (() => true))) {
      const row = keys.get(citation[select.by]) ?? { first: citation, answers: new Set(), citations: 0 };
      row.answers.add(one);
      row.citations += 1;
      keys.set(citation[select.by], row);
    }
  }
  const data = [...keys.values()].map(({ first, answers, citations }) => ({
    domain: first.domain,
    url: select.by === "url" ? first.url : null,
    competitor_type: first.competitor_type,
    brand_id: first.brand_id,
    brand: brands.find(({ id }) => id === first.brand_id)?.name ?? null,
    answers: answers.size,
    citations,
    share: Math.round((answers.size / citing) * 1e6) / 1e6,
  }));
  const order = (a: (typeof data)[number], b: (typeof data)[number]) =>
    b.answers - a.answers || b.citations - a.citations || (keyOf(a) < keyOf(b) ? -1 : 1);
  return { data: data.toSorted(order), citing_answers: citing };
}

const keyOf = ({ domain, url }: { domain: string; url: string | null }) => `${domain} ${url ?? ""}`;

test("cited sites and pages, their counts and shares are the truth of the simulated world, filters included", async () => {
  await using s = await simulatedScene();
  const [collection] = (await s.reader.get(`${s.workspace.path}/analyses`)).body.data;
  const path = `${s.workspace.path}/analyses/${collection.id}/metrics/citations`;
  const ask = async (query: string) => {
    const { status, body } = await s.reader.get(`${path}?limit=100&${query}`);
    expect([query, status]).toEqual([query, 200]);
    return { data: body.data, citing_answers: body.citing_answers };
  };
  const own = s.brands.find(({ name }) => name === "Kestrova")?.id ?? "";
  const latest = { collect: 2, by: "domain" as const };
  const assistants: Source[] = ["ASSISTANT_A", "ASSISTANT_B"];
  expect(await ask("")).toEqual(expected(s, latest));
  expect(await ask(`collect_id=${s.collectIds.first}`)).toEqual(expected(s, { ...latest, collect: 1 }));
  expect(await ask("sources=ASSISTANT_A&sources=ASSISTANT_B")).toEqual(expected(s, { ...latest, sources: assistants }));
  expect(await ask(`by=page&brand_id=${own}`)).toEqual(
    expected(s, { collect: 2, by: "url", keep: ({ brand_id }) => brand_id === own }),
  );
  expect(await ask("by=page&domain=labreviews.example&sources=SEARCH_A")).toEqual(
    expected(s, {
      collect: 2,
      by: "url",
      sources: ["SEARCH_A"],
      keep: ({ domain }) => domain === "labreviews.example",
    }),
  );
  expect(await ask("competitor_types=QA_FORUM&competitor_types=NEWS_MEDIA")).toEqual(
    expected(s, {
      ...latest,
      keep: ({ competitor_type }) => ["QA_FORUM", "NEWS_MEDIA"].includes(competitor_type),
    }),
  );
});

test("pages of citations have no gaps or duplicates, and state their basis", async () => {
  await using s = await simulatedScene();
  const [collection] = (await s.reader.get(`${s.workspace.path}/analyses`)).body.data;
  const path = `${s.workspace.path}/analyses/${collection.id}/metrics/citations?by=page&limit=7`;
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
  expect(rows).toEqual(expected(s, { collect: 2, by: "url" }).data);
  expect(rows.length).toBeGreaterThan(21);
});

test("returns 404 for a foreign analysis, and rejects an unknown collect by name", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const nothing = `${workspace.path}/analyses/${crypto.randomUUID()}/metrics/citations`;
  expect(await owner.get(nothing)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  await using s = await simulatedScene();
  const [collection] = (await s.reader.get(`${s.workspace.path}/analyses`)).body.data;
  const path = `${s.workspace.path}/analyses/${collection.id}/metrics/citations`;
  expect(await s.reader.get(`${path}?collect_id=${crypto.randomUUID()}`)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "collect_id" }] },
  });
});
