import type { Capture, Reading } from "../../../core/reading/capture.ts";
import { findBrand } from "../../../db/catalog/brands.ts";
import type { AnalysisKind } from "../analysis-kind.ts";
import { ASKING, pagesCost, planGeoAudit, planPages } from "./geo-audit-plan.ts";
import { presentGeoAudit } from "./geo-audit-presentation.ts";
import { geoAuditFields, normaliseSetup, ShownSettings, StoredSetup, type GeoAuditSetup } from "./geo-audit-setup.ts";
import { geoAuditSetupOf } from "./geo-audit-setup-of.ts";
import { findPages, lacksPages, needsPages } from "./find-pages.ts";

/** Pages of a website, and how ready each is to be found, read and quoted by answer engines. */
export const geoAudit: AnalysisKind<typeof geoAuditFields, GeoAuditSetup> = {
  type: "geo_audit",
  noun: "GEO audit",
  fields: geoAuditFields,
  setup: StoredSetup,
  normalise: normaliseSetup,
  errand: { isNeeded: needsPages, lacks: lacksPages, perform: findPages },
  sources: () => [],
  settings: ShownSettings,
  setupOf: geoAuditSetupOf,
  // Nothing of it is left to chance.
  power: () => null,
  headline: "pages",
  unitCredits: (prices) => prices.geo_audit_page,
  collectCost: pagesCost,
  spent: async (_read, { succeeded, unitCredits }) => succeeded * unitCredits,
  answerCredits: (unitCredits) => unitCredits,
  async present(tenant, setup, { allAt }) {
    const brand = setup.brand_id == null ? undefined : await findBrand(tenant, setup.brand_id);
    return presentGeoAudit(setup, allAt, brand?.name ?? null);
  },
  plan: planGeoAudit,
  asking: () => ASKING,
  questions: planPages,
  read: readNothing,
  // What it found is stored page by page, and summed up before it ends.
  sum: async () => ({ changes: [], collectionMethods: [], ways: [] }),
  afterCollect: ["recommend_actions"],
  afterRereading: [],
};

function readNothing(_capture: Capture): Reading {
  throw new Error("an audit has no answers to read");
}
