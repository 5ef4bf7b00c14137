import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { BOTH, importedScene, RIVAL_ALONE, type ImportedScene } from "./imported-scene.ts";
import { recount, cacheReads } from "./recount.ts";
import { visibleFields } from "../support/text-facts.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a row
type Row = any;

const REVIEW = "https://labreviews.example/lab/phones";

function answerFor(keyword: string): string {
  return keyword === "best phone" ? BOTH : RIVAL_ALONE;
}

async function scene() {
  const s = await importedScene();
  await s.collect({ text: answerFor, cites: [REVIEW] });
  const briefs = `${s.workspace.path}/content-briefs`;
  const keywords: Row[] = (await s.owner.get(`${s.analysis}/keywords`)).body.data;
  return { ...s, briefs, keywords, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

test("a content brief for a keyword gap has the evidence of stored answers, by REST and by tool", async () => {
  await using s = await scene();
  const persona = await s.owner.post(`${s.workspace.path}/personas`, {
    name: "Beginner",
    core_questions: ["Which phone lasts longest?"],
    motivations: ["Peace of mind"],
  });
  const chosen = s.keywords.slice(0, 2);
  const made = await s.owner.post(s.briefs, {
    analysis_id: s.analysisId,
    keyword_ids: chosen.map(({ id }) => id),
    persona_id: persona.body.id,
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      analysis_id: s.analysisId,
      result_id: null,
      collection_methods: ["import"],
      is_user_edited: false,
      target_prompt_count: 2,
      // The most searched first: "cheap phone" is searched for twice as often.
      target_prompts: [
        { keyword: "cheap phone", search_volume: 200, funnel_stage: "BoFu", answers: 4, occurrences: 0 },
        { keyword: "best phone", search_volume: 100, answers: 4, occurrences: 4 },
      ],
      audience: { persona_id: persona.body.id, name: "Beginner", motivations: ["Peace of mind"], pain_points: [] },
      questions: ["Which phone lasts longest?"],
      cited_sources: [
        { domain: "labreviews.example", url: REVIEW, citations: 8, sources: ["ASSISTANT_A", "ASSISTANT_B"] },
      ],
      entities: [
        { brand: "Rival", own: false, occurrences: 8, average_rank: 1.5 },
        { brand: "Acme", own: true, occurrences: 4, average_rank: 1 },
      ],
    },
  });
  expect(made.body.outline.map(({ heading }: Row) => heading)).toEqual([
    "The short answer",
    "cheap phone",
    "best phone",
    "How it compares",
    "Facts and sources",
  ]);
  const read = cacheReads((path) => s.owner.get(path));
  for (const row of made.body.evidence) {
    const again = await recount(read, s.analysis, s.brandId, row, s.keywords);
    expect(row).toEqual({ ...again, rank: null, brand_rank: null });
  }
  expect((await s.owner.get(`${s.briefs}/${made.body.id}`)).body).toEqual(made.body);
  const { token } = await mintToolToken(s, s.owner);
  const [connect] = Object.values(CLIENTS);
  await using client = await connect?.(s.config.mcpUrl, { token });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  const told = await client?.call("get_content_brief", { ...ids, content_brief_id: made.body.id });
  expect(made.body).toMatchObject(visibleFields(told));
  const listed = await client?.call("list_content_briefs", ids);
  expect((await s.owner.get(s.briefs)).body.data).toMatchObject(listed?.structured.data);
});

test("a content brief of an action carries the action's evidence, and an edit marks it", async () => {
  await using s = await scene();
  const [action] = await s.listed("&rule=keyword_without_presence");
  const made = await s.owner.post(s.briefs, { result_id: action.id, title: "Phones, plainly" });
  expect(made).toMatchObject({ status: 201, body: { result_id: action.id, title: "Phones, plainly" } });
  expect(made.body.evidence).toEqual((await s.whole(action.id)).evidence);
  expect(made.body.target_prompts.map(({ keyword }: Row) => keyword)).toEqual([
    "phone for children",
    "light phone",
    "phone for games",
    "phone for photos",
    "phone with long battery",
    "small phone",
    "cheap phone",
  ]);
  const path = `${s.briefs}/${made.body.id}`;
  expect((await s.owner.patch(path, { title: "Phones, plainly" })).body).toEqual(made.body);
  const outline = [{ heading: "One", points: ["Two"] }];
  const edited = await s.owner.patch(path, { outline });
  expect(edited.body).toEqual({ ...made.body, outline, is_user_edited: true, updated_at: edited.body.updated_at });
  expect((await s.owner.get(`${s.briefs}?result_id=${action.id}`)).body.data).toMatchObject([{ id: made.body.id }]);
  expect((await s.owner.get(`${s.briefs}?result_id=${s.deps.newId()}`)).body.data).toEqual([]);
  expect((await s.owner.delete(path)).body).toEqual({ id: made.body.id, deleted: true });
  expect((await s.owner.get(path)).status).toBe(404);
  expect((await s.owner.delete(path)).status).toBe(404);
});

test("rejects a content brief with a mixed, unknown or foreign origin, or above the quota", async () => {
  await using s = await scene();
  const [keyword] = s.keywords;
  const [action] = await s.listed();
  const analysis_id = s.analysisId;
  const wrong: [object, string][] = [
    [{}, "analysis_id"],
    [{ analysis_id }, "keyword_ids"],
    [{ analysis_id, keyword_ids: [keyword.id], topic: "All" }, "keyword_ids"],
    [{ analysis_id, keyword_ids: [s.deps.newId()] }, "keyword_ids"],
    [{ analysis_id, topic: "Nothing of the kind" }, "topic"],
    [{ result_id: action.id, topic: "All" }, "topic"],
    [{ result_id: action.id, persona_id: s.deps.newId() }, "persona_id"],
  ];
  for (const [body, path] of wrong) {
    const answer = await s.owner.post(s.briefs, body);
    expect([body, answer.status, answer.body.fields?.[0]?.path]).toEqual([body, 400, path]);
  }
  expect((await s.owner.post(s.briefs, { result_id: s.deps.newId() })).status).toBe(404);
  expect((await s.owner.post(s.briefs, { analysis_id: s.deps.newId(), topic: "All" })).status).toBe(404);
  // Attack: naming another organization's action and analysis in the own workspace.
  const rival = await s.insertTenant("Elsewhere");
  const mallory = await s.signIn("mallory@elsewhere.test", { organizationId: rival.organization.id, role: "owner" });
  const theirs = `${rival.workspace.path}/content-briefs`;
  expect((await mallory.post(theirs, { result_id: action.id })).status).toBe(404);
  expect((await mallory.post(theirs, { analysis_id, topic: "All" })).status).toBe(404);
  await s.store.write(async ({ q, t }) => {
    await q.update(t.organizations).set({ quotas: { content_briefs: 1 } });
  });
  expect((await s.owner.post(s.briefs, { analysis_id, topic: "All" })).status).toBe(201);
  expect(await s.owner.post(s.briefs, { analysis_id, topic: "All" })).toMatchObject({
    status: 409,
    body: { code: "QUOTA_EXCEEDED" },
  });
});

test("rejects a content brief before the first collect completes", async () => {
  await using s: ImportedScene = await importedScene();
  const body = { analysis_id: s.analysisId, topic: "All" };
  expect(await s.owner.post(`${s.workspace.path}/content-briefs`, body)).toMatchObject({
    status: 409,
    body: { code: "CONFLICT" },
  });
});

test("fault: a brief counted result pages; it counts AI answers, like the visibility of its prompt", async () => {
  await using s = await importedScene();
  const keyword = "best phone";
  const collected_at = "2026-11-21T07:00:00.000Z";
  const assistants = ["ASSISTANT_A", "ASSISTANT_B"].flatMap((source) =>
    [BOTH, RIVAL_ALONE].map((text, at) => ({ keyword, source, run: at + 1, text, collected_at })),
  );
  const results = [{ rank: 1, title: "Acme", url: "https://acme.test/phones", snippet: "" }];
  const page = { keyword, source: "SEARCH_A", run: 1, text: "", results, collected_at };
  const imported = await s.owner.request("POST", `${s.analysis}/answers/import`, {
    body: [...assistants, page].map((line) => JSON.stringify(line)).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  expect(imported.status).toBe(201);
  await s.settled();
  const [{ id }] = (await s.owner.get(`${s.analysis}/keywords`)).body.data;
  const { body } = await s.owner.post(`${s.workspace.path}/content-briefs`, {
    analysis_id: s.analysisId,
    keyword_ids: [id],
  });
  const [row] = (await s.owner.get(`${s.analysis}/metrics/visibility?group_by=keyword&brands=Acme`)).body.data;
  expect(body.target_prompts).toMatchObject([{ keyword, answers: row.answers, occurrences: row.occurrences }]);
  expect(body.outline[1].points[1]).toBe("Today Acme is in 2 of 4 AI answers.");
  expect(body.outline[2].points).toEqual(["Acme and Rival, which 4 of these AI answers name."]);
});
