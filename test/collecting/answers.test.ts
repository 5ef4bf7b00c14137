import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { insertScene } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { collectScene } from "./scene.ts";

async function scene() {
  const s = await collectScene();
  const analysis = await s.create(["best phone"], { sources: [] });
  const send = async (...rows: object[]) =>
    (
      await s.owner.request("POST", `${analysis}/answers/import`, {
        body: rows.map((row) => JSON.stringify({ keyword: "best phone", source: "ASSISTANT_A", ...row })).join("\n"),
        headers: { "content-type": "application/x-ndjson" },
      })
    ).body.collect_id as string;
  const list = async (query = "") => (await s.owner.get(`${analysis}/answers${query}`)).body;
  return { ...s, analysis, send, list, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

test("an answer has text, mentions with offsets, ranks, citations and origin", async () => {
  await using s = await scene();
  const text = "1. **Rival** – cheap\n2. **Acme** – good; Acme again";
  const sent = {
    text,
    citations: [
      { url: "https://en.wikipedia.org/wiki/Phone", title: "Phone" },
      { url: "https://www.acme.test/phones" },
    ],
    model: "m-1",
    collected_at: "2026-11-01T08:00:00Z",
  };
  const collectId = await s.send(sent);
  const [summary] = (await s.list()).data;
  const { status, body } = await s.owner.get(`${s.analysis}/answers/${summary.id}`);
  const brands = (await s.owner.get(`${s.workspace.path}/brands`)).body.data as { id: string; name: string }[];
  const [acme, rival] = brands.map((brand) => brand.id);
  expect(status).toBe(200);
  const shared = {
    id: summary.id,
    analysis_id: s.analysis.split("/").at(-1),
    collect_id: collectId,
    collect_number: 1,
    keyword_id: summary.keyword_id,
    prompt: "best phone",
    source: "ASSISTANT_A",
    run: 1,
    shown: true,
    unread_reason: null,
    informative: true,
    provider: "import",
    model: "m-1",
    locale: "en-US",
    collection_method: "import",
    cost: { credits: 0, usd: null },
    collected_at: "2026-11-01T08:00:00.000Z",
  };
  expect(summary).toEqual({ ...shared, excerpt: text, length: text.length });
  expect(body).toEqual({
    ...shared,
    text,
    awareness: null,
    perception: null,
    claims: [],
    mentions: [
      { brand_id: rival, brand: "Rival", alias: "Rival", start: 5, end: 10 },
      { brand_id: acme, brand: "Acme", alias: "Acme", start: 26, end: 30 },
      { brand_id: acme, brand: "Acme", alias: "Acme", start: 41, end: 45 },
    ],
    places: [
      { brand_id: rival, brand: "Rival", rank: 1, brand_rank: 1, mentions: 1, url: null },
      { brand_id: acme, brand: "Acme", rank: 2, brand_rank: 2, mentions: 2, url: "https://www.acme.test/phones" },
    ],
    citations: [
      {
        position: 1,
        url: "https://en.wikipedia.org/wiki/Phone",
        title: "Phone",
        domain: "wikipedia.org",
        competitor_type: "WIKI_ENCYCLOPEDIA",
        brand_id: null,
      },
      {
        position: 2,
        url: "https://www.acme.test/phones",
        title: null,
        domain: "acme.test",
        competitor_type: "BRANDED_WEBSITE",
        brand_id: acme,
      },
    ],
    retrieved: [],
    queries: [],
    results: [],
    refused: false,
    products: [],
    raw: JSON.stringify({ keyword: "best phone", source: "ASSISTANT_A", ...sent }),
  });
});

test("attack: text with bidirectional characters is shown without them, and spans still match", async () => {
  await using s = await scene();
  await s.send({ text: "Good \u202Eenohp\u202C: \u0007Acme and \u2066Rival\u2069." });
  const [{ id, excerpt }] = (await s.list()).data;
  const { body } = await s.owner.get(`${s.analysis}/answers/${id}`);
  expect([excerpt, body.text]).toEqual(["Good enohp: Acme and Rival.", "Good enohp: Acme and Rival."]);
  const named = body.mentions.map(({ start, end }: { start: number; end: number }) => body.text.slice(start, end));
  expect(named).toEqual(["Acme", "Rival"]);
});

test("a result page is extracted by rows, and mentions point into the displayed text", async () => {
  await using s = await scene();
  await s.send({
    source: "SEARCH_A",
    results: [
      { rank: 2, url: "https://acme.test/x", title: "Acme phones", snippet: "All of them" },
      { rank: 1, url: "https://shop.example.com/", title: "Shop" },
    ],
  });
  const [{ id }] = (await s.list()).data;
  const { body } = await s.owner.get(`${s.analysis}/answers/${id}`);
  expect(body.text).toBe("Shop\n\n\nAcme phones\nAll of them");
  expect(body.mentions.map(({ start, end }: { start: number; end: number }) => body.text.slice(start, end))).toEqual([
    "Acme",
  ]);
  expect(body.places).toMatchObject([{ brand: "Acme", rank: 2, mentions: 1, url: "https://acme.test/x" }]);
  expect(body.results).toEqual([
    { rank: 2, url: "https://acme.test/x", title: "Acme phones", snippet: "All of them" },
    { rank: 1, url: "https://shop.example.com/", title: "Shop", snippet: null },
  ]);
});

test("filters answers by collect, keyword, source, brand and missing brand, and pages within a filter", async () => {
  await using s = await scene();
  const first = await s.send({ text: "Acme" }, { text: "Rival", source: "ASSISTANT_B" }, { text: "-", run: 2 });
  const second = await s.send({ text: "Acme", keyword: "cheap phone" }, { text: "Acme and Rival" });
  const texts = async (query: string) => (await s.list(query)).data.map((row: { excerpt: string }) => row.excerpt);
  const { data: keywords } = (await s.owner.get(`${s.analysis}/keywords`)).body;
  expect(await texts("")).toEqual(["Acme and Rival", "Acme", "-", "Rival", "Acme"]);
  expect(await texts(`?collect_id=${first}`)).toEqual(["-", "Rival", "Acme"]);
  expect(await texts("?collect_id=1")).toEqual(["-", "Rival", "Acme"]);
  expect(await texts("?collect_id=latest")).toEqual(["Acme and Rival", "Acme"]);
  expect(await texts("?collect_id=all")).toHaveLength(5);
  expect((await s.list("?collect_id=3")).fields).toMatchObject([{ path: "collect_id", allowed_count: 4 }]);
  expect(await texts(`?keyword_id=${keywords[1].id}`)).toEqual(["Acme"]);
  expect(await texts("?sources=ASSISTANT_B&sources=SEARCH_A")).toEqual(["Rival"]);
  expect(await texts(`?brand_id=${s.brandId}`)).toEqual(["Acme and Rival", "Acme", "Acme"]);
  expect(await texts(`?absent_brand_id=${s.brandId}&collect_id=${first}`)).toEqual(["-", "Rival"]);
  expect(await texts("?informative=false")).toEqual(["-"]);
  expect(await texts(`?collect_id=${second}&brand_id=${s.brandId}&informative=true`)).toEqual([
    "Acme and Rival",
    "Acme",
  ]);

  const page = await s.list("?limit=2&informative=true");
  expect(page).toMatchObject({ data: { length: 2 }, total_count: 4 });
  const next = await s.list(`?limit=2&informative=true&cursor=${page.next_cursor}`);
  expect(next).toMatchObject({ data: [{ excerpt: "Rival" }, { excerpt: "Acme" }], next_cursor: null, total_count: 4 });
  expect(await s.owner.get(`${s.analysis}/answers?limit=2&cursor=${page.next_cursor}`)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "cursor" }] },
  });
  expect(await s.owner.get(`${s.analysis}/answers?sources=ASSISTANT_Z`)).toMatchObject({ status: 400 });
});

