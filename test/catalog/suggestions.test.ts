import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { catalogScene, recordedLines, UNKNOWN } from "./scene.ts";
import { suggestionScene, searchNames } from "./suggestions-cases.ts";

test("a name that no brand has is suggested once, with a true count, and alike by REST and by tool", async () => {
  await using s = await suggestionScene();
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

function occurrencesOfRival(rows: { brand: string; occurrences: number }[]): number {
  return rows.find(({ brand }) => brand === "Rival")?.occurrences ?? 0;
}

test("a merge moves metrics to a brand, and undoing restores them exactly", async () => {
  await using s = await suggestionScene();
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
  await using s = await suggestionScene();
  expect(await s.owner.post(`${s.one}/dismiss`)).toMatchObject({ status: 200, body: { status: "dismissed" } });
  await s.import(recordedLines(160));
  await searchNames(s);
  expect(await s.list("status=open")).toEqual([]);
  const [still] = await s.list("status=dismissed");
  expect(still).toMatchObject({ id: s.found.id, occurrences: 360 });
  expect(await s.owner.post(`${s.one}/undo`)).toMatchObject({ status: 200, body: { status: "open" } });
  expect(await s.list("status=open")).toEqual([{ ...still, status: "open" }]);
});

test("returns 422 for invalid transitions, and 404 for missing or foreign suggestions", async () => {
  await using s = await suggestionScene();
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
  // Another organization's workspace with this suggestion's id must not find it.
  const theirs = `${rival.workspace.path}/brand-suggestions`;
  expect(await stranger.post(`${theirs}/${s.found.id}/dismiss`)).toMatchObject(missing);
  expect((await stranger.get(theirs)).body.data).toEqual([]);
  expect(await s.list("status=open")).toEqual([s.found]);
});

test("pages of equally frequent suggestions neither skip nor repeat one, in both orders", async () => {
  await using s = await catalogScene();
  const names = ["Kalmo", "Orbitex", "Zenvora", "Tirello", "Quandry"];
  const listed = names.map((name) => `- **${name}** – It lasts long.`).join("\n");
  const lines = Array.from({ length: 3 }, (_, run) => ({ keyword: "best phone", source: "ASSISTANT_A", run: run + 1 }));
  await s.import(lines.map((line) => JSON.stringify({ ...line, text: listed })));
  await searchNames(s);
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
