import { openCatalogCache } from "../../db/catalog/catalogs.ts";
import { insertBrand } from "../../db/catalog/brands.ts";
import { grantCredits, reserveCredits, type LedgerCause } from "../../db/credits/credits.ts";
import { insertOrganization } from "../../db/identity/organizations.ts";
import { insertPersona } from "../../db/catalog/personas.ts";
import type { Db, Tenant } from "../../db/engine/store.ts";
import { replaceAnalysisTags } from "../../db/catalog/taggings.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { launchAnalysis } from "../../tools/analyses/launch-analysis.ts";
import { collectsCost } from "../../tools/collects/collect-cost.ts";
import { searchAnalysis } from "../../tools/analyses/kinds/search-analysis/search-analysis.ts";
import {
  eachKeyword,
  type SearchAnalysisSetup,
} from "../../tools/analyses/kinds/search-analysis/search-analysis-setup.ts";
import { addTextAsset } from "../../tools/assets/create-asset.ts";
import { normaliseSetup as evaluationSetup } from "../../tools/asset-evaluations/evaluation-setup.ts";
import { startEvaluation } from "../../tools/asset-evaluations/start-evaluation.ts";
import { addTag } from "../../tools/tags/add-tag.ts";
import type { SourceAdapters } from "../../core/sources/adapters.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import type { PriceTable } from "../../core/credits/prices.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { addBrand } from "../../tools/brands/store-brand.ts";
import { readWorld } from "../outside/sources/simulated/world-file.ts";
import { insertSiteAudit } from "./demo-audit.ts";
import { insertDemoCollect, type DemoQuestion } from "./demo-collects.ts";
import { insertBrandAnalysis } from "./demo-brand-analysis.ts";
import {
  BRAND_ANALYSIS_SETUP,
  RUN_COUNT,
  DEMO_EVALUATION,
  NEWCOMER_BRAND,
  OWN_BRAND,
  DEMO_PAGE,
  DEMO_PERSONAS,
  DEMO_PROMPTS,
  DEMO_COMPETITORS,
  DEMO_TAGS,
} from "./demo-content.ts";

const DEMO_CREDITS = 10_000;
const COLLECTED_AT = "06:00";
const DAY_MS = 86_400_000;

interface DemoContext {
  ownerId: string;
  now: Instant;
  newId: () => string;
  prices: PriceTable;
  adapters: SourceAdapters;
}

/** The worker completes the audit, the evaluation and all follow-up jobs. */
export async function insertDemo(db: Db, demo: DemoContext): Promise<void> {
  const { ownerId, now, newId } = demo;
  const tenant: Tenant = { db, organizationId: newId(), workspaceId: newId() };
  const organization = {
    id: tenant.organizationId,
    name: "Demo (simulated)",
    plan: "demo",
    modules: ["search"],
    quotas: {},
  };
  await insertOrganization(db, { ...organization, createdAt: now }, ownerId);
  const dates = runDates(now);
  const [began = now] = dates;
  const { ownId, analysisId } = await insertHistory(tenant, { ...demo, now: began }, dates);
  const tagging = { now, newId };
  const parent = await addTag(tenant, DEMO_TAGS.parent, tagging);
  const child = await addTag(tenant, { ...DEMO_TAGS.child, parent: parent.id }, tagging);
  await replaceAnalysisTags(tenant, analysisId, [child.id]);
  const stamps = { createdAt: now, updatedAt: now };
  const page = {
    id: newId(),
    name: DEMO_PAGE.name,
    sizeBytes: Buffer.byteLength(DEMO_PAGE.text),
    createdBy: ownerId,
    ...stamps,
  };
  await addTextAsset({ tenant, now }, page, DEMO_PAGE.text);
  await evaluatePage(tenant, { ...demo, userId: ownerId }, { assetId: page.id, brandId: ownId });
  await insertSiteAudit(tenant, { ...demo, reserve });
}

function runDates(now: Instant): Instant[] {
  const today = `${now.slice(0, 10)}T${COLLECTED_AT}:00.000Z`;
  const last = today > now ? addMs(today, -DAY_MS) : today;
  return Array.from({ length: RUN_COUNT }, (_, index) => addMs(last, (index + 1 - RUN_COUNT) * 7 * DAY_MS));
}