test("finds answers and prompts by a cited site or page, and answers that name rivals alone", async () => {
  await using s = await scene();
  for (const name of ["Bravo", "Delta"])
    await s.owner.post(`${s.workspace.path}/brands`, { name, domains: [], relationship: "competitor" });
  const page = "https://www.reddit.com/r/phones/1/?utm_source=chatgpt.com";
  await s.send({ text: "Bravo and Delta", keyword: "old phone", citations: [{ url: page }] });
  await s.send(
    { text: "Rival and Bravo", citations: [{ url: page }, { url: "https://lab.example/a" }] },
    { text: "Rival, Bravo and Acme", run: 2, citations: [{ url: "https://old.reddit.com/r/phones/1" }] },
    { text: "Rival", run: 3, citations: [{ url: "https://lab.example/a?id=2" }], retrieved: [{ url: page }] },
    { text: "Rival, Bravo and Delta", keyword: "cheap phone" },
    { text: "None", keyword: "new phone", citations: [{ url: "http://reddit.com/r/phones/1" }] },
  );
  const texts = async (query: string) => {
    const { data, total_count } = await s.list(`?collect_id=latest&sort_direction=asc&${query}`);
    expect([query, total_count]).toEqual([query, data.length]);
    return data.map((row: { excerpt: string }) => row.excerpt);
  };
  const prompts = async (query: string) =>
    (await s.owner.get(`${s.analysis}/keywords?${query}`)).body.data.map((row: { text: string }) => row.text);
  const address = encodeURIComponent("reddit.com/r/phones/1");
  expect(await texts("domain=reddit.com")).toEqual(["Rival and Bravo", "Rival, Bravo and Acme", "None"]);
  expect(await texts("domain=www.Reddit.com&informative=true")).toEqual(["Rival and Bravo", "Rival, Bravo and Acme"]);
  expect(await texts(`url=${encodeURIComponent(page)}`)).toEqual(["Rival and Bravo", "None"]);
  expect(await texts(`url=https://${address}/`)).toEqual(["Rival and Bravo", "None"]);
  expect(await texts(`url=${address}&domain=lab.example`)).toEqual([]);
  expect(await texts("url=https://lab.example/a")).toEqual(["Rival and Bravo"]);
  expect(await texts("rivals_at_least=2")).toEqual(["Rival and Bravo", "Rival, Bravo and Delta"]);
  expect(await texts("rivals_at_least=3")).toEqual(["Rival, Bravo and Delta"]);
  expect(await texts("rivals_at_least=1&domain=lab.example")).toEqual(["Rival and Bravo", "Rival"]);
  expect(await prompts("domain=reddit.com")).toEqual(["best phone", "new phone"]);
  expect(await prompts(`url=https://${address}`)).toEqual(["best phone", "new phone"]);
  expect(await prompts("domain=nowhere.example")).toEqual([]);
});

