import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { isFilledTarget } from "../../src/call/call-targets.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoints } from "../../tools/index.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { openCommitted } from "../support/committed.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);

/** An owner's assistant, and functions that add organizations, workspaces and analyses. */
async function scene() {
  const w = await world({ env: { SERVE: "core,search,mcp" } });
  const { owner, organization, workspace } = await w.acme();
  const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token: (await mintToolToken(w, owner)).token });
  if (!client) throw new Error("there is no such client");
  const acme = { organizationId: organization.id, workspaceId: workspace.id };
  return {
    w,
    acme,
    owner,
    client,
    async addAnalysis(name: string, at = acme, change: object = {}) {
      const { analysisId } = await insertActionScene(w, { ...at, userId: owner.id });
      await w.store.write(({ q, t }) =>
        q
          .update(t.analyses)
          .set({ name, ...change })
          .where(eq(t.analyses.id, analysisId)),
      );
      return analysisId;
    },
    async addWorkspace(name: string) {
      const added = { id: w.deps.newId(), name, createdAt: w.deps.now(), updatedAt: w.deps.now() };
      await w.store.write((db) => insertWorkspace({ db, organizationId: organization.id }, added));
      return { organizationId: organization.id, workspaceId: added.id };
    },
    async addOrganization(name: string) {
      const added = await w.insertTenant(name);
      await w.signIn("owner@acme.test", { organizationId: added.organization.id, role: "owner" });
      return { organizationId: added.organization.id, workspaceId: added.workspace.id };
    },
    /** Notes about filled targets, or field errors. */
    async told(tool: string, given: Record<string, unknown> = {}) {
      const { isError, text, structured } = await client.call(tool, given);
      if (isError) return (JSON.parse(text) as { fields?: unknown; code: string }).fields ?? JSON.parse(text).code;
      return structured.notes?.find((note: string) => note.includes("the only one")) ?? "nothing filled in";
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
    },
  };
}

const ONE_OF_EACH = "Workspace: Acme workspace, the only one.";

test("no tool requires an organization, workspace or analysis, and each about an analysis takes a workspace", () => {
  const places = tools.flatMap(({ name, listed: { inputSchema } }) =>
    ["organization", "workspace", "analysis"].filter((key) => inputSchema.required?.includes(key)).map(() => name),
  );
  expect(places).toEqual([]);
  const aboutAnalysis = tools.filter(({ endpoint }) =>
    ["project_id", "analysis_id"].some((field) => isFilledTarget(endpoint, field)),
  );
  expect(aboutAnalysis.length).toBeGreaterThan(20);
  const withoutWorkspace = aboutAnalysis.filter(
    ({ listed }) => !("workspace" in (listed.inputSchema.properties ?? {})),
  );
  expect(withoutWorkspace.map(({ name }) => name)).toEqual([]);
});

test("fills in the only organization, workspace and analysis, and says so", async () => {
  // Fault: NOT_FOUND "No such organization" for a call without one.
  await using s = await scene();
  await s.addAnalysis("Shoes");
  await s.addAnalysis("Old shoes", s.acme, { status: "archived" });
  await s.addAnalysis("Audit", s.acme, { type: "geo_audit" });
  const closed = await s.addWorkspace("Closed");
  await s.owner.post(`/v1/organizations/${closed.organizationId}/workspaces/${closed.workspaceId}/archive`, {});
  expect(await s.told("get_credits")).toBe("Organization: Acme, the only one.");
  expect(await s.told("list_brands")).toBe(ONE_OF_EACH);
  expect(await s.told("list_analyses", { workspace: "acme workspace" })).toBe("nothing filled in");
  expect(await s.told("get_visibility")).toBe(`${ONE_OF_EACH} Analysis: Shoes, the only one.`);
  expect(await s.told("list_top_brands")).toBe("Analysis: Shoes, the only one.");
  expect(await s.told("get_audit")).toBe(`${ONE_OF_EACH} Analysis: Audit, the only one.`);
  const ids = { organization: s.acme.organizationId, workspace: s.acme.workspaceId };
  expect(await s.told("get_visibility", ids)).toBe("Analysis: Shoes, the only one.");
  expect(await s.told("get_visibility", { ...ids, analysis: "Shoes" })).toBe("nothing filled in");
});

test("names the candidates, at most five, and the tool that lists them, if there are several", async () => {
  await using s = await scene();
  for (const name of ["A", "B", "C", "D", "E", "F"]) await s.addAnalysis(name);
  const several = {
    path: "analysis",
    message: "is missing, and there are several; list_analyses lists them",
    allowed: ["A", "B", "C", "D", "E"],
    allowed_count: 6,
  };
  expect(await s.told("get_visibility")).toEqual([several]);
  expect(await s.told("list_top_brands")).toEqual([several]);
  expect(await s.told("get_audit")).toEqual([
    { path: "analysis", message: "is missing, and list_analyses has none for this call" },
  ]);
  await s.addWorkspace("Second");
  expect(await s.told("list_brands")).toEqual([
    {
      path: "workspace",
      message: "is missing, and there are several; list_workspaces lists them",
      allowed: ["Acme workspace", "Second"],
      allowed_count: 2,
    },
  ]);
  await s.addOrganization("Other");
  expect(await s.told("get_credits")).toEqual([
    {
      path: "organization",
      message: "is missing, and there are several; list_organizations lists them",
      allowed: ["Acme", "Other"],
      allowed_count: 2,
    },
  ]);
});

