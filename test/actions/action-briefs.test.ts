import { expect, test } from "vitest";
import { insertActionScene } from "../support/action-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";
import { visibleFields } from "../support/text-facts.ts";

const AT = "2026-11-21T08:00:00.000Z";

test("a brief has every field of interface.md 2.1 and no other, by REST and by tool alike", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, ids);
  const brief = await owner.get(`${workspace.path}/recommended-actions/${made.resultId}/tasks/${made.taskId}/brief`);
  expect(brief).toMatchObject({ status: 200 });
  expect(brief.body).toEqual({
    id: made.briefId,
    task_id: made.taskId,
    title: "A page",
    body: "# A page",
    is_user_edited: false,
    status: "not_started",
    partner_brief_id: null,
    partner_status: null,
    partner_url: null,
    partner_due_date: null,
    partner_synced_at: null,
    created_at: AT,
    updated_at: AT,
  });
  const { token } = await mintToolToken(w, owner);
  const connect = CLIENTS["SDK 1"];
  if (!connect) throw new Error("no such client");
  await using client = await connect(w.config.mcpUrl, { token });
  const told = await client.call("get_recommended_action_brief", {
    organization_id: organization.id,
    workspace_id: workspace.id,
    result_id: made.resultId,
    task_id: made.taskId,
  });
  expect(brief.body).toMatchObject(visibleFields(told));
});

test("returns a brief only under its own action, task and workspace", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const [one, other] = [await insertActionScene(w, ids), await insertActionScene(w, ids)];
  const at = (result: string, task: string) =>
    owner.get(`${workspace.path}/recommended-actions/${result}/tasks/${task}/brief`);
  expect((await at(one.resultId, one.taskId)).status).toBe(200);
  expect(await at(other.resultId, one.taskId)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect((await at(one.resultId, other.taskId)).status).toBe(404);
  const mallory = await w.insertTenant("Rival");
  const rival = await w.signIn("mallory@rival.test", { organizationId: mallory.organization.id, role: "owner" });
  const foreign = `${mallory.workspace.path}/recommended-actions/${one.resultId}/tasks/${one.taskId}/brief`;
  expect((await rival.get(foreign)).status).toBe(404);
});