test("fault: an overview that was not shown is no answer without a brand", async () => {
  await using s = await scene();
  await s.send({ text: "Rival" }, { text: "None", run: 2 }, { text: "Acme", run: 3 }, { text: "-", run: 4 });
  await s.store.write((db) => db.q.update(db.t.answers).set({ isShown: false }).where(eq(db.t.answers.run, 4)));
  const list = async (query: string) => {
    const { data, total_count: total } = await s.list(`?sort_direction=asc&${query}`);
    return [total, ...data.map(({ shown, excerpt }: Record<string, unknown>) => (shown ? excerpt : "not shown"))];
  };
  expect(await list("")).toEqual([4, "Rival", "None", "Acme", "not shown"]);
  expect(await list(`absent_brand_id=${s.brandId}`)).toEqual([2, "Rival", "None"]);
  expect(await list(`absent_brand_id=${s.brandId}&rivals_at_least=1`)).toEqual([1, "Rival"]);
});

test("the tool lists answers of the latest collect by default, newest first, with the total", async () => {
  // Fault: an assistant received answers of the oldest collect.
  await using s = await scene();
  await s.send({ text: "Old" });
  await s.send({ text: "Acme" }, { text: "Acme and Rival", run: 2 }, { text: "Rival", run: 3 });
  const { token } = await mintToolToken(s, s.owner);
  const [organization_id, workspace_id, analysis_id] = s.analysis.match(/[0-9a-f-]{36}/g) ?? [];
  const ids = { organization_id, workspace_id, analysis_id };
  for (const connect of Object.values(CLIENTS)) {
    await using client = await connect(s.config.mcpUrl, { token });
    const told = async (given: object) => {
      const { structured } = await client.call("list_answers", { ...ids, ...given });
      return [structured.total_count, ...structured.data.map((row: { excerpt: string }) => row.excerpt)];
    };
    expect(await told({})).toEqual([3, "Rival", "Acme and Rival", "Acme"]);
    expect(await told({ limit: 1 })).toEqual([3, "Rival"]);
    expect(await told({ brand_id: "acme", absent_brand_id: "RIVAL" })).toEqual([1, "Acme"]);
    expect(await told({ keyword_id: "Best Phone", collect_id: "1" })).toEqual([1, "Old"]);
    expect(await told({ collect_id: "all" })).toEqual([4, "Rival", "Acme and Rival", "Acme", "Old"]);
  }
});