async function insertHistory(tenant: Tenant, demo: DemoContext, dates: Instant[]) {
  const { ownerId, now, newId } = demo;
  const stamps = { createdAt: now, updatedAt: now };
  await insertWorkspace(tenant, { id: tenant.workspaceId, name: "Espresso machines", ...stamps });
  const note = "Credits of the demo organization";
  await grantCredits(tenant, DEMO_CREDITS, { id: newId(), at: now, note, userId: ownerId });
  const personaIds = new Map<string, string>();
  for (const { topic, ...persona } of DEMO_PERSONAS) {
    const row = await insertPersona(tenant, { id: newId(), ...persona, language: "en", country: "US", ...stamps });
    personaIds.set(topic, row.id);
  }
  const brandIds: string[] = [];
  for (const name of [OWN_BRAND, ...DEMO_COMPETITORS]) {
    const change = { id: newId(), by: ownerId, at: now };
    brandIds.push((await insertBrand(tenant, { id: newId(), ...buildDemoBrand(name), ...stamps }, change)).id);
  }
  const [ownId = "", ...rivalIds] = brandIds;
  const given = { ...buildSetup(ownId, rivalIds, personaIds), ends_at: dates.at(-1) ?? now };
  const setup = await searchAnalysis.normalise(tenant, given, {
    now,
    catalogs: openCatalogCache(),
    adapters: demo.adapters,
  });
  const cost = collectsCost(searchAnalysis, setup, demo);
  const unitCredits = searchAnalysis.unitCredits(demo.prices);
  const analysisId = newId();
  const why = { at: now, note: `Reserved for the search analysis ${setup.name}`, analysisId, userId: ownerId };
  await reserve(tenant, cost.total_credits, { id: newId(), ...why });
  const launch = { id: analysisId, setup, cost, unitCredits, userId: ownerId, now, newId };
  // No keyword provider: the keywords are invented.
  await launchAnalysis(searchAnalysis, tenant, { ...launch, startedCollectCount: 0, pastCollects: RUN_COUNT });
  // A custom simulation configured by the operator does not know these brands.
  const simulatedWorld = readWorld();
  const { settings } = searchAnalysis.plan(setup);
  const asking = {
    simulatedWorld,
    analysisId,
    kind: searchAnalysis,
    settings,
    questions: listSearchQuestions(setup),
    unitCredits,
    newId,
  };
  for (const [index, at] of dates.entries()) {
    const number = index + 1;
    if (number === NEWCOMER_BRAND.beforeCollect)
      await addBrand({ tenant, now: at, newId, userId: ownerId }, buildDemoBrand(NEWCOMER_BRAND.name));
    const collect = { number, at, isLast: number === RUN_COUNT };
    await insertDemoCollect(tenant, { ...asking, credits: cost.per_collect }, collect);
  }
  const opinions = {
    ownId,
    rivalIds: rivalIds.slice(0, BRAND_ANALYSIS_SETUP.rivals),
    personaId: personaIds.get(BRAND_ANALYSIS_SETUP.persona) ?? "",
    dates: dates.slice(-BRAND_ANALYSIS_SETUP.collects),
  };
  await insertBrandAnalysis(tenant, { ...demo, simulatedWorld, reserve }, opinions);
  return { ownId, analysisId };
}

function listSearchQuestions(setup: SearchAnalysisSetup): DemoQuestion[] {
  const { country, language } = setup;
  return [...eachKeyword(setup)].map(({ keyword, thematic, topic }) => {
    return { prompt: keyword.text, thematic, topic, persona: null, country, language };
  });
}

function buildDemoBrand(name: string) {
  return {
    name,
    domains: [`${name.toLowerCase()}.example`],
    aliases: [],
    excludedPhrases: [],
    kind: "brand" as const,
    parentId: null,
    relationship: name === OWN_BRAND ? ("mine" as const) : ("competitor" as const),
  };
}

async function reserve(tenant: Tenant, credits: number, cause: LedgerCause): Promise<void> {
  const { workspaceId } = tenant;
  if (!(await reserveCredits(tenant, credits, { ...cause, workspaceId }))) {
    throw new Error("The demo costs more than its credits.");
  }
}

async function evaluatePage(
  tenant: Tenant,
  by: { userId: string; now: Instant; newId: () => string; prices: PriceTable },
  { assetId, brandId }: { assetId: string; brandId: string },
): Promise<void> {
  const setup = await evaluationSetup(tenant, { ...DEMO_EVALUATION, asset_ids: [assetId], brand_id: brandId });
  const id = by.newId();
  const note = `Reserved for the asset evaluation ${setup.name}`;
  const cause = { id: by.newId(), at: by.now, note, evaluationId: id, userId: by.userId };
  await reserve(tenant, by.prices.asset_evaluation_text, cause);
  await startEvaluation({ tenant, ...by }, id, setup);
}

function buildSetup(ownId: string, rivalIds: string[], personaIds: ReadonlyMap<string, string>) {
  const thematics = Object.entries(DEMO_PROMPTS).map(([name, topics]) => ({
    name,
    topics: Object.entries(topics).map(([topic, questions]) => ({
      name: topic,
      keywords: questions.map((question) => ({
        type: "Generic" as const,
        ...question,
        ...(personaIds.has(topic) ? { persona_id: personaIds.get(topic) } : {}),
        ...(topic === "Milk drinks" ? { strength: "Milk foam" } : {}),
        ...(topic === "Offices" ? { weakness: "Large capacity" } : {}),
      })),
    })),
  }));
  return {
    name: "Espresso machines in assistants and search",
    website: `https://${OWN_BRAND.toLowerCase()}.example`,
    brand_id: ownId,
    competitor_ids: rivalIds,
    sources: [...SOURCES],
    country: "US",
    language: "en",
    device: "desktop" as const,
    thematics,
    runs_per_prompt: 1,
    schedule: { every: "weekly" as const, at: COLLECTED_AT, time_zone: "UTC" },
  };
}
