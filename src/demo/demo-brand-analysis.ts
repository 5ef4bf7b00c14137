import { insertBrandFact } from "../../db/catalog/brand-facts.ts";
import { openCatalogCache } from "../../db/catalog/catalogs.ts";
import type { LedgerCause } from "../../db/credits/credits.ts";
import { listPersonasByIds } from "../../db/catalog/personas.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { toAskedPrompt } from "../../db/analyses/prompt-context.ts";
import { listAllQuestions } from "../../db/analyses/questions.ts";
import type { SourceAdapters } from "../../core/sources/adapters.ts";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import type { PriceTable } from "../../core/credits/prices.ts";
import type { BrandPrompt } from "../../core/prompts/brand-prompt.ts";
import type { Instant } from "../../core/shared/time.ts";
import { brandAnalysis } from "../../tools/analyses/kinds/brand-analysis/brand-analysis.ts";
import {
  normaliseSetup,
  type BrandAnalysisSetup,
} from "../../tools/analyses/kinds/brand-analysis/brand-analysis-setup.ts";
import { collectsCost } from "../../tools/collects/collect-cost.ts";
import { launchAnalysis } from "../../tools/analyses/launch-analysis.ts";
import type { SimulatedWorld } from "../outside/sources/simulated/world-file.ts";
import { insertDemoCollect, type DemoQuestion } from "./demo-collects.ts";
import { BRAND_ANALYSIS_SETUP, DEMO_FACTS, OWN_BRAND, TEMPLATE_COUNTS } from "./demo-content.ts";

interface DemoContext {
  ownerId: string;
  newId: () => string;
  prices: PriceTable;
  adapters: SourceAdapters;
  simulatedWorld: SimulatedWorld;
  reserve: (tenant: Tenant, credits: number, cause: LedgerCause) => Promise<void>;
}

interface BrandAnalysisScope {
  ownId: string;
  rivalIds: readonly string[];
  personaId: string;
  dates: readonly Instant[];
}

export async function insertBrandAnalysis(tenant: Tenant, demo: DemoContext, scope: BrandAnalysisScope): Promise<void> {
  const { ownerId, newId } = demo;
  const [began = ""] = scope.dates;
  await declareFacts(tenant, scope.ownId, { at: began, newId });
  const setup = await buildSetup(tenant, scope, { now: began, adapters: demo.adapters });
  const by = { now: began, prices: demo.prices, adapters: demo.adapters };
  const cost = collectsCost(brandAnalysis, setup, by);
  const unitCredits = brandAnalysis.unitCredits(demo.prices);
  const id = newId();
  const note = { at: began, note: `Reserved for the brand analysis ${setup.name}`, analysisId: id, userId: ownerId };
  await demo.reserve(tenant, cost.total_credits, { id: newId(), ...note });
  const launch = { id, setup, cost, unitCredits, userId: ownerId, now: began, newId };
  await launchAnalysis(brandAnalysis, tenant, { ...launch, startedCollectCount: 0, pastCollects: scope.dates.length });
  const asking = {
    simulatedWorld: demo.simulatedWorld,
    analysisId: id,
    kind: brandAnalysis,
    settings: brandAnalysis.plan(setup).settings,
    questions: await listDemoQuestions(tenant, id, setup),
    unitCredits,
    credits: cost.per_collect,
    newId,
  };
  for (const [index, at] of scope.dates.entries()) {
    const collect = { number: index + 1, at, isLast: index + 1 === scope.dates.length };
    await insertDemoCollect(tenant, asking, collect);
  }
}

async function declareFacts(tenant: Tenant, brandId: string, { at, newId }: { at: Instant; newId: () => string }) {
  for (const { attribute, value, path } of DEMO_FACTS) {
    const fact = { id: newId(), brandId, attribute, value, asOf: at.slice(0, 10), createdAt: at, updatedAt: at };
    await insertBrandFact(tenant, { ...fact, sourceUrl: `https://www.${OWN_BRAND.toLowerCase()}.example${path}` });
  }
}

async function buildSetup(
  tenant: Tenant,
  scope: BrandAnalysisScope,
  { now, adapters }: { now: Instant; adapters: SourceAdapters },
): Promise<BrandAnalysisSetup> {
  const { ownId, rivalIds, personaId, dates } = scope;
  const { name, category, attributes, countries, sources } = BRAND_ANALYSIS_SETUP;
  const setup = {
    name,
    category,
    attributes,
    countries,
    sources: [...sources],
    brand_id: ownId,
    competitor_ids: [...rivalIds],
    language: "en",
    persona_ids: [personaId],
    runs_per_prompt: 1,
    schedule: { every: "weekly" as const, at: now.slice(11, 16), time_zone: "UTC" },
    ends_at: dates.at(-1) ?? now,
  };
  const filled = await normaliseSetup(tenant, setup, { now, catalogs: openCatalogCache(), adapters });
  return { ...filled, prompts: samplePrompts(filled.prompts, ownId) };
}

/** Keeps the first start short. */
function samplePrompts(prompts: readonly BrandPrompt[], ownId: string): BrandPrompt[] {
  const control = prompts.find(({ look_alike: lookAlike, brand_id: id }) => lookAlike !== null && id === ownId);
  return prompts.filter(({ kind, template, brand_id: brandId, look_alike: lookAlike }) => {
    const [, texts = "", number] = /^(\w+)-(\d+)\./.exec(template ?? "") ?? [];
    const isFirst = Number(number) <= (TEMPLATE_COUNTS[texts] ?? 0);
    const isOwn = kind === "unaided" || kind === "comparison" || brandId === ownId;
    return isFirst && isOwn && (lookAlike === null || lookAlike === control?.look_alike);
  });
}

async function listDemoQuestions(tenant: Tenant, id: string, setup: BrandAnalysisSetup): Promise<DemoQuestion[]> {
  const personas = new Map((await listPersonasByIds(tenant, setup.persona_ids)).map((row) => [row.id, row]));
  const { category, attributes } = setup;
  return (await listAllQuestions(tenant, id)).map((row): DemoQuestion => {
    const { promptKind, askedBrandId, otherBrandId, lookAlike, attribute, asksProsCons } = row;
    const persona = personas.get(row.personaId ?? "");
    return {
      ...parseLocation(setup, row.country),
      prompt: row.text,
      thematic: "",
      topic: "",
      persona: persona ? [persona.name, persona.archetype, persona.description].join(". ") : null,
      category,
      attributes,
      asked: toAskedPrompt({
        kind: promptKind,
        brandId: askedBrandId,
        otherBrandId,
        lookAlike,
        attribute,
        asksProsCons,
      }),
    };
  });
}