test("takes the only organization and workspace around the workspace or analysis that the call names or needs", async () => {
  await using s = await scene();
  await s.addAnalysis("Shoes");
  const second = await s.addWorkspace("Second");
  const other = await s.addOrganization("Other");
  expect(await s.told("list_brands", { workspace: "second" })).toBe("nothing filled in");
  expect(await s.told("list_brands", { workspace: second.workspaceId })).toBe("nothing filled in");
  expect(await s.told("get_visibility")).toBe(
    "Workspace: Acme workspace, the only one with a fitting analysis. Analysis: Shoes, the only one.",
  );
  await s.addAnalysis("Boots", other);
  expect(await s.told("get_visibility", { analysis: "boots" })).toBe(
    "Workspace: Other workspace, the only one with this analysis.",
  );
  await s.addAnalysis("Sandals", second);
  expect(await s.told("list_top_brands", { organization: "Acme", workspace: "Second" })).toBe(
    "Analysis: Sandals, the only one.",
  );
  const shoes = { organization: "Acme", workspace: "Second", analysis: "Shoes" };
  expect(await s.told("list_top_brands", shoes)).toEqual([
    { path: "analysis", message: "matches no analysis; use one of allowed", allowed: ["Sandals"], allowed_count: 1 },
  ]);
});

const several = (path: string, list: string, allowed: string[]) => [
  { path, message: `is missing, and there are several; ${list} lists them`, allowed, allowed_count: allowed.length },
];

test("asks for the workspace or analysis, and never for the organization around it", async () => {
  // Fault: the error named `organization`, which is not listed beside `workspace`.
  await using s = await scene();
  const other = await s.addOrganization("Other");
  const workspaces = several("workspace", "list_workspaces", ["Acme workspace", "Other workspace"]);
  expect(await s.told("list_brands")).toEqual(workspaces);
  await s.addAnalysis("Shoes");
  await s.addAnalysis("Boots", other);
  expect(await s.told("get_visibility")).toEqual(workspaces);
  expect(await s.told("list_top_brands")).toEqual(several("analysis", "list_analyses", ["Shoes", "Boots"]));
  const wrongType = { workspace: "Acme workspace", analysis: "Shoes" };
  expect(await s.told("get_audit", wrongType)).toBe("nothing filled in");
});

test("an analysis of another workspace than the call names is not found, by id too", async () => {
  // Fault: the workspace would be ignored, and the result would be about another one.
  await using s = await scene();
  const analysis = await s.addAnalysis("Shoes");
  const second = await s.addWorkspace("Second");
  const given = { organization: s.acme.organizationId, workspace: second.workspaceId, analysis };
  for (const tool of ["list_top_brands", "get_visibility", "get_project_filters", "list_project_collects"])
    expect([tool, await s.told(tool, given)]).toEqual([tool, "NOT_FOUND"]);
  const own = { ...given, workspace: s.acme.workspaceId };
  expect(await s.told("list_top_brands", own)).toBe("nothing filled in");
});

test("fills in nothing that the caller may not read, and audits the rejection", async () => {
  // Attack: names of another tenant or of a closed workspace in a note or an error.
  await using s = await scene();
  const secret = await s.addWorkspace("Secret");
  await s.addAnalysis("Launch", secret);
  const rival = await s.w.insertTenant("Rival");
  const guest = await s.w.signIn("guest@acme.test", { organizationId: s.acme.organizationId, role: "guest" });
  await using theirs = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, {
    token: (await mintToolToken(s.w, guest)).token,
  });
  for (const [tool, given] of [
    ["get_visibility", {}],
    ["list_brands", {}],
    ["list_top_brands", {}],
    ["list_brands", { organization: rival.organization.id }],
    ["get_visibility", { organization: s.acme.organizationId, workspace: secret.workspaceId }],
    ["list_top_brands", { workspace: secret.workspaceId, analysis: "Launch" }],
  ] as const) {
    const answer = await theirs?.call(tool, given);
    expect([tool, answer?.isError]).toEqual([tool, true]);
    expect(answer?.text).not.toMatch(/Secret|Launch|Rival/);
  }
  await s.w.deps.audit.flush();
  const { q, t } = openCommitted(s.w.store);
  const rows = await q.select().from(t.auditLog);
  expect(rows.filter(({ outcome, userId }) => outcome === "VALIDATION_FAILED" && userId === guest.id).length).toBe(3);
});
