import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLIENTS } from "../tool-client.ts";
import { mintToolToken } from "../tool-token.ts";
import { catalogScene, recordedLines, UNKNOWN } from "./scene.ts";
import { committed } from "../committed.ts";

/** Two collects that name a brand which the catalog lacks, searched for names. */
async function suggesting() {
  const s = await catalogScene();
  await s.import(recordedLines(160));
  await s.import(recordedLines(160, 1));
  const path = `${s.workspace.path}/brand-suggestions`;
  const list = async (query = "") => (await s.owner.get(`${path}?${query}`)).body.data;
  await searched(s);
  const [found] = await list("status=open");
  return {
    ...s,
    path,
    list,
    found,
    one: `${path}/${found?.id}`,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

async function searched({ store }: Awaited<ReturnType<typeof catalogScene>>) {
  const { q, t } = committed(store);
  for (let waited = 0; waited < 20_000; waited += 10) {
    const jobs = await q
      .select({ kind: t.backgroundJobs.kind, status: t.backgroundJobs.status })
      .from(t.backgroundJobs);
    const searches = jobs.filter(({ kind }) => kind === "suggest_brands" || kind === "reread_answers");
    if (searches.every(({ status }) => status === "succeeded")) return;
    await sleep(10);
  }
  throw new Error("the answers were not searched for names in 20 s");
}

test("a name that no brand has is suggested once, with a true count, and alike by REST and by tool", async () => {
  await using s = await suggesting();
  expect(s.found).toEqual({
    id: expect.any(String),
    text: UNKNOWN,
    occurrences: 240,
    confidence: expect.any(Number),
    signals: [
      "list_item",
      "table_row",
      "cited_domain",
      "ranked_beside_known_brands",
      "several_answers",
      "several_sources",
    ],
    status: "open",
    brand_id: null,
    examples: Array.from({ length: 3 }, () => ({ analysis_id: s.projectId, answer_id: expect.any(String) })),
    first_seen_at: expect.any(String),
    last_seen_at: expect.any(String),
  });
  expect(s.found.confidence).toBeGreaterThan(0.9);
  expect(await s.list()).toEqual([s.found]);
  expect(await s.list(`text=${UNKNOWN.slice(0, 4).toUpperCase()}&sort=confidence`)).toEqual([s.found]);
  expect([await s.list("text=acme"), await s.list("status=dismissed")]).toEqual([[], []]);
  const [example] = s.found.examples;
  const answer = await s.owner.get(`${s.analysis}/answers/${example.answer_id}`);
  expect(`${answer.body.text}`).toContain(UNKNOWN);

  const { token } = await mintToolToken(s, s.owner);
  const connect = CLIENTS["SDK 2, auto"];
  if (!connect) throw new Error("no such client");
  await using client = await connect(s.config.mcpUrl, { token });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  const byTool = await client.call("list_brand_suggestions", { ...ids, status: "open" });
  expect([s.found]).toMatchObject(byTool.structured.data);
});

test("searching the same answers again counts nothing twice", async () => {
  await using s = await suggesting();
  const made = await s.owner.post(s.brands, { name: "Nobody Names This" });
  await s.reread();
  await s.owner.delete(`${s.brands}/${made.body.id}`);
  await s.reread();
  expect(await s.list()).toEqual([s.found]);
});

test("an accepted name is a brand that is in exactly the answers that were counted, and undone it is archived", async () => {
  await using s = await suggesting();
  const before = await s.top();
  const domains = [`${UNKNOWN.toLowerCase()}.test`];
  const accepted = await s.owner.post(`${s.one}/accept`, { relationship: "competitor", domains });
  expect(accepted).toMatchObject({
    status: 200,
    body: { ...s.found, status: "accepted", brand_id: expect.any(String) },
  });
  const brand = `${s.brands}/${accepted.body.brand_id}`;
  expect((await s.owner.get(brand)).body).toMatchObject({ name: UNKNOWN, relationship: "competitor", domains });
  await s.reread();
  const { q, t } = committed(s.store);
  const named = await q
    .selectDistinct({ answer: t.mentions.answerKey })
    .from(t.mentions)
    .innerJoin(t.brands, eq(t.brands.number, t.mentions.brandNumber))
    .where(eq(t.brands.id, accepted.body.brand_id));
  expect(named).toHaveLength(s.found.occurrences);
  expect((await s.top("rows_per_page=10")).map((row: { brand: string }) => row.brand)).toContain(UNKNOWN);
  expect(await s.list("status=accepted")).toEqual([accepted.body]);
  const withIt = await s.top();
  const twice = await s.owner.post(`${s.one}/accept`, {});
  expect(twice).toMatchObject({ status: 422, body: { code: "UNPROCESSABLE" } });

  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200, body: s.found });
  await s.reread();
  expect((await s.owner.get(brand)).status).toBe(404);
  expect(await s.list()).toEqual([s.found]);
  // It is still read: where tracked brands are counted in the order of a text, the others keep the ranks that they had with it.
  const after = await s.top();
  expect(after).toEqual(withIt.filter((row: { brand: string }) => row.brand !== UNKNOWN));
  expect(after.map(countsOf).toSorted()).toEqual(before.map(countsOf).toSorted());
  const again = await s.owner.post(`${s.one}/accept`, { relationship: "competitor", domains });
  expect(again.body).toMatchObject({ status: "accepted", brand_id: accepted.body.brand_id });
});

