import type { AnalysisRow } from "../../../../db/analyses/analyses.ts";
import { listAllQuestions, type QuestionRows } from "../../../../db/analyses/questions.ts";
import { findSetup } from "../../../../db/analyses/setups.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { copyName } from "../../copy-name.ts";
import {
  GIVEN_LIST_SOURCE,
  ShownSettingsSchema,
  type GeoAuditSetup,
  findSetupFaults,
  geoAuditFields,
  normaliseSetup,
  StoredSetupSchema,
} from "./geo-audit-setup.ts";
import { describeSchedule } from "../../../../core/analyses/schedule.ts";
import { formatCount } from "../../../../core/shared/format-count.ts";
import { WEBSITE } from "../../../../core/sources/sources.ts";
import type { Cost } from "../../../quotes/quote.ts";
import type { AnalysisPlan, AskedQuestions, QuestionRange, Prices, AnalysisKind } from "../analysis-kind.ts";
import { isBundledUrl } from "../../../../core/audits/bundled-site.ts";
import type { PageFinder } from "../../../../core/audits/page-finder.ts";
import { rejectFaults } from "../../setup/setup-faults.ts";
import type { Capture, Reading } from "../../../../core/reading/capture.ts";
import { findBrand } from "../../../../db/catalog/brands.ts";

export const geoAudit: AnalysisKind<typeof geoAuditFields, GeoAuditSetup> = {
  type: "geo_audit",
  noun: "GEO audit",
  fields: geoAuditFields,
  setup: StoredSetupSchema,
  normalise: normaliseSetup,
  lookup: { isNeeded: needsPages, missingReason: describeMissingPages, perform: findPages },
  sources: () => [],
  settingsSchema: ShownSettingsSchema,
  loadSetup: loadGeoAuditSetup,
  // An audit is deterministic, so it has no statistical power.
  power: () => null,
  promptsNoun: "pages",
  unitCredits: (prices) => prices.geo_audit_page,
  collectCost: computePagesCost,
  countSpentCredits: async (_read, { succeeded, unitCredits }) => succeeded * unitCredits,
  answerCredits: (unitCredits) => unitCredits,
  async present(tenant, setup, { fullListAddress }) {
    const brand = setup.brand_id == null ? undefined : await findBrand(tenant, setup.brand_id);
    return presentGeoAudit(setup, fullListAddress, brand?.name ?? null);
  },
  plan: planGeoAudit,
  buildRunPlan: () => WEBSITE_ASKING,
  buildQuestions: planPages,
  read: readNothing,
  // Audit results are stored page by page and summarised before the collect completes.
  computeTotals: async () => ({ changes: [], collectionMethods: [], ways: [] }),
  afterCollect: ["recommend_actions"],
  afterRereading: [],
};

function readNothing(_capture: Capture): Reading {
  throw new Error("an audit has no answers to read");
}

/** Max time to find a site's pages while an audit is priced (docs/audits.md). */
const MAX_PRICING_MS = 10_000;

/** Throws VALIDATION_FAILED for a setup that no pages could make valid. */
function needsPages(given: GeoAuditSetup, now: Instant): boolean {
  if (given.urls !== undefined) return false;
  rejectFaults(findSetupFaults(given, now));
  return true;
}

function describeMissingPages({ pages, found }: GeoAuditSetup): string | undefined {
  if ((pages ?? found?.pages ?? null) !== null) return undefined;
  return "The website's pages could not be found: its sitemap could not be read. Give urls, or another sitemap_url.";
}

async function findPages(
  setup: GeoAuditSetup,
  { pageFinder }: { pageFinder: PageFinder },
  { timeoutMs = MAX_PRICING_MS }: { timeoutMs?: number } = {},
): Promise<GeoAuditSetup> {
  const { website, sitemap_url: sitemapUrl, max_pages: maxPages } = setup;
  const found = await pageFinder.findPages({ website, sitemapUrl, maxPages }, { timeoutMs });
  const bundled = isBundledUrl(website) ? [BUNDLED_NOTE] : [];
  return { ...setup, found: { ...found, notes: [...bundled, ...found.notes] } };
}

