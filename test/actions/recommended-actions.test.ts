import { expect, test } from "vitest";
import { CLIENTS } from "../support/tool-client.ts";
import { visibleFields } from "../support/text-facts.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { BOTH, importedScene, RIVAL_ALONE, type ImportedScene } from "./imported-scene.ts";
import { recount, cacheReads } from "./recount.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a row
type Row = any;

const REVIEW = "https://labreviews.example/lab/phones";

const round = (value: number | null) => (value === null ? null : Math.round(1e6 * value) / 1e6);

/** Rounds rank sums of a row, so that different summation orders compare equal. */
function rounded(row: Row): Row {
  return { ...row, rank: round(row.rank), previous_rank: round(row.previous_rank), brand_rank: round(row.brand_rank) };
}

const listRules = (rows: Row[]) => rows.map((row) => `${row.rule} ${row.channel}`).toSorted();

test("each rule's action has rows that can be recomputed from the answers, and names answers to open", async () => {
  await using s = await importedScene();
  await s.collect({ text: BOTH, model: "m-1", cites: [REVIEW, "https://acme.test/phones"] });
  expect(await s.listed()).toEqual([]);
  await s.collect({ text: RIVAL_ALONE, model: "m-1", cites: [REVIEW] });
  const listed = await s.listed();
  expect(listRules(listed)).toEqual([
    "cited_source third_party_sites",
    "competitor_present assistants",
    "keyword_without_presence all",
    "presence_lost assistants",
    "presence_lost assistants",
    "presence_lost assistants",
  ]);
  const keywords = (await s.owner.get(`${s.analysis}/keywords`)).body.data;
  const read = cacheReads((path) => s.owner.get(path));
  for (const { id } of listed) {
    const action = await s.whole(id);
    expect(action.evidence.length).toBe(action.evidence_count);
    for (const row of action.evidence) {
      const again = await recount(read, s.analysis, s.brandId, row, keywords);
      expect(rounded(row)).toEqual(rounded(again));
    }
  }
  // 32 answers in each collect: two runs of eight keywords from two assistants.
  const lost = await Promise.all(
    listed.filter((row: Row) => row.rule === "presence_lost").map((row: Row) => s.whole(row.id)),
  );
  const sums = lost.map(({ evidence }) => {
    const counted = evidence.filter((row: Row) => row.counted);
    return counted.reduce((sum: number, row: Row) => sum + row.previous_occurrences - row.occurrences, 0);
  });
  expect(sums.toSorted((a, b) => a - b)).toEqual([16, 16, 32]);
});

test("a later collect updates an action, resolves it, and reopens it without a duplicate", async () => {
  await using s = await importedScene();
  await s.collect({ text: BOTH, model: "m-1" });
  const second = await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  const before = await s.listed();
  const third = await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  const after = await s.listed();
  expect(new Set(after.map(({ id }: Row) => id))).toEqual(new Set(before.map(({ id }: Row) => id)));
  expect(new Set(before.map((row: Row) => row.collect_id))).toEqual(new Set([second]));
  expect(new Set(after.map((row: Row) => row.collect_id))).toEqual(new Set([third]));
  // The presence did not fall again, but it did not come back either.
  const loss = await s.whole(after.find((row: Row) => row.rule === "presence_lost").id);
  expect(loss.evidence[0]).toMatchObject({ answers: expect.any(Number), occurrences: 0, collect_id: third });
  expect(loss).toMatchObject({ resolved_at: null });
  expect(loss.first_seen_at < loss.last_seen_at).toBe(true);

  await s.collect({ text: BOTH, model: "m-1" });
  const resolved = await s.listed();
  expect(resolved.map(({ id }: Row) => id).toSorted()).toEqual(before.map(({ id }: Row) => id).toSorted());
  expect(resolved.filter((row: Row) => row.resolved_at === null)).toEqual([]);
  expect(await s.listed("&still_observed=true")).toEqual([]);

  await s.collect({ text: RIVAL_ALONE, model: "m-1" });
  const again = await s.listed();
  expect(again.map(({ id }: Row) => id).toSorted()).toEqual(before.map(({ id }: Row) => id).toSorted());
  expect(again.filter((row: Row) => row.resolved_at !== null)).toEqual([]);
});

