import { expect, test } from "vitest";
import { auditedScene } from "./audited-scene.ts";
import { RIVAL_ALONE } from "./imported-scene.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- rows of the interface, as a reader gets them
type Row = any;

const SITE = "https://acme.test";
const HEADING = "Features of cited competitor pages that this page lacks";

test("plans a page's brief for prompts whose answers cite it, and lists strengths of competitors' cited pages", async () => {
  await using s = await auditedScene();
  await s.collect({ text: RIVAL_ALONE, cites: [`${SITE}/a`, "https://rival.test/a"] });
  const rival = await s.audit("https://rival.test", ["/a", "/b"], await s.brandNamed("Rival"));
  await rival.run({ "/a": "pass", "/b": "pass" });
  const audit = await s.audit(SITE, ["/a", "/none"], s.brandId);
  const run = await audit.run({ "/a": "fail", "/none": "fail" });
  const briefs = `${s.workspace.path}/content-briefs`;
  const made = await s.owner.post(briefs, { page_id: audit.pageIds.get("/a") });
  expect(made).toMatchObject({
    status: 201,
    body: { analysis_id: audit.analysisId, collect_id: run, collection_methods: ["import"], target_prompt_count: 8 },
  });
  const lacks = made.body.outline.find(({ heading }: Row) => heading === HEADING).points;
  expect(lacks).toEqual([
    "The page has one h1: passes on 1 of 1. Give the page one h1 that names its subject, and make further ones h2.",
  ]);
  const last = made.body.outline.at(-1);
  expect(last.heading).toBe("Structured data");
  expect(last.points[0]).toContain("Article");

  // No answer cites the other page, and no topic is in its title.
  const none = (await s.owner.post(briefs, { page_id: audit.pageIds.get("/none") })).body;
  expect(none).toMatchObject({ target_prompt_count: 0, target_prompts: [], entities: [], evidence: [] });
  expect(none.outline.map(({ heading }: Row) => heading)).toContain("Target prompts");

  const [action] = await s.ofAudit(audit.analysisId);
  expect((await s.owner.post(briefs, { result_id: action.id })).body).toMatchObject({
    result_id: action.id,
    target_prompt_count: 8,
  });
});

test("rejects a page with other origins, of another workspace, or with keywords", async () => {
  await using s = await auditedScene();
  const audit = await s.audit(SITE, ["/a"], null);
  await audit.run({ "/a": "fail" });
  const briefs = `${s.workspace.path}/content-briefs`;
  const page_id = audit.pageIds.get("/a");
  expect(await s.owner.post(briefs, { page_id, topic: "All" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "topic", message: "cannot be combined with page_id" }] },
  });
  const unknown = await s.owner.post(briefs, { page_id: s.brandId });
  expect(unknown).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await s.owner.post(briefs, { analysis_id: audit.analysisId, topic: "All" })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "analysis_id" }] },
  });
});
