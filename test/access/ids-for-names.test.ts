import { expect, test } from "vitest";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { KIND_BY_ID_FIELD } from "../../tools/name-or-id.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { openCommitted } from "../support/committed.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

/** A workspace with one of each named thing, its owner's assistant, and another organization. */
async function scene() {
  const w = await world({ env: { SERVE: "core,search,mcp" } });
  const { owner, organization, workspace } = await w.acme();
  const tenant = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, tenant);
  await w.store.write(({ q, t }) => q.update(t.analyses).set({ name: "Shoes" }));
  const add = async (path: string, body: object) => (await owner.post(`${workspace.path}${path}`, body)).body;
  const brand = await add("/brands", { name: "Bolt", relationship: "competitor", domains: ["bolt.example"] });
  const persona = await add("/personas", { name: "Runner" });
  const tag = await add("/tags", { name: "Winter" });
  const asset = await add("/assets", { name: "Landing page", text: "Shoes that last." });
  const brief = await add("/content-briefs", { result_id: made.resultId, title: "Plan" });
  const rival = await w.insertTenant("Rival");
  const mallory = await w.signIn("mallory@rival.test", { organizationId: rival.organization.id, role: "owner" });
  const connect = async (token: string) => {
    const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
    if (!client) throw new Error("there is no such client");
    return client;
  };
  const client = await connect((await mintToolToken(w, owner)).token);
  const theirs = await connect((await mintToolToken(w, mallory)).token);
  return {
    w,
    ids: { organization: organization.id, workspace: workspace.id },
    at: { organization: organization.name, workspace: workspace.name },
    made,
    things: { brand, persona, tag, asset, brief },
    owner,
    client,
    rival: { ...rival, client: theirs },
    connect,
    async [Symbol.asyncDispose]() {
      for (const one of [client, theirs, w]) await one[Symbol.asyncDispose]();
    },
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const refusal = ({ isError, text }: { isError: boolean; text: string }) => {
  expect(isError).toBe(true);
  return JSON.parse(text) as { code: string; message: string; hint: string; fields?: Record<string, unknown>[] };
};

test("tools accept names in any case instead of ids", async () => {
  // Fault: an assistant with names had to list each kind again to get ids.
  await using s = await scene();
  const { made, things, ids, at } = s;
  const calls: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ["get_organization", {}, {}],
    ["get_workspace", {}, {}],
    ["get_analysis", { analysis: made.analysisId }, { analysis: "shoes" }],
    ["get_collect", { analysis: made.analysisId, collect: made.collectId }, { analysis: "Shoes", collect: "1" }],
    ["list_answers", { analysis: made.analysisId, collect: made.collectId }, { analysis: "SHOES", collect: "latest" }],
    ["get_project_filters", { analysis: made.analysisId }, { analysis: "shoes" }],
    [
      "list_top_brands",
      { analysis: made.analysisId, collects: [made.collectId] },
      { analysis: "Shoes", collects: ["1"] },
    ],
    ["get_brand", { brand: things.brand.id }, { brand: "bolt" }],
    ["get_persona", { persona: things.persona.id }, { persona: "Runner" }],
    ["get_tag", { tag: things.tag.id }, { tag: "winter" }],
    ["list_analyses", { tag: things.tag.id }, { tag: "Winter" }],
    ["get_asset", { asset: things.asset.id }, { asset: "landing page" }],
    ["get_content_brief", { content_brief: things.brief.id }, { content_brief: "plan" }],
    ["list_recommended_actions", { analysis: made.analysisId }, { analysis: "shoes" }],
  ];
  for (const [tool, byId, byName] of calls) {
    const takes = (all: Scene["ids"]) => (NO_WORKSPACE.has(tool) ? { organization: all.organization } : all);
    const [one, other] = [
      await s.client.call(tool, { ...takes(ids), ...byId }),
      await s.client.call(tool, { ...takes(at), ...byName }),
    ];
    expect([tool, other.isError, other.structured]).toEqual([tool, false, one.structured]);
  }
  const named = new Set(calls.flatMap(([, , byName]) => Object.keys(byName)));
  expect([...named].filter((name) => name !== "collects").toSorted()).toEqual([
    "analysis",
    "asset",
    "brand",
    "collect",
    "content_brief",
    "persona",
    "tag",
  ]);
});

const NO_WORKSPACE = new Set(["get_organization", "get_project_filters", "list_top_brands"]);