test("compares an import with nothing if it overlaps the previous collect", async () => {
  // Fault: two imports of the same weeks were compared as consecutive ones.
  await using s = await importedScene();
  await s.collect({ text: BOTH, model: "m-1" });
  await s.collect({ text: RIVAL_ALONE, model: "m-1", overlaps: true });
  expect(listRules(await s.listed())).toEqual(["competitor_present assistants", "keyword_without_presence all"]);
});

test("an answer by another model is no loss, whatever it leaves out", async () => {
  await using s = await importedScene();
  await s.collect({ text: BOTH, model: "m-1" });
  await s.collect({ text: RIVAL_ALONE, model: "m-2" });
  expect(listRules(await s.listed())).toEqual(["competitor_present assistants", "keyword_without_presence all"]);
});

test("a catalog change updates recommendations after stored answers are re-extracted", async () => {
  await using s = await importedScene();
  await s.collect({ text: "1. **Newcomer** – new\n2. **Rival** – cheap" });
  expect(listRules(await s.listed())).toEqual(["competitor_present assistants", "keyword_without_presence all"]);
  // The own brand goes by another name too, and was there all the time.
  const brand = `${s.workspace.path}/brands/${s.brandId}`;
  await s.owner.patch(brand, { aliases: [{ text: "Newcomer", case_sensitive: false }] });
  await s.settled();
  expect(await s.listed("&still_observed=true")).toEqual([]);
  expect((await s.listed()).length).toBe(2);
});

test("a dismissed action stays dismissed through later collects, with fresh evidence and no twin", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE });
  const [action] = await s.listed("&rule=keyword_without_presence");
  const dismissed = await s.owner.post(`${s.actions}/${action.id}/dismiss`, {
    reason: "deprioritised",
    comment: "Next year.",
  });
  expect(dismissed.body).toMatchObject({ workflow_status: "dismissed", dismiss_reason: "deprioritised" });
  const latest = await s.collect({ text: RIVAL_ALONE });
  const rows = await s.listed("&rule=keyword_without_presence");
  expect(rows).toMatchObject([
    {
      id: action.id,
      collect_id: latest,
      workflow_status: "dismissed",
      dismiss_reason: "deprioritised",
      dismiss_comment: "Next year.",
    },
  ]);
  expect(await s.listed("&workflow_status=new&rule=keyword_without_presence")).toEqual([]);
});

test("the tool omits dismissed and resolved actions unless requested", async () => {
  // Fault: an assistant recommended an action that the user had dismissed.
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE });
  const rows = await s.listed();
  const [first, ...others] = rows.map(({ id }: Row) => id as string);
  await s.owner.post(`${s.actions}/${first}/dismiss`, { reason: "not_relevant" });
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const ids = { organization: s.organization.id, workspace: s.workspace.id };
  const shown = async (given: object) => {
    const answer = await client?.call("list_recommended_actions", { ...ids, ...given });
    return answer?.structured.data.map(({ id }: Row) => id);
  };
  expect(await shown({})).toEqual(others);
  expect((await s.listed("&workflow_status=open")).map(({ id }: Row) => id)).toEqual(others);
  expect(await shown({ workflow_status: "dismissed" })).toEqual([first]);
  await s.collect({ text: BOTH });
  const open = await s.listed("&workflow_status=open&still_observed=true");
  expect(await shown({})).toEqual(open.map(({ id }: Row) => id));
  const resolved = await s.listed("&workflow_status=open&still_observed=false");
  expect(resolved.length).toBeGreaterThan(0);
  expect(await shown({ still_observed: false })).toEqual(resolved.map(({ id }: Row) => id));
});

