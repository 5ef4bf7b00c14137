import { insertEvaluation } from "../../db/assets/asset-evaluations.ts";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { MAX_EXPORTS } from "../../core/exports/exports.ts";
import { isFilledTarget } from "../../src/call/call-targets.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { EXAMPLE_BASE_URL, buildToolTable } from "../../src/http/mcp/tools/tool-table.ts";
import { SOURCES, type Source } from "../../core/sources/sources.ts";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { budgetText, readListing, RESULT_BUDGET, type Weight } from "./budget.ts";
import { insertLargeAudit } from "../audits/large-audit.ts";
import { fullEvidence, insertActionScene } from "../support/action-scene.ts";
import type { Db } from "../../db/engine/store.ts";
import { insertScene, type Scene, type SceneAnswer } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { findMissingFacts } from "../support/text-facts.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const ASKED: readonly Source[] = SOURCES.slice(0, 6);
const LONG_TEXT = "Die Antwort nennt viele Marken und erklärt jede ausführlich. ".repeat(900);

const SETUP = {
  website: "https://acme.example",
  sources: ASKED,
  country: "US",
  language: "en",
  device: "desktop",
  runs_per_prompt: 1,
};

/**
 * Far more than a result can hold: 300 keywords, 120 brands, 1,800 answers, and a very long one.
 */
function largeScene(newId: () => string) {
  const ids = (count: number) => Array.from({ length: count }, newId);
  const [brands, thematics, topics, keywords] = [ids(120), ids(60), ids(120), ids(300)];
  const answers = keywords.flatMap((keyword, k) =>
    ASKED.map((source, s): SceneAnswer => ({
      id: newId(),
      keyword,
      source,
      text: k + s === 0 ? LONG_TEXT : `Answer ${k} names brand ${k % 120}.`,
      places: Array.from({ length: 10 }, (_, rank) => ({
        brand_id: at(brands, k + s + rank),
        rank: rank + 1,
        url: `https://brand${rank}.example/a/page/that/is/long/enough/to/weigh/something/${k}`,
      })),
      cited: Array.from({ length: 8 }, () => "NEWS_MEDIA" as const),
    })),
  );
  const scene: Scene = {
    projectId: newId(),
    ownBrandId: at(brands, 0),
    brands: brands.map((id, index) => ({
      id,
      name: `Brand with a long name ${index}`,
      domains: [`b${index}.example`],
    })),
    facets: [
      ...thematics.map((id, index) => ({ id, kind: "thematic" as const, name: `Thematic ${index}` })),
      ...topics.map((id, index) => ({
        id,
        kind: "topic" as const,
        name: `Topic ${index}`,
        parentId: at(thematics, index),
      })),
    ],
    personas: ids(110).map((id, index) => ({ id, name: `Persona ${index}` })),
    keywords: keywords.map((id, index) => ({
      id,
      text: `what is the best thing of kind number ${index}?`,
      thematicId: at(thematics, index),
      topicId: at(topics, index),
    })),
    collects: [{ id: newId(), number: 1, answers }],
  };
  return { scene, keywordId: at(keywords, 0) };
}

test("no tool returns more than 8,000 tokens, for any arguments, with equal facts in both forms", async () => {
  await using w = await world({ env: { SERVE: "core,search,mcp" } });
  const { owner, organization, workspace } = await w.acme();
  const tenant = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const { scene, keywordId } = largeScene(w.deps.newId);
  await w.store.write(async (db) => {
    await insertScene(db, tenant, scene);
    await db.q.update(db.t.analyses).set({ setup: SETUP });
  });
  const [collect] = scene.collects;
  const asset = await owner.post(`${workspace.path}/assets`, { name: "Long", text: LONG_TEXT });
  const action = await insertActionScene(w, tenant, {
    action: { evidence: Array.from({ length: 20 }, (_, k) => fullEvidence(w.deps.newId, k)), evidenceCount: 20 },
    brief: { body: LONG_TEXT },
  });
  const own = await insertTags(w, tenant);
  const shared = await insertTags(w, { ...tenant, workspaceId: null });
  const content = await owner.post(`${workspace.path}/content-briefs`, {
    analysis_id: scene.projectId,
    keyword_ids: scene.keywords.slice(0, 50).map(({ id }) => id),
  });
  const evaluationId = await insertLargeEvaluation(w, { ...tenant, assetId: asset.body.id });
  const audit = await w.store.write((db) => insertLargeAudit(db, { ...tenant, newId: w.deps.newId }, 100));
  const exported = await w.store.write((db) => insertExports(db, tenant, w.deps.newId));
  const known: Record<string, unknown> = {
    organization: organization.id,
    workspace: workspace.id,
    analysis: scene.projectId,
    collect: collect?.id,
    answer: collect?.answers[0]?.id,
    keyword: keywordId,
    brand: scene.ownBrandId,
    persona: scene.personas?.[0]?.id,
    asset: asset.body.id,
    evaluation: evaluationId,
    action: action.resultId,
    content_brief: content.body.id,
    export: exported,
    task: action.taskId,
    tag: own,
    sources: [],
    thematics: [],
    keyword_types: [],
    limit: 100,
  };
  const ofAudit = { analysis: audit.analysisId, page: audit.pageId };
  const { token } = await mintToolToken(w, owner);
  const [connect] = Object.values(CLIENTS);
  await using client = await connect?.(w.config.mcpUrl, { token });
  const weights: Weight[] = [];
  for (const { name, endpoint, listed } of buildToolTable(endpoints, EXAMPLE_BASE_URL).tools) {
    const listing = countTokens(readListing(listed));
    const setup = largeSetups(scene)[name];
    if (!isReadEndpoint(endpoint) && !setup) {
      weights.push({ name, listing, result: null });
      continue;
    }
    const targets = Object.keys(endpoint.input.shape).filter((field) => isFilledTarget(endpoint, field));
    const wanted = [...(listed.inputSchema.required ?? []), ...targets.map(toToolParameterName), "limit"];
    const properties = Object.keys(listed.inputSchema.properties ?? {});
    const others = name === "get_organization_tag" ? { tag: shared } : endpoint.group === "GEO Audits" ? ofAudit : {};
    const values: Record<string, unknown> = { ...known, ...others };
    const given = Object.fromEntries(wanted.filter((key) => properties.includes(key)).map((key) => [key, values[key]]));
    Object.assign(given, setup);
    const answer = await client?.call(name, given);
    expect(answer?.isError, `${name}: ${answer?.text}`).toBe(false);
    const tokens = [answer?.text ?? "", JSON.stringify(answer?.structured)].map((text) => countTokens(text));
    weights.push({ name, listing, result: Math.max(...tokens) });
    expect({ name, missing: findMissingFacts(answer?.structured, answer?.text ?? "") }).toEqual({ name, missing: [] });
  }
  console.info(budgetText(weights));
  expect(weights.filter(({ result }) => (result ?? 0) > RESULT_BUDGET)).toEqual([]);
});

