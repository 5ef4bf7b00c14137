import { z } from "zod";
import type { Catalogs } from "../../../../db/catalog/catalogs.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import { isOfSite, pageAddress } from "../../../../core/audits/page-address.ts";
import type { FoundPages } from "../../../../core/audits/page-finder.ts";
import type { TrackedBrand } from "../../../../core/reading/capture.ts";
import { registrableDomain } from "../../../../core/identity/domains.ts";
import { Id, InstantField, name, outsideText } from "../../../../core/shared/fields.ts";
import { ScheduleField, scheduleFaults } from "../../../../core/analyses/schedule.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { endFaults, inOneForm, refuseFaults, repeated } from "../../setup/setup-faults.ts";

export const MOST_PAGES = 5000;

const Address = z.url({ protocol: /^https?$/ }).max(2000);

/** Setup fields (service.md section 4). */
export const geoAuditFields = {
  name: name(200),
  website: Address.describe("Any address of the site."),
  urls: z.array(Address).min(1).max(MOST_PAGES).optional().describe("By default those of the sitemap."),
  sitemap_url: Address.optional().describe("Where robots.txt names none."),
  max_pages: z.int().min(1).max(MOST_PAGES).default(100).describe("Of the sitemap."),
  render: z.boolean().default(false).describe("Run scripts too."),
  schedule: ScheduleField.default("once"),
  ends_at: InstantField.optional().describe("Required unless the schedule is once."),
};

const { name: nameField, website, sitemap_url, max_pages, render, schedule, ends_at } = geoAuditFields;
const settings = { website, sitemap_url, max_pages, render };

/** Setup fields that the API shows and the store keeps, without the pages. */
export const ShownSettings = z.object({ ...settings, pages_from: z.string().optional() });

export const StoredSetup = z
  .object({
    name: nameField,
    ...settings,
    urls: geoAuditFields.urls,
    schedule,
    ends_at,
    brand_id: Id.nullable().optional().describe("The brand of the workspace whose website it is; null where none is."),
    page_count: z.int().optional().describe("Pages of one run; the most where the site could not be read."),
    first_pages: z.array(outsideText()).optional().describe("Up to 10 of them."),
    pages_from: outsideText().optional().describe("Where the list comes from."),
    notes: z.array(z.string()).optional().describe("What was left out, or could not be read."),
  })
  .meta({ id: "GeoAuditSetup" });

/** Setup as callers send it, as a lookup completes it, and as quotes store it with all pages. */
export type GeoAuditSetup = z.output<typeof StoredSetup> & {
  /** Result of the lookup. If it has no pages, the lookup runs again when the audit starts. */
  found?: FoundPages | undefined;
  pages?: string[] | null;
};

const SHOWN_PAGES = 10;

export const GIVEN_LIST = "the list that was given";

export function setupFaults(given: GeoAuditSetup, now: Instant) {
  const addresses = given.urls?.map((url) => pageAddress(url)) ?? [];
  const foreign = "is not of the website; audit each site by itself";
  return [
    ...scheduleFaults(given.schedule),
    ...endFaults(given, now),
    ...(pageAddress(given.website) === null
      ? [{ path: "website", message: "must have no user name or password" }]
      : []),
    ...addresses.flatMap((address, index) => {
      if (address === null) return [{ path: `urls.${index}`, message: "must have no user name or password" }];
      return isOfSite(address, given.website) ? [] : [{ path: `urls.${index}`, message: foreign }];
    }),
    ...repeated<[number, string | null]>(addresses.entries(), ([index, one]) => [
      one ?? `${index}`,
      () => `urls.${index}`,
    ]),
    ...(given.sitemap_url !== undefined && given.urls !== undefined
      ? [{ path: "sitemap_url", message: "is not read where urls are given: leave out one of both" }]
      : []),
  ];
}

export async function normaliseSetup(
  tenant: Tenant,
  given: GeoAuditSetup,
  { now, catalogs }: { now: Instant; catalogs: Catalogs },
): Promise<GeoAuditSetup> {
  refuseFaults(setupFaults(given, now));
  const { found, urls, pages: stored, ...rest } = given;
  const asked = urls?.flatMap((url) => pageAddress(url) ?? []);
  const pages = asked ?? (found === undefined ? (stored ?? null) : found.pages);
  const from = asked ? GIVEN_LIST : (found?.from ?? given.pages_from ?? "");
  const { name: title, website: site, sitemap_url: sitemap, max_pages: most, render: renders } = rest;
  const count = pages === null ? most : pages.length;
  return inOneForm<GeoAuditSetup>(
    {
      name: title,
      website: pageAddress(site) ?? site,
      ...(sitemap === undefined ? {} : { sitemap_url: sitemap }),
      max_pages: asked ? asked.length : most,
      render: renders,
      schedule: rest.schedule,
      ...(rest.ends_at === undefined ? {} : { ends_at: rest.ends_at }),
      brand_id: brandOf((await catalogs.of(tenant)).compiled.brands, site),
      page_count: count,
      first_pages: (pages ?? []).slice(0, SHOWN_PAGES),
      pages_from: from,
      notes: found?.notes ?? given.notes ?? [],
      pages,
    },
    now,
  );
}

/** Prefers the own brand with the domain of the website over any other brand with it. */
function brandOf(brands: readonly TrackedBrand[], site: string): string | null {
  const domain = registrableDomain(site);
  const having = brands.filter(({ domains }) => domains.some((one) => registrableDomain(one) === domain));
  const roots = having.filter(({ parent_id: parent }) => parent === null);
  return (roots.find(({ relationship }) => relationship === "mine") ?? roots[0] ?? having[0])?.id ?? null;
}
