import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import { getChannel } from "../../core/actions/finding.ts";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import { SOURCE_NAMES, SOURCES } from "../../core/sources/sources.ts";
import { addMs } from "../../core/shared/time.ts";
import { collectScene } from "../../test/collecting/scene.ts";
import { openCommitted } from "../../test/support/committed.ts";
import { EMAIL, MAIN_JOB_ENV } from "../../test/main-job/main-job.ts";
import { RECORDED_ANSWERS } from "../../test/measurement/truth.ts";
import { WITHOUT_LIMITS } from "../../test/support/world.ts";

export interface RecordedAnswer {
  prompt: string;
  product: string;
  market_type: string;
  query_level: string;
  run: number;
  answer: string;
  cited_urls: string[];
  additional_urls: string[];
}

const FIRST = "2026-10-05T08:00:00.000Z";
const WEEK_MS = 7 * 86_400_000;
const STAGES = ["ToFu", "MoFu", "BoFu"] as const;

/** Analyses of recorded answers: products, own brand, rivals and number of collects. */
const RECORDED = [
  { products: ["Smartphone", "Laptop", "Smartwatch"], own: "Samsung", rivals: ["Apple", "Garmin", "BYD"], collects: 3 },
  { products: ["Headphones", "Drone", "3D Printer"], own: "Sony", rivals: ["Bose", "DJI"], collects: 3 },
  { products: ["Portable Projector", "Electric Car", "Smartphone"], own: "Anker", rivals: ["XGIMI"], collects: 2 },
];

export function recordedAnswers(): RecordedAnswer[] | undefined {
  if (!existsSync(RECORDED_ANSWERS)) return undefined;
  // Safe: rows of the recorded file have these fields (see its README).
  return readFileSync(RECORDED_ANSWERS, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedAnswer);
}

type Service = Awaited<ReturnType<typeof collectScene>>;

/** Addresses of one analysis, and its raw rows. */
export interface MeasuredAnalysis {
  client: string;
  project: string;
  path: string;
  get: Service["owner"]["get"];
  rows: Awaited<ReturnType<typeof rawRows>>;
  person: Service["owner"];
  /** Address of the workspace. */
  workspace: string;
}

/**
 * A service with the first `recorded` analyses of recorded answers, and optionally the demo's
 * simulated one.
 */