async function oneAction(s: ImportedScene): Promise<Row> {
  await s.collect({ text: RIVAL_ALONE });
  const [action] = await s.listed("&rule=competitor_present");
  return action;
}

test("each workflow step follows the table, or returns 422 with the allowed steps", async () => {
  await using s = await importedScene();
  const { id } = await oneAction(s);
  const path = `${s.actions}/${id}`;
  const step = {
    confirm: () => s.owner.patch(path, { workflow_status: "confirmed" }),
    renew: () => s.owner.patch(path, { workflow_status: "new" }),
    patchDismissed: () => s.owner.patch(path, { workflow_status: "dismissed" }),
    dismiss: () => s.owner.post(`${path}/dismiss`, { reason: "not_relevant" }),
    reconsider: () => s.owner.post(`${path}/reconsider`),
  };
  // In this order, each from the state left by the previous step.
  const table: [keyof typeof step, string | 422][] = [
    ["renew", 422],
    ["patchDismissed", 422],
    ["reconsider", 422],
    ["confirm", "confirmed"],
    ["confirm", 422],
    ["patchDismissed", 422],
    ["reconsider", 422],
    ["renew", "new"],
    ["dismiss", "dismissed"],
    ["dismiss", 422],
    ["confirm", 422],
    ["renew", 422],
    ["patchDismissed", 422],
    ["reconsider", "new"],
    ["confirm", "confirmed"],
    ["dismiss", "dismissed"],
    ["reconsider", "new"],
  ];
  const went = [];
  for (const [name] of table) {
    const before = await s.whole(id);
    const { status, body } = await step[name]();
    const after = await s.whole(id);
    const refused = status === 422 && body.code === "UNPROCESSABLE" && body.message.includes("Allowed now: ");
    // A rejected step changes nothing; a successful one returns the stored state.
    expect(refused ? before : body).toEqual(after);
    went.push([name, refused ? status : after.workflow_status]);
  }
  expect(went).toEqual(table);
  expect(await s.whole(id)).toMatchObject({ dismiss_reason: null, dismiss_comment: null });
  expect((await s.owner.post(`${path}/dismiss`, { reason: "because" })).status).toBe(400);
});

