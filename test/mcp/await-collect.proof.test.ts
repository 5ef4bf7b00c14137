import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { eq } from "drizzle-orm";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import type { CollectStatus } from "../../core/analyses/analysis.ts";
import { AWAIT_COLLECT } from "../../src/http/mcp/features/await-collect.ts";
import { LISTING_BUDGET } from "./budget.ts";
import { insertScene, type Scene } from "../support/search-scene.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

/** An analysis with its only collect in progress, and a way to complete it. */
async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const tenant = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const { newId } = w.deps;
  const [projectId, ownBrandId, thematicId, topicId] = [newId(), newId(), newId(), newId()];
  const [keyword, collectId] = [newId(), newId()];
  const one: Scene = {
    projectId,
    ownBrandId,
    brands: [{ id: ownBrandId, name: "Acme" }],
    facets: [
      { id: thematicId, kind: "thematic", name: "Phones" },
      { id: topicId, kind: "topic", name: "Price", parentId: thematicId },
    ],
    keywords: [{ id: keyword, text: "best phone", thematicId, topicId }],
    collects: [{ id: collectId, number: 1, answers: [{ keyword, source: "ASSISTANT_A" }] }],
  };
  await w.store.write(async (db) => insertScene(db, tenant, one));
  const become = (status: CollectStatus) =>
    w.store.write(async ({ q, t }) => q.update(t.collects).set({ status }).where(eq(t.collects.id, collectId)));
  await become("running");
  return {
    w,
    owner,
    become,
    path: `${workspace.path}/analyses/${one.projectId}/collects/${collectId}`,
    ids: {
      organization_id: organization.id,
      workspace_id: workspace.id,
      analysis_id: one.projectId,
      collect_id: collectId,
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("a read of a collect with `wait` is answered when the collect ends, or when its seconds are over", async () => {
  // Fault: an assistant could only poll, and gave up before the collect completed.
  await using s = await scene();
  const over = s.owner.get(`${s.path}?wait=1`);
  expect((await over).body.status).toBe("running");
  const waiting = s.owner.get(`${s.path}?wait=50`);
  await s.become("completed");
  expect((await waiting).body.status).toBe("completed");
  expect((await s.owner.get(`${s.path}?wait=51`)).status).toBe(400);
});

test("await_collect sends progress on request, and returns when the collect completes", async () => {
  await using s = await scene();
  const { token } = await mintToolToken(s.w, s.owner);
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(s.w.config.mcpUrl), { requestInit }));
  const told: unknown[] = [];
  const result = await client.callTool(
    { name: "await_collect", arguments: s.ids },
    {
      onprogress: (progress) => {
        told.push(progress);
        void s.become("completed");
      },
    },
  );
  expect(told).toEqual([{ progress: 1, total: 1, message: "1 of 1 done." }]);
  expect(result.structuredContent).toMatchObject({ number: 1, status: "completed" });
  await client.close();
});

test("an account waits with twenty calls at once; further calls return immediately", async () => {
  // Attack: a thousand waiting calls, each polling every second.
  await using s = await scene();
  const waiting = Array.from({ length: 20 }, () => s.owner.get(`${s.path}?wait=50`));
  await expect.poll(() => s.w.deps.longPollCounts.get(s.owner.id)).toBe(20);
  const refused = await s.owner.get(`${s.path}?wait=50`);
  expect(refused.body.status).toBe("running");
  await s.become("completed");
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(["completed"]));
  expect([...s.w.deps.longPollCounts]).toEqual([]);
});

test("the listing of await_collect is like every other: it only reads, and costs at most 700 tokens", () => {
  const { annotations, inputSchema } = AWAIT_COLLECT.listed;
  expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  expect(Object.keys(inputSchema.properties ?? {})).not.toContain("wait");
  expect(countTokens(JSON.stringify(AWAIT_COLLECT.listed))).toBeLessThan(LISTING_BUDGET);
});