const BUNDLED_NOTE = "This site comes with the program: its pages are invented, and nothing is fetched.";

function planGeoAudit(setup: GeoAuditSetup): AnalysisPlan {
  const { website, sitemap_url: sitemap, max_pages, render, pages_from = "" } = setup;
  return {
    brandId: setup.brand_id ?? null,
    competitorIds: [],
    settings: { website, ...(sitemap === undefined ? {} : { sitemap_url: sitemap }), max_pages, render, pages_from },
    prompts: null,
    questionCount: setup.page_count ?? max_pages,
  };
}

function planPages(setup: GeoAuditSetup, part: QuestionRange, newId: () => string): QuestionRows {
  const { analysisId, first, limit } = part;
  const pages = (setup.pages ?? setup.found?.pages ?? []).slice(first, first + limit);
  return {
    facets: [],
    questions: pages.map((text, index) => ({
      id: newId(),
      analysisId,
      position: first + index,
      text,
      type: "Generic" as const,
      intent: [],
    })),
  };
}

/** See service.md section 4. */
function computePagesCost({ questionCount }: AskedQuestions, { prices }: Prices): Cost {
  const unit = prices.geo_audit_page;
  const credits = questionCount * unit;
  const line = { what: "pages, each run", quantity: questionCount, unit_credits: unit, credits };
  return { credits, total_credits: credits, breakdown: [line], estimated_provider_cost_usd: 0 };
}

const WEBSITE_ASKING = { sources: [WEBSITE], runs: 1 } as const;

/** Further pages are counted, so that the form stays readable. */
const MAX_LISTED = 20;

function presentGeoAudit(setup: GeoAuditSetup, fullListAddress: string | null, ownBrand: string | null): string[] {
  const { pages = null, website, schedule, ends_at: endsAt, notes = [] } = setup;
  const count = setup.page_count ?? setup.max_pages;
  return [
    `Website: ${website}`,
    `Brand: ${ownBrand ?? "no brand of the workspace has this domain, so pages are not searched for a brand's name"}`,
    `Scripts: ${setup.render ? "run in a browser, where one is configured" : "not run; pages are read as they come"}`,
    `Schedule: ${describeSchedule(schedule)}${endsAt === undefined ? "" : ` until ${endsAt}`}`,
    ...(pages === null
      ? [
          `Pages: not known yet. Up to ${formatCount(count, "page")}, found when the audit starts; what is not found costs nothing.`,
        ]
      : [`Pages: ${formatCount(count, "page")}, from ${setup.pages_from}`]),
    ...notes,
    ...(pages ?? []).slice(0, fullListAddress === null ? undefined : MAX_LISTED).map((page) => `  ${page}`),
    ...(fullListAddress !== null && count > MAX_LISTED && pages !== null ? [`  All of them: ${fullListAddress}`] : []),
  ];
}

/** Found pages are looked up again. Drops an end date that has passed. */
async function loadGeoAuditSetup(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<GeoAuditSetup> {
  const { id, name, schedule, endsAt } = analysis;
  const { positions, questionCount, setup } = await findSetup(tenant, analysis);
  const { pages_from: from, ...settings } = ShownSettingsSchema.parse(setup);
  const texts = new Map((await listAllQuestions(tenant, id)).map(({ position, text }) => [position, text]));
  const asked = positions ?? Array.from({ length: questionCount }, (_, position) => position);
  return {
    ...settings,
    name: copyName(name),
    ...(from === GIVEN_LIST_SOURCE ? { urls: asked.flatMap((position) => texts.get(position) ?? []) } : {}),
    schedule,
    ...(endsAt === null || endsAt <= now ? {} : { ends_at: endsAt }),
  };
}
