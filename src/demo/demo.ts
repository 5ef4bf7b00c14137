import { insertBrand } from "../../db/catalog/brands.ts";
import { grantCredits, reserveCredits, type Cause } from "../../db/catalog/credits.ts";
import { insertOrganization } from "../../db/identity/organizations.ts";
import { insertPersona } from "../../db/catalog/personas.ts";
import type { Db, Tenant } from "../../db/engine/store.ts";
import { replaceAnalysisTags } from "../../db/catalog/taggings.ts";
import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { launchAnalysis } from "../../tools/analyses/launch-analysis.ts";
import { searchAnalysis } from "../../tools/analyses/search/search-analysis.ts";
import { addTextAsset } from "../../tools/assets/create-asset.ts";
import { normaliseSetup as evaluationSetup } from "../../tools/asset-evaluations/evaluation-setup.ts";
import { startEvaluation } from "../../tools/asset-evaluations/start-evaluation.ts";
import { addTag } from "../../tools/tags/add-tag.ts";
import type { SourceAdapters } from "../../core/adapters.ts";
import { SOURCES } from "../../core/sources.ts";
import type { PriceTable } from "../../core/prices.ts";
import type { Instant } from "../../core/time.ts";
import { EVALUATION, OWN, PAGE, PERSONAS, QUESTIONS, RIVALS, TAGS } from "./demo-content.ts";

const CREDITS = 10_000;

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
  const personaIds = new Map<string, string>();
  for (const { topic, ...persona } of PERSONAS) {
    const row = await insertPersona(tenant, { id: newId(), ...persona, language: "en", country: "US", ...dates });
    personaIds.set(topic, row.id);
  }
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
  const setup = await searchAnalysis.normalise(tenant, setupOf(ownId, rivalIds, personaIds), now);
  const once = searchAnalysis.price(setup, now, demo);
  const cost = { ...once, credits: once.credits * 2, collects_planned: 2, total_credits: once.total_credits * 2 };
  const unitCredits = searchAnalysis.unitCredits(demo.prices);
  const launch = { id: newId(), setup, cost, unitCredits, userId: ownerId, now, newId, startedCollects: 2 };
  await reserve(tenant, cost.total_credits, {
    id: newId(),
    at: now,
    note: `Reserved for the search analysis ${setup.name}`,
    analysisId: launch.id,
    userId: ownerId,
  });
  await launchAnalysis(searchAnalysis, tenant, launch);
  const parent = await addTag(tenant, TAGS.parent, demo);
  const child = await addTag(tenant, { ...TAGS.child, parent: parent.id }, demo);
  await replaceAnalysisTags(tenant, launch.id, [child.id]);
  const page = { id: newId(), name: PAGE.name, sizeBytes: Buffer.byteLength(PAGE.text), createdBy: ownerId, ...dates };
  await addTextAsset({ tenant, now }, page, PAGE.text);
  await evaluatePage(tenant, { ...demo, userId: ownerId }, { assetId: page.id, brandId: ownId });
}

async function reserve(tenant: Tenant, credits: number, cause: Cause): Promise<void> {
  const { workspaceId } = tenant;
  if (!(await reserveCredits(tenant, credits, { ...cause, workspaceId }))) {
    throw new Error("The demo costs more than its credits.");
  }
}

/** Has the page judged, as after a yes to its price. */
async function evaluatePage(
  tenant: Tenant,
  by: { userId: string; now: Instant; newId: () => string; prices: PriceTable },
  { assetId, brandId }: { assetId: string; brandId: string },
): Promise<void> {
  const setup = await evaluationSetup(tenant, { ...EVALUATION, asset_ids: [assetId], brand_id: brandId });
  const id = by.newId();
  const note = `Reserved for the asset evaluation ${setup.name}`;
  const cause = { id: by.newId(), at: by.now, note, evaluationId: id, userId: by.userId };
  await reserve(tenant, by.prices.asset_evaluation_text, cause);
  await startEvaluation({ tenant, ...by }, id, setup);
}

function setupOf(ownId: string, rivalIds: string[], personaIds: ReadonlyMap<string, string>) {
  const thematics = Object.entries(QUESTIONS).map(([name, topics]) => ({
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