/** A hundred first-level tags, the first with two hundred children; returns its id. */
async function insertTags(
  { store, deps }: Awaited<ReturnType<typeof world>>,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string | null },
): Promise<string> {
  const createdAt = deps.now();
  const space = { organizationId, workspaceId, color: "#112233", createdAt, updatedAt: createdAt };
  const tag = (parentId: string | null) => (_: unknown, position: number) => ({
    ...space,
    id: deps.newId(),
    parentId,
    name: `Tag ${position} with a name that is rather long`,
    position,
  });
  const tops = Array.from({ length: 100 }, tag(null));
  const id = tops[0]?.id ?? "";
  const children = Array.from({ length: 200 }, tag(id));
  await store.write((db) => db.bulkInsert(db.t.tags, [...tops, ...children]));
  return id;
}

/** Arguments besides ids for tools that change nothing, or little. */
function largeSetups({ ownBrandId, keywords }: Scene): Record<string, Record<string, unknown>> {
  const asked = keywords.map(({ text }) => ({ text, type: "Generic", funnel_stage: "ToFu" }));
  return {
    price_search_analysis: {
      ...SETUP,
      name: "Large",
      brand: ownBrandId,
      thematics: [{ name: "Thematic", topics: [{ name: "Topic", keywords: asked }] }],
    },
    create_persona: { name: "Long", description: "Buys slowly and reads everything. ".repeat(50) },
  };
}

/** An evaluation of fifty assets with maximum quotes. */
async function insertLargeEvaluation(
  { store, deps }: Awaited<ReturnType<typeof world>>,
  by: { organizationId: string; workspaceId: string; userId: string; assetId: string },
): Promise<string> {
  const { userId: createdBy, assetId, ...ids } = by;
  const [id, time] = [deps.newId(), deps.now()];
  const text = LONG_TEXT.slice(0, 300);
  const mark = {
    score: 50,
    explanation: text.repeat(3),
    quotes: [0, 1, 2].map((start) => ({ text, start, end: 300 })),
  };
  const attributes = ["a", "b", "c", "d", "e", "f"].map((attribute) => ({
    attribute,
    status: "judged" as const,
    ...mark,
  }));
  await store.write(async (db) => {
    const numbers = { run: 1, planned: 50, judged: 50, unitCredits: 1, reservedCredits: 0, costCredits: 50 };
    const setup = {
      name: "E",
      status: "completed",
      assetClass: "text",
      category: "c",
      language: "en",
    } as const;
    const dates = { createdAt: time, updatedAt: time };
    await insertEvaluation({ db, ...ids }, { id, createdBy, attributes: [], ...setup, ...numbers, ...dates });
    const rows = Array.from({ length: 50 }, (_, position) => ({ evaluationId: id, run: 1, position, assetId }));
    const judged = { status: "judged" as const, droppedQuotes: 0, scorer: "rules-1", ...mark, attributes };
    await db.bulkInsert(
      db.t.assetScores,
      rows.map((row) => ({ ...row, ...judged })),
    );
  });
  return id;
}

function at<T>(list: readonly T[], index: number): T {
  // The lists of the scene are not empty.
  return list[index % list.length] as T;
}

/** The maximum number of exports, each of many analyses, with files; returns one id. */
async function insertExports(
  db: Db,
  { userId, ...tenant }: { organizationId: string; workspaceId: string; userId: string },
  newId: () => string,
): Promise<string | undefined> {
  const ended = "2026-11-21T04:31:00.000Z";
  const rows = Array.from({ length: MAX_EXPORTS.kept }, () => ({
    ...tenant,
    id: newId(),
    what: "answers" as const,
    format: "jsonl" as const,
    filters: { analysis_ids: Array.from({ length: 100 }, () => newId()) },
    status: "completed" as const,
    rows: 200_000,
    sizeBytes: 600_000_000,
    sha256: "0".repeat(64),
    hasFile: true,
    asOf: ended,
    createdBy: userId,
    createdAt: ended,
    finishedAt: ended,
    expiresAt: ended,
  }));
  await db.bulkInsert(db.t.exports, rows);
  return rows[0]?.id;
}