test("another workspace's analysis and answers do not exist", async () => {
  await using s = await scene();
  await s.send({ text: "Acme" });
  const [{ id }] = (await s.list()).data;
  const rival = await s.insertTenant("Rival");
  const mallory = await s.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const analysisId = s.analysis.split("/").at(-1);
  const path = `${rival.workspace.path}/analyses/${analysisId}/answers`;
  expect(await mallory.get(path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await mallory.get(`${path}/${id}`)).toMatchObject({ status: 404 });
  expect(await mallory.post(`${path}/import`, "{}")).toMatchObject({ status: 404 });
});

const id = (kind: string, nth: number) => `01900000-${kind}-7000-8000-${String(nth).padStart(12, "0")}`;

test("a page searches a bounded number of answers, reports when its total is a minimum, and paging finds each once", async () => {
  // Attack: searching all answers of a large analysis at once, blocking everything else.
  await using w = await world();
  const { organization, workspace, owner } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const [project, common, rare] = [id("a000", 1), id("b000", 1), id("b000", 2)];
  const named = new Set([10_400, 500, 499, 3]);
  await w.store.write((db) =>
    insertScene(db, ids, {
      projectId: project,
      ownBrandId: common,
      brands: [
        { id: common, name: "Common" },
        { id: rare, name: "Rare" },
      ],
      facets: [
        { id: id("f000", 1), kind: "thematic", name: "All" },
        { id: id("f000", 2), kind: "topic", name: "All" },
      ],
      keywords: [{ id: id("c000", 1), text: "phone", thematicId: id("f000", 1), topicId: id("f000", 2) }],
      collects: [
        {
          id: id("d000", 1),
          number: 1,
          answers: Array.from({ length: 10_500 }, (_, nth) => ({
            id: id("e000", nth),
            keyword: id("c000", 1),
            source: "ASSISTANT_A" as const,
            run: nth + 1,
            places: [{ brand_id: named.has(nth) ? rare : common, rank: 1 }],
          })),
        },
      ],
    }),
  );
  const path = `${workspace.path}/analyses/${project}/answers`;
  const pages = async (query: string) => {
    const found: unknown[] = [];
    for (let cursor = ""; ;) {
      const { body } = await owner.get(`${path}?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const nths = body.data.map((row: { id: string }) => Number(row.id.slice(-12)));
      found.push([nths, body.total_count, body.total_is_exact]);
      if (body.next_cursor === null) return found;
      cursor = body.next_cursor;
    }
  };
  const collect = `collect_id=${id("d000", 1)}`;
  const without = `absent_brand_id=${common}`;
  for (const narrowed of ["", `${collect}&`, `keyword_id=${id("c000", 1)}&`, "countries=US&"]) {
    expect([narrowed, await pages(`${narrowed}${without}&limit=5`)]).toEqual([
      narrowed,
      [
        [[10_400, 500], 2, false],
        [[499, 3], 2, false],
      ],
    ]);
    expect([narrowed, await pages(`${narrowed}${without}&sort_direction=asc&limit=2`)]).toEqual([
      narrowed,
      [
        [[3, 499], 3, false],
        [[500, 10_400], 3, false],
      ],
    ]);
  }
  expect(await pages(`brand_id=${rare}&${without}&limit=3`)).toEqual([
    [[10_400, 500, 499], 4, true],
    [[3], 4, true],
  ]);
  expect(await pages(`informative=false`)).toEqual([[[], 0, true]]);
  for (const all of ["", collect]) {
    const { body } = await owner.get(`${path}?${all}`);
    expect([body.data.length, body.total_count, body.total_is_exact]).toEqual([25, 10_500, true]);
  }
  const browser = await signedInBrowser(w, owner.email);
  const shown = async (query: string) => {
    const { text } = await browser.get(
      `${w.config.baseUrl}/answers/${organization.id}/${workspace.id}?collect=all&${query}`,
    );
    const [, title] = /<h2 id="listed">([^<]*)</.exec(text) ?? [];
    return [
      title,
      /([\d,+]+ answers) · all runs/.exec(shownText(text))?.[1],
      /<div class="empty"><p>([^<]*)</.exec(text)?.[1],
    ];
  };
  expect(await shown("")).toEqual(["10,500 answers", "10,500 answers", undefined]);
  expect(await shown(`lacks=${common}`)).toEqual(["2+ answers", "2+ answers", undefined]);
  const none = "No match so far. Select Next to search further.";
  expect(await shown(`names=${common}&lacks=${common}`)).toEqual(["0+ answers", "0+ answers", none]);
});
