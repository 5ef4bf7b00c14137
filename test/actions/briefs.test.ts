import { expect, test } from "vitest";
import { insertActionScene } from "../support/action-scene.ts";
import { formatLink, escapeText, quoteText } from "../../core/briefs/markdown.ts";
import { world } from "../support/world.ts";
import { BOTH, importedScene, RIVAL_ALONE, type ImportedScene } from "./imported-scene.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a row
type Row = any;

/** The first brief of the action of a rule, and its address. */
async function briefOf(s: ImportedScene, rule: string) {
  const [action] = await s.listed(`&rule=${rule}`);
  const { tasks } = await s.whole(action.id);
  const path = `${s.actions}/${action.id}/tasks/${tasks[0].id}`;
  return { path: `${path}/brief`, task: path, brief: (await s.owner.get(`${path}/brief`)).body };
}

test("a brief is written from the evidence of its action: questions, figures, quotations and pages", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE, cites: ["https://labreviews.example/lab/phones"] });
  const { brief } = await briefOf(s, "competitor_present");
  expect(brief).toMatchObject({ is_user_edited: false, status: "not_started" });
  expect(brief.title).toContain("All");
  for (const part of [
    "- Answer: phone for photos",
    "| phone for photos | ChatGPT |  | 0 of 2 | Rival: 2 |",
    String.raw`> 1\. Rival – cheap 2. Stranger – new`,
    "<https://labreviews.example/lab/phones>",
    "run 1",
  ]) {
    expect(brief.body).toContain(part);
  }
});

test("quotes an answer in a brief on one line, whatever markup it contains", async () => {
  // Attack: an answer that closes the quotation, or adds headings, links, images or HTML to the
  // brief.
  const hostile =
    "Most people choose Rival.\n\n# New task\n\n[click](javascript:alert(1)) ![x](http://a.test/p.png) <script>x</script>\u202E | a | b |\n```\n1. ignore all";
  await using s = await importedScene();
  await s.collect({ text: hostile });
  const { brief } = await briefOf(s, "competitor_present");
  const lines = brief.body.split("\n");
  const quotes = lines.filter((line: string) => line.startsWith("> "));
  expect(quotes.length).toBeGreaterThan(0);
  expect(
    lines.filter((line: string) => line.startsWith("#")).map((line: string) => line.replace(/ .*/, "")),
  ).not.toContain("# New");
  expect(lines).not.toContain("# New task");
  for (const quote of quotes) {
    expect(quote).toContain(String.raw`\# New task`);
    // Every sign that could be structure is escaped.
    expect(quote.slice(2).replaceAll(/\\[\\`*_{}[\]()#!|<>~&$@:]/g, "")).not.toMatch(/[`*_{}[\]#|<>~\u202E]/);
  }
  expect(formatLink("javascript:alert(1)")).toBe(String.raw`javascript:alert\(1\)`);
  expect(formatLink("https://a.test/x|y`z")).not.toMatch(/[^\\][|`]/);
  expect(formatLink("https://a.test/x_y")).toBe("<https://a.test/x_y>");
  expect(escapeText("1. first\n2. second", 100)).toBe(String.raw`1\. first 2. second`);
  expect(escapeText("- a", 100)).toBe(String.raw`\- a`);
  expect(escapeText("https://rival.test", 100)).toBe(String.raw`https\://rival.test`);
  expect(quoteText("**Rival** wins.\n| Brand | Why |\n|---|---|\n| **Own** | small |", 100)).toBe(
    "> Rival wins. Brand, Why; Own, small;",
  );
  expect(escapeText("x".repeat(20), 10)).toBe("xxxxxxxxxx…");
});

test("a brief that a person edited is never rewritten; the others follow the next collect", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE });
  const { path, brief } = await briefOf(s, "competitor_present");
  const same = await s.owner.patch(path, { title: brief.title, body: brief.body });
  expect(same.body).toEqual(brief);
  const edited = await s.owner.patch(path, { body: "My own words." });
  expect(edited.body).toMatchObject({ body: "My own words.", title: brief.title, is_user_edited: true });
  const other = await briefOf(s, "keyword_without_presence");
  await s.collect({ text: RIVAL_ALONE });
  expect((await s.owner.get(path)).body).toEqual(edited.body);
  const rewritten = (await s.owner.get(other.path)).body;
  expect(rewritten.body).toContain("run 2");
  expect(rewritten).toMatchObject({ id: other.brief.id, is_user_edited: false, created_at: other.brief.created_at });
});

test("a brief accepts any status transition, and texts within their limits", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE });
  const { path } = await briefOf(s, "competitor_present");
  for (const status of ["in_progress", "implemented", "not_started", "implemented", "in_progress", "not_started"]) {
    expect((await s.owner.patch(path, { status })).body).toMatchObject({ status, is_user_edited: false });
  }
  expect((await s.owner.patch(path, { title: "x".repeat(255), body: "x".repeat(50_000) })).status).toBe(200);
  const refused: [object, string][] = [
    [{ title: "x".repeat(256) }, "title"],
    [{ title: "" }, "title"],
    [{ body: "x".repeat(50_001) }, "body"],
    [{ status: "done" }, "status"],
    [{ partner_brief_id: "p" }, "partner_brief_id"],
  ];
  for (const [body, field] of refused) {
    expect(await s.owner.patch(path, body)).toMatchObject({ status: 400, body: { fields: [{ path: field }] } });
  }
});

test("an implemented brief has its effect measured by the next collect that begins after it", async () => {
  await using s = await importedScene();
  const first = await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  const { path, task } = await briefOf(s, "competitor_present");
  await s.owner.patch(path, { status: "implemented" });
  const waiting: Row = (await s.owner.get(task)).body;
  expect(waiting).toMatchObject({ brief_status: "implemented", effect: null });
  expect(waiting.implemented_at).not.toBeNull();
  const second = await s.collect({ text: BOTH, model: "m-1" });
  const { effect } = (await s.owner.get(task)).body;
  expect(effect).toMatchObject({
    before: { collect_id: first, collect_number: 1, answers: 32, occurrences: 0, rank: null, ci_low: 0 },
    after: { collect_id: second, collect_number: 2, answers: 32, occurrences: 32, rank: 1, ci_high: 1 },
    verdict: "moved",
  });
  expect(effect.p_value).toBeLessThan(1e-6);
  await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  expect((await s.owner.get(task)).body.effect).toEqual(effect);
  expect((await s.owner.patch(path, { status: "in_progress" })).status).toBe(200);
  expect((await s.owner.get(task)).body).toMatchObject({ implemented_at: null, effect: null });
});

test("attributes an effect measured with another model to the model", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  const { path, task } = await briefOf(s, "competitor_present");
  await s.owner.patch(path, { status: "implemented" });
  await s.collect({ text: BOTH, model: "m-2" });
  expect((await s.owner.get(task)).body.effect.verdict).toBe("model_changed");
});

test("shows a brief in progress as empty and not editable", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, ids, { brief: { readyAt: null, body: "" } });
  const task = `${workspace.path}/recommended-actions/${made.resultId}/tasks/${made.taskId}`;
  expect((await owner.get(`${task}/brief`)).body).toMatchObject({ body: "", is_user_edited: false });
  expect((await owner.get(task)).body).toMatchObject({ brief_ready: false });
  expect(await owner.patch(`${task}/brief`, { title: "Mine" })).toMatchObject({
    status: 409,
    body: { code: "BRIEF_NOT_READY" },
  });
});
