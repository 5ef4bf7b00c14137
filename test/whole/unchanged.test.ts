import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { findAccessRule } from "../access/access-table.ts";
import { openCommitted } from "../support/committed.ts";
import { call, parametersOf, type Fields } from "./call.ts";
import { watchChanges, type Changes } from "./changes.ts";
import { exampleOf, expectOk, listResourceIds, openScene, SCENE_TIMEOUT_MS, targetOf, type Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

let scene: Scene;
let chains: Map<string, ResourceIds[]>;
let changes: Changes;

beforeAll(async () => {
  scene = await openScene({ env: { PARTNER_BASE_URL: "https://partner.example" } });
  chains = await listResourceIds(scene.owner, scene.home);
  changes = watchChanges(scene.w.store.file);
}, SCENE_TIMEOUT_MS);
afterAll(async () => {
  changes.close();
  await scene[Symbol.asyncDispose]();
});

const patches = endpoints.filter(({ method }) => method === "PATCH");
/** Changing a setup consumes a quote, so it cannot be repeated. */
const puts = endpoints.filter(({ method, name }) => method === "PUT" && name !== "changeSetup");

/** A different value for every field of a PATCH body, each valid alone. */
const OTHER: Record<string, Fields> = {
  updateMe: { name: "Another" },
  updateOrganization: { name: "Another", monthly_credit_cap: 900_000_000, approval_above_credits: 70_000 },
  updateWorkspace: { name: "Another" },
  updateBrand: {
    name: "Another",
    domains: ["another.example"],
    aliases: [{ text: "Anozher", case_sensitive: true }],
    excluded_phrases: ["another one"],
    relationship: "other",
  },
  updateBrandFact: {
    attribute: "another",
    value: { kind: "feature", present: false },
    source_url: "https://another.example/",
    as_of: "2020-02-02",
  },
  updatePersona: {
    name: "Another",
    archetype: "another",
    description: "Another.",
    demographic: { age: "another" },
    motivations: ["Another"],
    pain_points: ["Another"],
    core_questions: ["Another?"],
    language: "fi",
    country: "FI",
  },
  updateTag: { name: "Another", color: "#123456", position: 0 },
  updateOrganizationTag: { name: "Another", color: "#123456", position: 0 },
  updateAnalysis: { name: "Another" },
  updateAuditPage: { page_type: "product" },
  updateAssetEvaluation: { name: "Another" },
  updateRecommendedAction: { workflow_status: "confirmed" },
  updateRecommendedActionBrief: { title: "Another", body: "Another.", status: "in_progress" },
  updateContentBrief: {
    title: "Another",
    audience: { persona_id: null, name: "Another", description: "", motivations: [], pain_points: [] },
    outline: [{ heading: "Another", points: [] }],
    questions: ["Another?"],
  },
  updatePlatformIntegration: { status: "disabled" },
  updatePlatformAccount: { status: "active" },
};

/** Fields whose change another test covers, with the reason. */
const ELSEWHERE: Record<string, string> = {
  "updateOrganization owners_need_second_factor": "needs a second factor of the caller's own",
  "updateBrand kind": "goes with a parent",
  "updateBrand parent_id": "goes with a kind",
  "updateTag parent": "needs a tag without children and another of the first level",
  "updateOrganizationTag parent": "needs a tag without children and another of the first level",
  "updateTag order": "ignored by contract",
  "updateOrganizationTag order": "ignored by contract",
};

/** A step that the workflow refuses: an action has the status already. */
const REFUSES_A_REPEAT = new Set(["updateRecommendedAction"]);

const bodyFields = (of: AnyEndpoint) =>
  Object.keys(of.input.shape as Fields).filter((key) => !parametersOf(of).includes(key));

async function targetIds(endpoint: AnyEndpoint): Promise<ResourceIds> {
  const ids: ResourceIds = { ...scene.home, ...chains.get(endpoint.path)?.[0] };
  const at = { person: scene.owner, home: scene.home, ids };
  const create = endpoints.find(
    ({ method, path }) => method === "POST" && path === endpoint.path.replace(/\/:\w+$/, ""),
  );
  if (create?.group !== "Tags") return targetOf(endpoint, at);
  const { id } = expectOk(await call(scene.owner, create, ids, { name: "Last" }), create.name);
  return { ...ids, tag_id: id };
}

/** Tables of the caller's token, and of jobs without work. */
const AROUND_A_CALL = new Set(["token_families", "background_jobs"]);

/** The rows of successful calls of an endpoint that a call adds to the audit log. */
async function entriesOf(endpoint: AnyEndpoint, work: () => Promise<unknown>): Promise<(string | null)[]> {
  const { q, t } = openCommitted(scene.w.store);
  const before = scene.w.deps.newId();
  await work();
  const rows = await q
    .select({ text: t.auditLog.text })
    .from(t.auditLog)
    .where(and(gt(t.auditLog.id, before), eq(t.auditLog.endpoint, endpoint.name), eq(t.auditLog.outcome, "ok")));
  return rows.map(({ text }) => text);
}

/** Sends a body that changes nothing, and returns the response. */
async function expectUnchanged(endpoint: AnyEndpoint, ids: ResourceIds, body: unknown): Promise<Fields> {
  const mark = changes.count();
  let answer: Fields = {};
  const entries = await entriesOf(endpoint, async () => {
    answer = expectOk(await call(scene.owner, endpoint, ids, body), endpoint.name);
  });
  const written = changes.since(mark).filter((table) => !AROUND_A_CALL.has(table));
  expect([endpoint.name, entries, written]).toEqual([endpoint.name, [], []]);
  return answer;
}

test("every field of every PATCH body has another value here, or is tested elsewhere", () => {
  const missing = patches.flatMap((endpoint) =>
    bodyFields(endpoint)
      .filter((field) => !(field in (OTHER[endpoint.name] ?? {})) && !(`${endpoint.name} ${field}` in ELSEWHERE))
      .map((field) => `${endpoint.name} ${field}`),
  );
  expect(missing, "Add another valid value of each to OTHER in this file, or the reason to ELSEWHERE.").toEqual([]);
});

test.each(patches.map((endpoint) => [endpoint.name, endpoint] as const))(
  "%s writes one audit entry that names the changed field, and none without a change",
  async (name, endpoint) => {
    const ids = await targetIds(endpoint);
    for (const [field, value] of Object.entries(OTHER[name] ?? {})) {
      const body = { [field]: value };
      const texts = await entriesOf(endpoint, async () => {
        expectOk(await call(scene.owner, endpoint, ids, body), `${name} ${field}`);
      });
      expect([field, texts.length]).toEqual([field, 1]);
      const named = endpoint.logged?.includes(`{${field}}`) ? String(value) : field.replaceAll("_", " ");
      expect(texts[0]).toContain(named);
      if (REFUSES_A_REPEAT.has(name)) return;
      const answer = await expectUnchanged(endpoint, ids, body);
      if (!endpoint.input.safeParse(ids).success) continue;
      await expectUnchanged(endpoint, ids, {});
      const stored = bodyFields(endpoint).filter((key) => answer[key] !== undefined);
      await expectUnchanged(endpoint, ids, Object.fromEntries(stored.map((key) => [key, answer[key]])));
    }
  },
);

test.each(puts.map((endpoint) => [endpoint.name, endpoint] as const))(
  "%s writes no audit entry when it stores the same value",
  async (_name, endpoint) => {
    const ids = await targetIds(endpoint);
    const at = { person: scene.owner, home: scene.home, ids };
    const body = findAccessRule(endpoint.name)?.body === undefined ? {} : ((await exampleOf(endpoint, at)) as Fields);
    expectOk(await call(scene.owner, endpoint, ids, body), endpoint.name);
    // A secret is sealed again wherever it is sent.
    const { api_token: _token, ...again } = body;
    await expectUnchanged(endpoint, ids, again);
  },
);
