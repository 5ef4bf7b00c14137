import { z } from "zod";
import type { CatalogCache } from "../../../../db/catalog/catalogs.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import { isSameSite, normaliseAddress } from "../../../../core/audits/page-address.ts";
import type { FoundPages } from "../../../../core/audits/page-finder.ts";
import type { TrackedBrand } from "../../../../core/reading/capture.ts";
import { registrableDomain } from "../../../../core/identity/domains.ts";
import { Id, InstantField, nameSchema, outsideTextSchema } from "../../../../core/shared/fields.ts";
import { ScheduleField, findScheduleFaults } from "../../../../core/analyses/schedule.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { endFaults, normaliseCommonFields, rejectFaults, findDuplicates } from "../../setup/setup-faults.ts";

export const MAX_PAGES = 5000;

const AddressField = z.url({ protocol: /^https?$/ }).max(2000);

/** See service.md section 4. */
export const geoAuditFields = {
  name: nameSchema(200).describe("Display name."),
  website: AddressField.describe("Any URL of the website."),
  urls: z.array(AddressField).min(1).max(MAX_PAGES).optional().describe("Pages to check; default: the sitemap's."),
  sitemap_url: AddressField.optional().describe("Sitemap, if robots.txt names none."),
  max_pages: z.int().min(1).max(MAX_PAGES).default(100).describe("Max pages from the sitemap."),
  render: z.boolean().default(false).describe("Also run the pages' scripts."),
  schedule: ScheduleField.default("once"),
  ends_at: InstantField.optional().describe("Required unless schedule is once."),
};

const { name: nameField, website, sitemap_url, max_pages, render, schedule, ends_at } = geoAuditFields;
const settingFields = { website, sitemap_url, max_pages, render };

export const ShownSettingsSchema = z.object({ ...settingFields, pages_from: z.string().optional() });

export const StoredSetupSchema = z
  .object({
    name: nameField,
    ...settingFields,
    urls: geoAuditFields.urls,
    schedule,
    ends_at,
    brand_id: Id.nullable().optional().describe("Brand of the workspace that owns the website; null for none."),
    page_count: z.int().optional().describe("Pages of one run; the maximum if the site could not be read."),
    first_pages: z.array(outsideTextSchema()).optional().describe("Up to 10 examples."),
    pages_from: outsideTextSchema().optional().describe("Origin of the list of pages."),
    notes: z
      .array(z.string())
      .optional()
      .describe("Pages and files that were left out or could not be read, with reasons."),
  })
  .meta({ id: "GeoAuditSetup" });

export type GeoAuditSetup = z.output<typeof StoredSetupSchema> & {
  /** Without pages, the lookup runs again when the audit starts. */
  found?: FoundPages | undefined;
  pages?: string[] | null;
};

const MAX_SHOWN_PAGES = 10;

export const GIVEN_LIST_SOURCE = "the list that was given";

export function findSetupFaults(setup: GeoAuditSetup, now: Instant) {
  const addresses = setup.urls?.map((url) => normaliseAddress(url)) ?? [];
  const foreign = "is not of the website; audit each site by itself";
  return [
    ...findScheduleFaults(setup.schedule),
    ...endFaults(setup, now),
    ...(normaliseAddress(setup.website) === null
      ? [{ path: "website", message: "must have no user name or password" }]
      : []),
    ...addresses.flatMap((address, index) => {
      if (address === null) return [{ path: `urls.${index}`, message: "must have no user name or password" }];
      return isSameSite(address, setup.website) ? [] : [{ path: `urls.${index}`, message: foreign }];
    }),
    ...findDuplicates<[number, string | null]>(addresses.entries(), ([index, one]) => [
      one ?? `${index}`,
      () => `urls.${index}`,
    ]),
    ...(setup.sitemap_url !== undefined && setup.urls !== undefined
      ? [{ path: "sitemap_url", message: "cannot be combined with urls: leave one of them out" }]
      : []),
  ];
}

export async function normaliseSetup(
  tenant: Tenant,
  setup: GeoAuditSetup,
  { now, catalogs }: { now: Instant; catalogs: CatalogCache },
): Promise<GeoAuditSetup> {
  rejectFaults(findSetupFaults(setup, now));
  const { found, urls, pages: stored, ...rest } = setup;
  const asked = urls?.flatMap((url) => normaliseAddress(url) ?? []);
  const pages = asked ?? (found === undefined ? (stored ?? null) : found.pages);
  const from = asked ? GIVEN_LIST_SOURCE : (found?.from ?? setup.pages_from ?? "");
  const { name: title, website: site, sitemap_url: sitemap, max_pages: most, render: renders } = rest;
  const count = pages === null ? most : pages.length;
  return normaliseCommonFields<GeoAuditSetup>(
    {
      name: title,
      website: normaliseAddress(site) ?? site,
      ...(sitemap === undefined ? {} : { sitemap_url: sitemap }),
      max_pages: asked ? asked.length : most,
      render: renders,
      schedule: rest.schedule,
      ...(rest.ends_at === undefined ? {} : { ends_at: rest.ends_at }),
      brand_id: findOwnBrand((await catalogs.load(tenant)).compiled.brands, site),
      page_count: count,
      first_pages: (pages ?? []).slice(0, MAX_SHOWN_PAGES),
      pages_from: from,
      notes: found?.notes ?? setup.notes ?? [],
      pages,
    },
    now,
  );
}

function findOwnBrand(brands: readonly TrackedBrand[], site: string): string | null {
  const domain = registrableDomain(site);
  const brandsWithDomain = brands.filter(({ domains }) => domains.some((one) => registrableDomain(one) === domain));
  const roots = brandsWithDomain.filter(({ parent_id: parent }) => parent === null);
  return (roots.find(({ relationship }) => relationship === "mine") ?? roots[0] ?? brandsWithDomain[0])?.id ?? null;
}