function countsOf(row: Record<string, unknown>): string {
  const { brand, total, occurrences, presence_rate: presence, total_mentions: mentions, nb_keywords: keywords } = row;
  return JSON.stringify({ brand, total, occurrences, presence, mentions, keywords });
}

function occurrencesOfRival(rows: { brand: string; occurrences: number }[]): number {
  return rows.find(({ brand }) => brand === "Rival")?.occurrences ?? 0;
}

test("a merge moves the figures of a brand, and its undoing brings back exactly those from before", async () => {
  await using s = await suggesting();
  const rival = (await s.owner.get(`${s.brands}?text=rival`)).body.data[0];
  const [before, topBefore] = [await s.figures(), await s.top()];
  const merged = await s.owner.post(`${s.one}/merge`, { brand_id: rival.id });
  expect(merged).toMatchObject({ status: 200, body: { ...s.found, status: "merged", brand_id: rival.id } });
  expect((await s.owner.get(`${s.brands}/${rival.id}`)).body.aliases).toEqual([
    { text: UNKNOWN, case_sensitive: false },
  ]);
  const state = await s.reread();
  expect(state).toMatchObject({ answers_done: 320, answers_total: 320 });
  expect(occurrencesOfRival(await s.top())).toBeGreaterThan(occurrencesOfRival(topBefore));
  expect(await s.list("status=open")).toEqual([]);

  const more = await s.owner.patch(`${s.brands}/${rival.id}`, {
    aliases: [{ text: UNKNOWN }, { text: "Another Spelling" }],
  });
  expect(more.status).toBe(200);
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200, body: s.found });
  expect((await s.owner.get(`${s.brands}/${rival.id}`)).body.aliases).toEqual([
    { text: "Another Spelling", case_sensitive: false },
  ]);
  await s.reread();
  expect(await s.figures()).toEqual(before);
  expect(await s.top()).toEqual(topBefore);
  expect(await s.list()).toEqual([s.found]);
});

test("a dismissed name stays dismissed when later collects name it, and opens again when that is undone", async () => {
  await using s = await suggesting();
  expect(await s.owner.post(`${s.one}/dismiss`)).toMatchObject({ status: 200, body: { status: "dismissed" } });
  await s.import(recordedLines(160));
  await searched(s);
  expect(await s.list("status=open")).toEqual([]);
  const [still] = await s.list("status=dismissed");
  expect(still).toMatchObject({ id: s.found.id, occurrences: 360 });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200, body: { status: "open" } });
  expect(await s.list("status=open")).toEqual([{ ...still, status: "open" }]);
});