test("rejects an unknown name with the visible names, in the tool's terms, and writes an audit row", async () => {
  await using s = await scene();
  const wrong: [string, Record<string, unknown>, string, string[]][] = [
    ["list_brands", { ...s.at, organization: "Akme" }, "organization", ["Acme"]],
    ["list_brands", { ...s.at, workspace: "Shoos" }, "workspace", [s.at.workspace]],
    ["get_analysis", { ...s.at, analysis: "Shoos" }, "analysis", ["Shoes"]],
    ["get_project_filters", { organization: "Acme", analysis: "Shoos" }, "analysis", ["Shoes"]],
    ["get_persona", { ...s.at, persona: "Runer" }, "persona", ["Runner"]],
  ];
  for (const [tool, given, path, allowed] of wrong) {
    const told = refusal(await s.client.call(tool, given));
    expect([tool, told.code, told.fields]).toEqual([
      tool,
      "VALIDATION_FAILED",
      [expect.objectContaining({ path, allowed })],
    ]);
  }
  await s.w.deps.audit.flush();
  const { q, t } = openCommitted(s.w.store);
  const rows = (await q.select().from(t.auditLog)).filter(({ outcome }) => outcome === "VALIDATION_FAILED");
  expect(rows).toHaveLength(wrong.length);
});

test("a name never resolves to another tenant's organization, workspace or analysis, nor reveals one", async () => {
  // Attack: guessing names of another organization's things, or reading them among the allowed
  // values.
  await using s = await scene();
  const theirs = { organization: s.ids.organization, workspace: s.at.workspace };
  const tries: [string, Record<string, unknown>][] = [
    ["list_brands", s.at],
    ["list_brands", theirs],
    ["list_brands", { ...s.at, organization: "Rival" }],
    ["get_analysis", { organization: "Rival", workspace: s.rival.workspace.name, analysis: "Shoes" }],
    ["get_project_filters", { organization: s.ids.organization, analysis: "Shoes" }],
    ["get_project_filters", { organization: "Rival", analysis: "Shoes" }],
    ["get_tag", { organization: "Rival", workspace: s.rival.workspace.name, tag: "Winter" }],
  ];
  for (const [tool, given] of tries) {
    const answer = await s.rival.client.call(tool, given);
    expect(["VALIDATION_FAILED", "NOT_FOUND"]).toContain(refusal(answer).code);
    expect(answer.text).not.toMatch(/Acme|Shoes|Winter|Bolt/);
  }
});

test("suggests only visible workspaces to a guest, and no names without the scope", async () => {
  // Attack: an assistant with few rights reads names in errors.
  await using s = await scene();
  const { w } = s;
  const second = { id: w.deps.newId(), name: "Secret launch", createdAt: w.deps.now(), updatedAt: w.deps.now() };
  await w.store.write((db) => insertWorkspace({ db, organizationId: s.ids.organization }, second));
  const guest = await w.signIn("guest@acme.test", { organizationId: s.ids.organization, role: "guest" });
  const member = `/v1/organizations/${s.ids.organization}/workspaces/${s.ids.workspace}/members/${guest.id}`;
  await s.owner.request("PUT", member, { body: { role: "viewer" } });
  await using guests = await s.connect((await mintToolToken(w, guest)).token);
  const told = await guests.call("list_brands", { ...s.at, workspace: "Secret launch" });
  expect(refusal(told).fields).toEqual([expect.objectContaining({ path: "workspace", allowed: [s.at.workspace] })]);
  expect(refusal(await guests.call("list_brands", { ...s.at, workspace: second.id })).code).toBe("NOT_FOUND");
  await using little = await s.connect((await mintToolToken(w, s.owner, { scopes: ["read"] })).token);
  const refused = little.call("create_persona", { organization: "Acme", workspace: "nowhere", name: "A" });
  await expect(refused).rejects.toThrow('Insufficient scope: required "personas:create"');
});

test("rejects an ambiguous name with the ids of all matches", async () => {
  await using s = await scene();
  const twin = await s.owner.post(`/v1/organizations/${s.ids.organization}/workspaces`, { name: s.at.workspace });
  const told = refusal(await s.client.call("list_brands", s.at));
  expect(told.code).toBe("AMBIGUOUS");
  const allowed = [s.ids.workspace, twin.body.id];
  expect(told.fields).toEqual([expect.objectContaining({ path: "workspace", allowed })]);
});

test("REST addresses accept only ids", async () => {
  await using s = await scene();
  const answer = await s.owner.get(`/v1/organizations/${s.ids.organization}/workspaces/${s.ids.workspace}/brands/Bolt`);
  expect(answer.status).toBe(400);
  expect(Object.keys(KIND_BY_ID_FIELD)).not.toContain("answer_id");
});