test("a bulk dismissal skips actions that it cannot dismiss, with a reason for each", async () => {
  await using s = await importedScene();
  await s.collect({ text: RIVAL_ALONE });
  const [one, other] = await s.listed();
  await s.owner.post(`${s.actions}/${other.id}/dismiss`, { reason: "not_feasible" });
  const nobody = s.deps.newId();
  const rival = await s.insertTenant("Elsewhere");
  const stranger = await s.signIn("stranger@elsewhere.test", { organizationId: rival.organization.id, role: "owner" });
  const bulk = { ids: [one.id, other.id, nobody], reason: "not_relevant", comment: "All of them." };
  const answer = await s.owner.post(`${s.actions}/bulk-dismiss`, bulk);
  expect(answer).toMatchObject({ status: 200, body: { succeeded: 1, failed: 2 } });
  expect(answer.body.data).toEqual([
    { id: one.id, ok: true, code: null, message: null },
    { id: other.id, ok: false, code: "UNPROCESSABLE", message: expect.stringContaining("reconsider") },
    { id: nobody, ok: false, code: "NOT_FOUND", message: expect.any(String) },
  ]);
  expect(await s.whole(one.id)).toMatchObject({ workflow_status: "dismissed", dismiss_comment: "All of them." });
  expect(await s.whole(other.id)).toMatchObject({ dismiss_reason: "not_feasible", dismiss_comment: null });
  // Attack: naming another organization's action in the own workspace.
  const foreign = await stranger.post(`${rival.workspace.path}/recommended-actions/bulk-dismiss`, bulk);
  expect(foreign.body).toMatchObject({ succeeded: 0, failed: 3 });
  expect(foreign.body.data.map(({ code }: Row) => code)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  const tooMany = Array.from({ length: 101 }, () => s.deps.newId());
  expect((await s.owner.post(`${s.actions}/bulk-dismiss`, { ...bulk, ids: tooMany })).status).toBe(400);
  expect((await s.owner.post(`${s.actions}/bulk-dismiss`, { ...bulk, ids: [one.id, one.id] })).status).toBe(400);
});

/** Sort fields with their default direction. */
const SORTS = {
  score: "desc",
  impact: "desc",
  effort: "asc",
  category: "asc",
  channel: "asc",
  evidence_count: "desc",
  action_label: "asc",
};
const LEVELS: Readonly<Record<string, number>> = { low: 0, medium: 1, high: 2 };

test("lists filter and page without gaps or duplicates in each order, and tools equal REST", async () => {
  await using s = await importedScene();
  await s.collect({ text: BOTH, model: "m-1", cites: [REVIEW, "https://acme.test/phones"] });
  await s.collect({ text: RIVAL_ALONE, model: "m-1", cites: [REVIEW] });
  const all = await s.listed();
  expect(all.map(({ score }: Row) => score)).toEqual(
    all.map(({ score }: Row) => score).toSorted((a: number, b: number) => b - a),
  );
  const paged = async (order = "") => {
    const rows: Row[] = [];
    let cursor = "";
    do {
      const page = (await s.owner.get(`${s.actions}?limit=2${order}${cursor}`)).body;
      rows.push(...page.data);
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    return rows;
  };
  expect(await paged()).toEqual(all);
  for (const [sort, first] of Object.entries(SORTS)) {
    expect([sort, await s.listed(`&sort=${sort}`)]).toEqual([
      sort,
      await s.listed(`&sort=${sort}&sort_direction=${first}`),
    ]);
    const place = (row: Row) => (typeof row[sort] === "string" ? (LEVELS[row[sort]] ?? row[sort]) : row[sort]);
    for (const direction of ["asc", "desc"]) {
      const way = direction === "asc" ? 1 : -1;
      const expected = all.toSorted((a: Row, b: Row) => (place(a) === place(b) ? 0 : place(a) < place(b) ? -way : way));
      expect([sort, direction, await paged(`&sort=${sort}&sort_direction=${direction}`)]).toEqual([
        sort,
        direction,
        expected,
      ]);
    }
  }
  for (const [filter, value] of [
    ["category", "recovery"],
    ["channel", "third_party_sites"],
    ["rule", "cited_source"],
    ["analysis_id", s.analysisId],
  ]) {
    const chosen = all.filter((row: Row) => row[filter ?? ""] === value);
    expect(chosen.length).toBeGreaterThan(0);
    expect([filter, await s.listed(`&${filter}=${value}`)]).toEqual([filter, chosen]);
  }
  expect(await s.listed("&workflow_status=confirmed")).toEqual([]);
  const [first] = all;
  const rest = await s.whole(first.id);
  const tasks = (await s.owner.get(`${s.actions}/${first.id}/tasks`)).body;
  expect(tasks).toEqual({ data: rest.tasks, next_cursor: null });
  expect((await s.owner.get(`${s.actions}/${first.id}/tasks/${rest.tasks[0].id}`)).body).toEqual(rest.tasks[0]);
  const { token } = await mintToolToken(s, s.owner);
  const [connect] = Object.values(CLIENTS);
  await using client = await connect?.(s.config.mcpUrl, { token });
  const ids = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  const listTool = await client?.call("list_recommended_actions", { ...ids, limit: 2 });
  expect(all.slice(0, 2)).toMatchObject(listTool?.structured.data);
  const tasksTool = await client?.call("list_recommended_action_tasks", { ...ids, result_id: first.id });
  expect(tasks.data).toMatchObject(tasksTool?.structured.data);
  const oneTool = await client?.call("get_recommended_action_task", {
    ...ids,
    result_id: first.id,
    task_id: rest.tasks[0].id,
  });
  expect(rest.tasks[0]).toMatchObject(visibleFields(oneTool));
});