test("every transition that makes no sense is 422, and what is not there or not ours is 404", async () => {
  await using s = await suggesting();
  const wrong = { status: 422, body: { code: "UNPROCESSABLE" } };
  const missing = { status: 404, body: { code: "NOT_FOUND" } };
  const merge = { brand_id: s.brandId };
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject(wrong);
  await s.owner.post(`${s.one}/dismiss`);
  expect(await s.owner.post(`${s.one}/dismiss`)).toMatchObject(wrong);
  expect(await s.owner.post(`${s.one}/accept`, {})).toMatchObject(wrong);
  expect(await s.owner.post(`${s.one}/merge`, merge)).toMatchObject(wrong);
  await s.owner.post(`${s.one}/undo`);
  expect(await s.owner.post(`${s.one}/merge`, { brand_id: s.workspace.id })).toMatchObject(missing);
  for (const action of ["accept", "merge", "dismiss", "undo"]) {
    const body = action === "merge" ? merge : {};
    expect(await s.owner.post(`${s.path}/${s.workspace.id}/${action}`, body)).toMatchObject(missing);
  }
  const rival = await s.insertTenant("Elsewhere");
  const stranger = await s.signIn("stranger@elsewhere.test", { organizationId: rival.organization.id, role: "owner" });
  // Another organization's workspace with the id of this one's suggestion: the suggestion must not be found there.
  const theirs = `${rival.workspace.path}/brand-suggestions`;
  expect(await stranger.post(`${theirs}/${s.found.id}/dismiss`)).toMatchObject(missing);
  expect((await stranger.get(theirs)).body.data).toEqual([]);
  expect(await s.list("status=open")).toEqual([s.found]);
});

test("accepting is refused where a brand got the name meanwhile, and undoing where it is the own brand of an analysis", async () => {
  await using s = await suggesting();
  const conflict = { status: 409, body: { code: "CONFLICT" } };
  const made = await s.owner.post(s.brands, { name: "Other", aliases: [{ text: UNKNOWN }] });
  expect(await s.owner.post(`${s.one}/accept`, {})).toMatchObject(conflict);
  expect(await s.owner.post(`${s.one}/merge`, { brand_id: s.brandId })).toMatchObject(conflict);
  expect(await s.owner.post(`${s.one}/merge`, { brand_id: made.body.id })).toMatchObject({ status: 200 });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200 });
  // The alias was there before the merge, so undoing leaves it.
  expect((await s.owner.get(`${s.brands}/${made.body.id}`)).body.aliases).toHaveLength(1);
  // An archived brand keeps its names.
  await s.owner.delete(`${s.brands}/${made.body.id}`);
  expect(await s.owner.post(`${s.one}/accept`, {})).toMatchObject(conflict);
  await s.owner.post(s.brands, { name: made.body.name });
  await s.reread();
  const accepted = await s.owner.post(`${s.one}/accept`, {});
  await s.create(["another phone"], { sources: [], brand_id: accepted.body.brand_id });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject(conflict);
  expect(await s.list("status=accepted")).toEqual([accepted.body]);
});

test("pages of suggestions that are equally frequent neither skip nor repeat one, by either order", async () => {
  await using s = await catalogScene();
  const names = ["Kalmo", "Orbitex", "Zenvora", "Tirello", "Quandry"];
  const listed = names.map((name) => `- **${name}** – It lasts long.`).join("\n");
  const lines = Array.from({ length: 3 }, (_, run) => ({ keyword: "best phone", source: "ASSISTANT_A", run: run + 1 }));
  await s.import(lines.map((line) => JSON.stringify({ ...line, text: listed })));
  await searched(s);
  const path = `${s.workspace.path}/brand-suggestions`;
  for (const sort of ["occurrences", "confidence"]) {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await s.owner.get(`${path}?sort=${sort}&limit=2${cursor}`);
      seen.push(...body.data.map(({ text }: { text: string }) => text));
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(seen.toSorted()).toEqual(names.toSorted());
  }
});
