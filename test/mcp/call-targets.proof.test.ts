import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { getToolInput, isFilledTarget } from "../../src/call/call-targets.ts";
import { KIND_BY_TARGET_FIELD, TARGET_FIELDS } from "../../src/call/list-targets.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { endpoints } from "../../tools/index.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";

const { tools } = buildToolTable(endpoints, EXAMPLE_BASE_URL);

/** Organization, workspace or analysis of each tool that it takes. */
const TARGETS = tools.flatMap(({ name, endpoint }) =>
  TARGET_FIELDS.filter((field) => field in getToolInput(endpoint).shape).map((field) => ({
    name,
    endpoint,
    parameter: toToolParameterName(field),
    kind: KIND_BY_TARGET_FIELD[field],
    isFilled: isFilledTarget(endpoint, field),
  })),
);

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const LONG_TEXT = "x".repeat(300);

/** Values that are no name, and the message of each kind of value. */
const VALUES: readonly [value: unknown, message: "missing" | "kind" | "name" | "id"][] = [
  [undefined, "missing"],
  [null, "missing"],
  ["", "missing"],
  [5, "name"],
  [true, "kind"],
  [{ name: "Acme" }, "kind"],
  [{}, "kind"],
  [[], "kind"],
  [["Acme", "Other"], "kind"],
  [LONG_TEXT, "kind"],
  ["A\ud800", "kind"],
  ["Acmee", "name"],
  ["A\0", "name"],
  [UNKNOWN_ID, "id"],
];

async function scene() {
  const w = await world({ env: { ...WITHOUT_LIMITS, SERVE: "core,search,mcp" } });
  const { owner, organization, workspace } = await w.acme();
  const other = await w.insertTenant("Other");
  await w.signIn("owner@acme.test", { organizationId: other.organization.id, role: "owner" });
  const second = { id: w.deps.newId(), name: "Second", createdAt: w.deps.now(), updatedAt: w.deps.now() };
  await w.store.write((db) => insertWorkspace({ db, organizationId: organization.id }, second));
  const acme = { organizationId: organization.id, workspaceId: workspace.id };
  for (const [name, at] of [
    ["Boots", acme],
    ["Shoes", acme],
    ["Hats", { ...acme, workspaceId: second.id }],
    ["Gloves", { organizationId: other.organization.id, workspaceId: other.workspace.id }],
  ] as const) {
    const { analysisId } = await insertActionScene(w, { ...at, userId: owner.id });
    await w.store.write(({ q, t }) => q.update(t.analyses).set({ name }).where(eq(t.analyses.id, analysisId)));
  }
  const client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token: (await mintToolToken(w, owner)).token });
  if (!client) throw new Error("there is no such client");
  return {
    async fault(name: string, given: Record<string, unknown>) {
      const { isError, text } = await client.call(name, given);
      const { code, fields } = isError ? JSON.parse(text) : { code: "none", fields: [] };
      return { code, fields: (fields ?? []) as { path: string; message: string; allowed?: string[] }[] };
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
    },
  };
}

/** Known values of the parameters around a target. */
const AROUND = {
  organization: {},
  workspace: { organization: "Acme" },
  analysis: { organization: "Acme", workspace: "Acme workspace" },
} as const;
const CANDIDATES = {
  organization: ["Acme", "Other"],
  workspace: ["Acme workspace", "Second"],
  analysis: ["Boots", "Shoes"],
} as const;

test("each tool answers a missing, misspelt or wrong organization or workspace with the candidates", async () => {
  // Fault: NOT_FOUND "No such organization" for a number, a list or an id with a wrong digit.
  await using s = await scene();
  const wrong: unknown[] = [];
  for (const { name, endpoint, parameter, kind, isFilled } of TARGETS) {
    if (kind === "analysis" || !isFilled) continue;
    const taken = ["organization_id", "client_id"].some((field) => field in getToolInput(endpoint).shape);
    // A missing organization is implied by its workspace or analysis, which the error then names.
    const isImplied = kind === "organization" && TARGETS.some((one) => one.name === name && one.kind !== kind);
    for (const [value, problem] of VALUES) {
      if (isImplied && problem === "missing") continue;
      const message = {
        missing: `is missing, and there are several; list_${kind}s lists them`,
        kind: "must be a name or an id",
        name: `matches no ${kind}; use one of allowed`,
        id: "is not found; use one of allowed",
      }[problem];
      const allowed = expect.arrayContaining([...CANDIDATES[kind]]) as unknown;
      const expected = {
        code: problem === "id" ? "NOT_FOUND" : "VALIDATION_FAILED",
        fields: [{ path: parameter, message, allowed, allowed_count: 2 }],
      };
      const given = { ...(taken ? AROUND[kind] : {}), ...(value === undefined ? {} : { [parameter]: value }) };
      const fault = await s.fault(name, given);
      if (!isDeepEqual(fault, expected)) wrong.push({ name, parameter, value, fault });
    }
  }
  expect(wrong).toEqual([]);
}, 240_000);

function isDeepEqual(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

test("no tool answers NOT_FOUND for a wrong analysis or a misspelt parameter without candidates", async () => {
  await using s = await scene();
  const without: unknown[] = [];
  const check = async (name: string, given: Record<string, unknown>) => {
    const { code, fields } = await s.fault(name, given);
    if (code === "NOT_FOUND" && !fields.some(({ allowed = [] }) => allowed.length > 0)) without.push({ name, given });
  };
  for (const { name, endpoint, parameter, kind } of TARGETS) {
    await check(name, { ...AROUND[kind], [`the_${parameter}`]: "Acme" });
    const hasAnalyses = endpoint.analysisTypes?.includes("search_analysis") ?? true;
    if (kind !== "analysis" || !hasAnalyses) continue;
    for (const [value] of VALUES) await check(name, { ...AROUND[kind], [parameter]: value });
  }
  expect(without).toEqual([]);
}, 240_000);
