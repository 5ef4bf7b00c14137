import { toComparableUrl } from "../../../core/reading/citations.ts";
import type {
  BrandPresenceFilter,
  LinkCount,
  LinkCounts,
  LinkFilter,
  LinkKind,
  SourceLinks,
} from "../../../core/metrics/facts/count-links.ts";
import {
  type ChosenMethod,
  COMPETITOR_TYPES,
  type CompetitorType,
  KEYWORD_TYPES,
  type Source,
} from "../../../core/sources/sources.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { listBrandNames } from "../../../db/analyses/projects.ts";
import type { CitedPlace } from "../../../db/answers/cited-condition.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { requireAskingProject } from "../selection/asking-project.ts";
import { chooseCollects, listIds, type ChosenCollects } from "../selection/choose-collects.ts";
import type { DatesInput } from "../selection/date-window.ts";
import { keywordFilter } from "../selection/selection.ts";
import { listSeriesTo, MAX_SERIES_LENGTH } from "../selection/selection-changes.ts";
import { buildSelection, limitToOneMethod, readFacts, type CountedFacts } from "../selection/sum-brands.ts";
import { NO_KEYWORDS, readKeywords } from "../visibility/read-visibility.ts";
import { ANSWER_DIMENSIONS, type Dimension, type Group } from "../visibility/visibility-groups.ts";
import { readPresence } from "./cited-query.ts";

export interface LinksInput extends DatesInput {
  analysis_id: string;
  collect_id?: string | null | undefined;
  sources?: readonly Source[] | undefined;
  topics?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  with_brand?: string | undefined;
  absent_brand?: string | undefined;
  rivals_at_least?: number | undefined;
  kind?: "simulated" | null | undefined;
  method?: ChosenMethod | null | undefined;
  statistics: boolean;
}

export interface LinksOptions {
  legend: string;
  linkKind: LinkKind;
  isCited: boolean;
  dimensions: readonly Dimension[];
  /** Run of the first page of a list; a later one may complete in between. */
  collectId: string | null | undefined;
  places?: LinkPlaces;
}

/** Limits the counted links; the denominators stay. */
export interface LinkPlaces extends CitedPlace {
  brandId?: string | undefined;
  siteTypes?: readonly CompetitorType[] | undefined;
}

/** A site, page or search, or all links, in one part of the answers. */
export interface LinkRow {
  group: Group;
  count: LinkCount;
  counts: LinkCounts;
  /** Null if not judged. */
  change: ChangeRow | null;
}

export type CountedLinks = CountedFacts & SourceLinks;

export type OpenedLinks = Awaited<ReturnType<typeof openLinks>>;

/** Selects AI answers by default, and result pages only if named. */
export async function openLinks(
  tenant: Tenant,
  input: LinksInput,
  { dimensions, collectId, ...options }: LinksOptions,
) {
  const { db } = tenant;
  const analysis = await requireAskingProject(tenant, input.analysis_id);
  const isByCollect = dimensions.includes("collect");
  const chosen = await chooseCollects(tenant, analysis.id, {
    ...input,
    collect_id: input.until ? undefined : collectId,
  });
  const last = chosen.current.at(-1);
  const series = last ? listSeriesTo(chosen.measured, last) : [];
  const collects: ChosenCollects = {
    ...chosen,
    current: isByCollect && collectId == null && !input.until ? series : chosen.current,
    previous: [],
    chosen: input.collect_id == null && !input.until ? [] : chosen.chosen,
  };
  const brands = await listBrandNames(tenant);
  const filter = keywordFilter({ topic_ids: input.topics, countries: input.countries }, KEYWORD_TYPES);
  const selection = buildSelection(analysis.id, filter, input);
  const ids = listIds(collects.current);
  const facts = await readFacts(db, selection, ids);
  const parts = isByCollect ? facts : limitToOneMethod(facts, new Set(ids));
  const { mask } = parts;
  const request = { analysisId: analysis.id, filter, mask, dimensions };
  const keywords = dimensions.every((one) => ANSWER_DIMENSIONS.has(one))
    ? { ...NO_KEYWORDS, positions: parts.prompts.flat() }
    : await readKeywords(tenant, request);
  // Single prompts have too few answers for a verdict.
  const isSingle = isByCollect || ids.length < 2;
  const isJudged = input.statistics && isSingle && options.linkKind !== "query" && !dimensions.includes("keyword");
  const compared = isJudged ? series.slice(-MAX_SERIES_LENGTH) : [];
  const others = listIds(compared).filter((id) => !ids.includes(id));
  // Compared with the kind and sources that are counted.
  const asked = [...new Set(parts.counted.map(({ source }) => source))];
  const alike = { ...selection, isSimulated: parts.isSimulated, sources: asked };
  const earlier = compared.length > 0 ? (await readFacts(db, alike, others)).counted : [];
  const numbers = new Map(brands.map(({ id, number }) => [id, number]));
  const toNumber = (id: string) => numbers.get(id) ?? 0;
  const presence = await readPresence(tenant, analysis, input);
  const { brandId, absentBrandIds = [], named } = presence;
  const brandFilter: BrandPresenceFilter = {
    withBrand: brandId === undefined ? undefined : toNumber(brandId),
    absentBrands: absentBrandIds.map(toNumber),
    rivals: named && { atLeast: named.atLeast, brands: named.brandIds.map(toNumber) },
  };
  const { brandId: ownerId } = options.places ?? {};
  const ownerNumber = ownerId === undefined ? undefined : toNumber(ownerId);
  const isCounted = createLinkFilter(options, ownerNumber);
  return {
    analysis,
    brands,
    collects,
    series,
    selection,
    parts,
    asked,
    keywords,
    earlier,
    presence,
    brandFilter,
    ownerNumber,
    isCounted,
    isJudged,
  };
}

function createLinkFilter(
  { linkKind, places = {} }: Pick<LinksOptions, "linkKind" | "places">,
  brandNumber: number | undefined,
): LinkFilter["isCounted"] {
  const { domain, url, siteTypes } = places;
  const types = siteTypes && new Set(siteTypes.map((type) => COMPETITOR_TYPES.indexOf(type)));
  return (item) =>
    (domain === undefined || item.domain === domain) &&
    (url === undefined || toComparableUrl(item.url) === url) &&
    (brandNumber === undefined || item.brand === brandNumber) &&
    // A site has the type of most of its pages, which is known only after counting.
    (types === undefined || linkKind === "domain" || types.has(item.type));
}