export async function measuredScene(
  answers: RecordedAnswer[] | undefined,
  of: { recorded: number; collects: number; demo: boolean },
) {
  const env = { ...(of.demo ? MAIN_JOB_ENV : {}), ...WITHOUT_LIMITS };
  const s = await collectScene({ env });
  const analyses: MeasuredAnalysis[] = [];
  if (answers) {
    const ids = await addBrands(s);
    const personas = [];
    for (const name of ["Beginner", "Expert"]) {
      const { body } = await s.owner.post(`${s.workspace.path}/personas`, { name, language: "en", country: "US" });
      personas.push(body.id as string);
    }
    const made: string[] = [];
    for (const one of RECORDED.slice(0, of.recorded)) {
      const collects = Math.min(one.collects, of.collects);
      made.push(await addAnalysis(s, answers, { one: { ...one, collects }, ids, personas }));
    }
    // Archived after its answers were read: its positions remain, without a row.
    await s.owner.delete(`${s.workspace.path}/brands/${ids.get("Google")}`);
    await waitForBackgroundWork(s);
    for (const [index, path] of made.entries()) {
      const id = path.split("/").at(-1) ?? "";
      if (index === 1) await makeWeekly(s, id);
      analyses.push(await readMeasured(s, path));
    }
  }
  if (of.demo) analyses.push(await demoAnalysis(s));
  return { analyses, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

export async function readMeasured(s: Service, path: string): Promise<MeasuredAnalysis> {
  const project = path.split("/").at(-1) ?? "";
  const rows = await rawRows(s, project);
  const { owner: person, organization, workspace } = s;
  return {
    client: organization.id,
    project,
    path,
    get: (at) => person.get(at),
    rows,
    person,
    workspace: workspace.path,
  };
}

export async function addBrands(s: Service): Promise<Map<string, string>> {
  const file = new URL("../../test/measurement/brands.json", import.meta.url);
  // Safe: the file is part of this repository.
  const brands = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[];
  const made = brands.filter(({ parent_id: parent }) => parent == null);
  const path = `${s.workspace.path}/brands`;
  const { status, body } = await s.owner.post(`${path}/bulk`, { brands: made.map(withoutIds) });
  if (status >= 300) throw new Error(JSON.stringify(body));
  const { q, t } = openCommitted(s.store);
  const stored = await q.select().from(t.brands).where(eq(t.brands.workspaceId, s.workspace.id));
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  for (const brand of brands.filter(({ parent_id: parent }) => parent != null)) {
    const parent = made.find(({ id }) => id === brand["parent_id"])?.["name"] as string;
    await s.owner.post(path, { ...withoutIds(brand), parent_id: ids.get(parent) });
  }
  return ids;
}

function withoutIds({ id: _id, parent_id: _parent, aliases, ...brand }: Record<string, unknown>) {
  const named = (aliases as unknown[]).map((one) => (typeof one === "string" ? { text: one } : one));
  return { ...brand, aliases: named, relationship: "competitor" };
}

async function addAnalysis(
  s: Service,
  answers: readonly RecordedAnswer[],
  by: { one: (typeof RECORDED)[number]; ids: ReadonlyMap<string, string>; personas: readonly string[] },
): Promise<string> {
  const { one, ids, personas } = by;
  const own = answers.filter(({ product }) => one.products.includes(product));
  const prompts = [...new Map(own.map((row) => [row.prompt, row])).values()];
  const thematics = [...new Set(prompts.map((row) => row.market_type))].map((thematic) => {
    const within = prompts.filter((row) => row.market_type === thematic);
    const topics = [...new Set(within.map(({ product }) => product))].map((topic) => ({
      name: topic,
      keywords: within
        .filter(({ product }) => product === topic)
        .map(({ prompt }) => {
          const at = prompts.findIndex((row) => row.prompt === prompt);
          const persona = personas[at % 3];
          return {
            text: prompt,
            funnel_stage: STAGES[at % 3],
            type: at % 9 === 8 ? "Brand" : "Generic",
            ...(persona === undefined ? {} : { persona_id: persona }),
          };
        }),
    }));
    return { name: thematic, topics };
  });
  const product = prompts[0]?.product ?? "";
  const naming = `${one.own} or another ${product.toLowerCase()}?`;
  thematics[0]?.topics[0]?.keywords.push({ text: naming, funnel_stage: "BoFu", type: "Generic" });
  const path = await s.create([], {
    sources: [],
    brand_id: ids.get(one.own),
    competitor_ids: one.rivals.map((name) => ids.get(name)),
    thematics,
  });
  for (let collect = 1; collect <= one.collects; collect += 1) {
    const lines = own.flatMap((row) =>
      linesOf(row, collect, { at: prompts.findIndex((it) => it.prompt === row.prompt) }),
    );
    const named = lines.filter(({ topic }) => topic === product).map((line) => ({ ...line, keyword: naming }));
    const unique = new Map(
      [...lines, ...named].map((line) => [JSON.stringify([line.keyword, line.source, line.run]), line]),
    );
    const sent = await s.owner.request("POST", `${path}/answers/import`, {
      body: [...unique.values()].map((line) => JSON.stringify(line)).join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    if (sent.status >= 300 || sent.body.rejected.length > 0) throw new Error(JSON.stringify(sent.body));
    await s.ended(path, sent.body.number);
  }
  return path;
}

/**
 * Import lines of one recorded run. Collects order runs differently, some prompts have one run and
 * others two, the second assistant lacks some answers, and its model changes for some prompts.
 */
function linesOf(row: RecordedAnswer, collect: number, { at }: { at: number }) {
  const nth = ((row.run - collect + 3) % 3) + 1;
  const common = {
    keyword: row.prompt,
    thematic: row.market_type,
    topic: row.product,
    collected_at: addMs(FIRST, (collect - 1) * WEEK_MS),
    text: row.answer,
    citations: row.cited_urls.slice(0, 20).map((url) => ({ url })),
    retrieved: row.additional_urls.slice(0, 20).map((url) => ({ url })),
  };
  const lines: (typeof common & { source: string; run: number; model: string; results?: object[] })[] = [];
  if (nth === 1 || (nth === 2 && at % 3 > 0)) lines.push({ ...common, source: "ASSISTANT_A", run: nth, model: "a-1" });
  const second = (nth % 3) + 1;
  if ((at + collect) % 4 > 0 && second <= 2) {
    const model = at % 5 === 0 && collect === 3 ? "b-2" : at % 7 === 3 ? `b-${second}` : "b-1";
    lines.push({ ...common, source: "ASSISTANT_B", run: second, model });
  }
  const pages = [...new Set([...row.cited_urls, ...row.additional_urls])].slice(0, 10);
  if (nth === 1 && pages.length > 0) {
    const results = pages.map((url, index) => ({ rank: index + 1, url }));
    lines.push({
      ...common,
      source: "SEARCH_A",
      run: 1,
      model: "page",
      text: "",
      citations: [],
      retrieved: [],
      results,
    });
  }
  return lines;
}

/** Waits until no re-extraction is pending and no collect is being summed. */
export async function waitForBackgroundWork(s: Service): Promise<void> {
  const { q, t } = openCommitted(s.store);
  const open = and(
    inArray(t.backgroundJobs.status, ["queued", "leased"]),
    inArray(t.backgroundJobs.kind, ["reread_answers", "end_collect"]),
  );
  for (let waited = 0; (await q.$count(t.backgroundJobs, open)) > 0; waited += 20) {
    if (waited > 60_000) throw new Error("the answers were not read again in 60 s");
    await sleep(20);
  }
}

/** Imports have no schedule; with one, a collect is compared with several earlier ones. */
async function makeWeekly(s: Service, id: string): Promise<void> {
  await s.store.write(async ({ q, t }) => {
    const schedule = { every: "weekly", at: "06:00", time_zone: "UTC" } as const;
    await q.update(t.analyses).set({ schedule }).where(eq(t.analyses.id, id));
  });
}

async function demoAnalysis(s: Service): Promise<MeasuredAnalysis> {
  const person = await s.signIn(EMAIL);
  const { data } = (await person.get("/v1/workspaces")).body;
  const demo = data.find((one: { name: string }) => one.name === "Espresso machines");
  const path = `/v1/organizations/${demo.organization_id}/workspaces/${demo.id}/analyses`;
  const id = (await person.get(path)).body.data[0].id as string;
  await waitForBackgroundWork(s);
  const rows = await rawRows(s, id);
  const workspace = path.replace(/\/analyses$/, "");
  return {
    client: demo.organization_id,
    project: id,
    path: `${path}/${id}`,
    get: (at) => person.get(at),
    rows,
    person,
    workspace,
  };
}

/** The raw rows behind an analysis's figures, without the product's rollups. */
async function rawRows(s: Service, analysisId: string) {
  const { q, t } = openCommitted(s.store);
  const [analysis] = await q.select().from(t.analyses).where(eq(t.analyses.id, analysisId));
  if (!analysis) throw new Error("there is no such analysis");
  const brands = await q.select().from(t.brands).where(eq(t.brands.workspaceId, analysis.workspaceId));
  const answers = await q.select().from(t.answers).where(eq(t.answers.analysisId, analysisId));
  const keys = new Set(answers.map(({ key }) => key));
  const places = (await q.select().from(t.places)).filter(({ answerKey }) => keys.has(answerKey));
  const citations = (await q.select().from(t.citations)).filter(({ answerKey }) => keys.has(answerKey));
  const collects = await q.select().from(t.collects).where(eq(t.collects.analysisId, analysisId));
  const compared = await q.select().from(t.analysisCompetitors).where(eq(t.analysisCompetitors.analysisId, analysisId));
  const facets = await q.select().from(t.facets).where(eq(t.facets.analysisId, analysisId));
  const personas = await q.select().from(t.personas).where(eq(t.personas.workspaceId, analysis.workspaceId));
  const questions = await q.select().from(t.questions).where(eq(t.questions.analysisId, analysisId));
  return {
    own: analysis.brandId,
    scheduled: analysis.schedule.every !== "once",
    country: parseLocation(analysis.setup).country,
    compared: compared.map(({ brandId }) => brandId),
    labels: Object.fromEntries([...facets, ...personas].map(({ id, name }) => [id, name])),
    source_names: SOURCE_NAMES,
    channels: Object.fromEntries(SOURCES.map((source) => [source, getChannel(source)])),
    brands: brands.map(({ id, number, name, aliases, parentId, archivedAt }) => {
      return {
        id,
        number,
        name,
        aliases: aliases.map(({ text }) => text),
        parent_id: parentId,
        archived: archivedAt !== null,
      };
    }),
    questions: questions.map(({ id, position, text, type, topicId, thematicId, personaId, funnelStage, ...row }) => {
      const of = { topic_id: topicId, thematic_id: thematicId, persona_id: personaId, funnel_stage: funnelStage };
      const asks = {
        kind: row.promptKind,
        country: row.country,
        brand_id: row.askedBrandId,
        look_alike: row.lookAlike,
      };
      return { id, position, text, type, ...of, ...asks };
    }),
    collects: collects.map(({ id, number, collectedFrom, collectedTo, isImported, summedVersion }) => {
      return { id, number, from: collectedFrom, to: collectedTo, is_imported: isImported, version: summedVersion };
    }),
    answers: answers.map(({ key, collectId, questionId, source, run, collectionMethod, model, isShown }) => {
      return {
        key,
        collect_id: collectId,
        question_id: questionId,
        source,
        run,
        method: collectionMethod,
        model,
        shown: isShown,
      };
    }),
    places: places.map((row) => [row.answerKey, row.brandNumber, row.rank, row.brandRank, row.mentions, row.url]),
    citations: citations.map((row) => {
      return [row.answerKey, row.position, row.isCited, row.url, row.domain, row.competitorType, row.brandNumber];
    }),
  };
}
