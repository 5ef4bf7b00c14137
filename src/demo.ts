import { insertBrand } from "../db/brands.ts";
import { grantCredits } from "../db/credits.ts";
import { insertOrganization } from "../db/organizations.ts";
import { insertPersona } from "../db/personas.ts";
import type { Db, Tenant } from "../db/store.ts";
import { insertWorkspace } from "../db/workspaces.ts";
import { launchSearchAnalysis } from "../tools/analyses/launch-search-analysis.ts";
import { priceOf } from "../tools/analyses/search-analysis-price.ts";
import { normaliseSetup } from "../tools/analyses/search-analysis-setup.ts";
import type { SourceAdapters } from "./core/adapters.ts";
import { SOURCES, type FunnelStage, type KeywordType } from "./core/sources.ts";
import type { PriceTable } from "./core/prices.ts";
import type { Instant } from "./core/time.ts";

const CREDITS = 10_000;
const OWN = "Kestrova";
const RIVALS = ["Brindlecup", "Aurelpress", "Tavolino", "Nordkaffa", "Piccolux", "Steamwell", "Orbarista"];

interface AskedQuestion {
  text: string;
  type?: KeywordType;
  funnel_stage: FunnelStage;
  search_volume: number;
}

/** What people ask, by thematic and topic; the demo world knows these topics. */
const QUESTIONS: Record<string, Record<string, AskedQuestion[]>> = {
  Home: {
    "First machine": [
      { text: "best espresso machine for beginners", funnel_stage: "ToFu", search_volume: 8100 },
      { text: "which espresso machine should I buy first", funnel_stage: "MoFu", search_volume: 1900 },
      { text: "best espresso machine under 500 dollars", funnel_stage: "BoFu", search_volume: 5400 },
    ],
    "Small kitchens": [
      { text: "best compact espresso machine", funnel_stage: "MoFu", search_volume: 3600 },
      { text: "quiet espresso machine for a small kitchen", funnel_stage: "ToFu", search_volume: 720 },
      { text: "narrow espresso machine with removable tank", funnel_stage: "BoFu", search_volume: 260 },
    ],
    "Milk drinks": [
      { text: "best espresso machine for cappuccino", funnel_stage: "MoFu", search_volume: 2900 },
      { text: "espresso machine that froths oat milk well", funnel_stage: "ToFu", search_volume: 480 },
    ],
  },
  Work: {
    Offices: [
      { text: "best espresso machine for a small office", funnel_stage: "MoFu", search_volume: 1300 },
      { text: "office coffee machine with service contract", funnel_stage: "BoFu", search_volume: 590 },
    ],
  },
  Brand: {
    Kestrova: [
      { text: "is Kestrova a good espresso machine", type: "Brand", funnel_stage: "BoFu", search_volume: 880 },
      { text: "Kestrova or Brindlecup", type: "Brand", funnel_stage: "BoFu", search_volume: 320 },
    ],
  },
};

/**
 * Makes the demo organization: a catalog of invented brands and a search analysis of two simulated collects, which the
 * worker completes within seconds.
 */
export async function insertDemo(
  db: Db,
  demo: { ownerId: string; now: Instant; newId: () => string; prices: PriceTable; adapters: SourceAdapters },
): Promise<void> {
  const { ownerId, now, newId } = demo;
  const tenant: Tenant = { db, organizationId: newId(), workspaceId: newId() };
  const dates = { createdAt: now, updatedAt: now };
  const organization = {
    id: tenant.organizationId,
    name: "Demo (simulated)",
    plan: "demo",
    modules: ["search"],
    quotas: {},
  };
  await insertOrganization(db, { ...organization, createdAt: now }, ownerId);
  await insertWorkspace(tenant, { id: tenant.workspaceId, name: "Espresso machines", ...dates });
  await grantCredits(tenant, CREDITS, {
    id: newId(),
    at: now,
    note: "Credits of the demo organization",
    userId: ownerId,
  });
  const personaId = newId();
  await insertPersona(tenant, {
    id: personaId,
    name: "First-time buyer",
    archetype: "The careful beginner",
    description: "Wants good coffee at home without a hobby that takes over the kitchen.",
    demographic: { age: "25 to 40" },
    motivations: ["Coffee as in a good bar, every morning"],
    painPoints: ["Too many machines, too few differences that matter"],
    coreQuestions: ["Which machine should I buy first?"],
    language: "en",
    country: "US",
    ...dates,
  });
  const brandIds: string[] = [];
  for (const name of [OWN, ...RIVALS]) {
    const relationship = name === OWN ? "mine" : "competitor";
    const shape = { aliases: [], excludedPhrases: [], kind: "brand" as const, parentId: null };
    const brand = await insertBrand(tenant, {
      id: newId(),
      name,
      domains: [`${name.toLowerCase()}.example`],
      relationship,
      ...shape,
      ...dates,
    });
    brandIds.push(brand.id);
  }
  const [ownId = "", ...rivalIds] = brandIds;
  const setup = await normaliseSetup(tenant, setupOf(ownId, rivalIds, personaId), now);
  const once = priceOf(setup, now, demo);
  const cost = { ...once, credits: once.credits * 2, collects_planned: 2, total_credits: once.total_credits * 2 };
  const launch = {
    id: newId(),
    setup,
    cost,
    unitCredits: demo.prices.search_analysis_question,
    quoteId: null,
    userId: ownerId,
    now,
    newId,
  };
  if (!(await launchSearchAnalysis(tenant, { ...launch, startedCollects: 2 })))
    throw new Error("The demo costs more than its credits.");
}

function setupOf(ownId: string, rivalIds: string[], personaId: string) {
  const thematics = Object.entries(QUESTIONS).map(([name, topics]) => ({
    name,
    topics: Object.entries(topics).map(([topic, questions]) => ({
      name: topic,
      keywords: questions.map((question) => ({
        type: "Generic" as const,
        ...question,
        ...(topic === "First machine" ? { persona_id: personaId } : {}),
        ...(topic === "Milk drinks" ? { strength: "Milk foam" } : {}),
        ...(topic === "Offices" ? { weakness: "Large capacity" } : {}),
      })),
    })),
  }));
  return {
    name: "Espresso machines in assistants and search",
    website: `https://${OWN.toLowerCase()}.example`,
    brand_id: ownId,
    competitor_ids: rivalIds,
    sources: [...SOURCES],
    country: "US",
    language: "en",
    device: "desktop" as const,
    thematics,
    runs_per_prompt: 2,
    schedule: "once" as const,
  };
}
