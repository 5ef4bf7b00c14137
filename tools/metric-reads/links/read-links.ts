import { runWithPauses } from "../../../core/shared/run-generator.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tenant } from "../../../db/engine/store.ts";
import { listLinks } from "../../../db/metrics/search-metrics.ts";
import { buildCountryCacheKey } from "../../../db/analyses/prompt-countries.ts";
import { findCatalogVersion } from "../../../db/catalog/brands.ts";
import { findLastPosition } from "../../../db/analyses/prompt-clusters.ts";
import { packLinks, unpackAddresses, unpackLinks } from "../../../core/metrics/facts/collect-links.ts";
import { countLinks, type LinkCount, type LinkCounts } from "../../../core/metrics/facts/count-links.ts";
import { groupPositionsByPrompt } from "../../../core/metrics/prompt-clusters.ts";
import { estimateShare } from "../../../core/statistics/interval.ts";
import { nameOrId } from "../../name-or-id.ts";
import { readBasis } from "../selection/basis.ts";
import { listIds } from "../selection/choose-collects.ts";
import { dateQuery } from "../selection/date-window.ts";
import {
  collectQuery,
  countriesField,
  kindQuery,
  namedFilters,
  sourcesField,
  statisticsField,
  topicsField,
} from "../selection/selection.ts";
import { intervalColumns } from "../../../core/metrics/metric-fields.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import type { CountedFacts } from "../selection/sum-brands.ts";
import { hashKey } from "../selection/open-prompts.ts";
import { listGroups } from "../visibility/visibility-groups.ts";
import { judgeLinkChanges } from "./link-changes.ts";
import {
  openLinks,
  type CountedLinks,
  type LinkRow,
  type LinksInput,
  type LinksOptions,
  type OpenedLinks,
} from "./open-links.ts";

export const linksQuery = {
  collect_id: collectQuery.collect_id,
  ...dateQuery,
  sources: sourcesField,
  topics: topicsField,
  countries: countriesField,
  with_brand: nameOrId("brand").optional().describe("Only answers that name this brand, from list_brands."),
  absent_brand: nameOrId("brand").optional().describe("Only answers without this brand, from list_brands."),
  ...kindQuery,
  statistics: statisticsField,
};

export async function readLinks(tenant: Tenant, input: LinksInput, options: LinksOptions) {
  const opened = await openLinks(tenant, input, options);
  const { brands, collects, parts } = opened;
  const key = await buildKey(tenant, opened, input, options);
  const { rows, whole } = await tenant.db.cache.get(`links ${key}`, async () => {
    const value = await countRows(tenant, opened, options);
    return { value, bytes: value.rows.length * BYTES_PER_ROW };
  });
  const counted = parts.counted.map((part, at) => ({ ...part, answers: whole.answersBySource[at] ?? 0 }));
  const basis = await readBasis(tenant, options.legend, collects, {
    ...parts,
    sums: undefined,
    current: counted,
    previousAnswers: [],
    familyCount: selectFamilies(brands).count,
    filters: namedFilters({ ...input }),
    hasChanges: opened.isJudged,
  });
  const brandByNumber = new Map(brands.map((brand) => [brand.number, brand]));
  const collect = input.until ? undefined : collects.current.at(-1);
  return { opened, collect, rows, total: whole.total, brands: brandByNumber, basis };
}

const BYTES_PER_ROW = 800;

async function buildKey({ db, ...tenant }: Tenant, opened: OpenedLinks, input: LinksInput, options: LinksOptions) {
  const { analysis, collects, selection, parts, earlier, brandFilter } = opened;
  const { linkKind, isCited, dimensions, places } = options;
  const { filter } = selection;
  return hashKey([
    // Links are re-extracted together with the facts of an answer, for a catalog version.
    [await findCatalogVersion({ db, ...tenant }), await findLastPosition(db, analysis.id)],
    collects.measured.map(({ id, summedVersion }) => [id, summedVersion]),
    [listIds(collects.current), linkKind, isCited, dimensions, places ?? {}, input.statistics, filter],
    [brandFilter.withBrand ?? null, brandFilter.absentBrands, brandFilter.rivals ?? null],
    await buildCountryCacheKey(db, analysis.id, filter.countries),
    [...parts.counted, ...earlier].map(({ collectId, source, method, digest }) => [collectId, source, method, digest]),
  ]);
}

/** Counting is slow with thousands of cited pages. */
async function countRows(tenant: Tenant, opened: OpenedLinks, options: LinksOptions) {
  const { linkKind, isCited, dimensions, places } = options;
  const { brandFilter, isCounted, collects, parts, asked, keywords, selection, earlier } = opened;
  const { clusters } = parts;
  const hasAddresses = linkKind === "page" || places?.url !== undefined;
  const current = await loadLinks(tenant, parts.counted, hasAddresses);
  const filter = { linkKind, isCited, brandFilter, isCounted };
  const count = async (own: readonly CountedLinks[], positions: readonly number[]) => {
    const prompts = groupPositionsByPrompt(positions, clusters);
    return runWithPauses(countLinks(own, { ...filter, prompts }), nextTurn);
  };
  const whole = await count(current, keywords.positions);
  const groups = listGroups(dimensions, { sources: selection.sources, asked, collects: collects.current, ...keywords });
  const rows: LinkRow[] = [];
  for (const group of groups) {
    const ids = listIds(group.collects);
    const isOwn = ({ collectId, source }: CountedLinks) =>
      ids.includes(collectId) && (group.sources === null || group.sources.includes(source));
    const counts = dimensions.length === 0 ? whole : await count(current.filter(isOwn), group.keywords);
    const types = places?.siteTypes;
    const shown = counts.counts.filter(({ siteType }) => linkKind !== "domain" || (types?.includes(siteType) ?? true));
    rows.push(...shown.map((one) => ({ group, count: one, counts, change: null })));
  }
  if (!opened.isJudged) return { rows, whole };
  const all = [...current, ...(await loadLinks(tenant, earlier, hasAddresses))];
  const changes = await judgeLinkChanges(tenant, rows, { opened, filter, parts: all });
  return { rows: rows.map((row, at) => ({ ...row, change: changes[at] ?? null })), whole };
}

/** In the order of `counted`. */
async function loadLinks({ db }: Tenant, counted: readonly CountedFacts[], hasAddresses: boolean) {
  const parts: CountedLinks[] = [];
  for (const collectId of new Set(counted.map((one) => one.collectId))) {
    const own = counted.filter((one) => one.collectId === collectId);
    const sources = own.map(({ source }) => source);
    const packed = await listLinks(db, collectId, sources, hasAddresses);
    for (const one of own) {
      const found = packed.find(({ source, method }) => source === one.source && method === one.method);
      const addresses = found && hasAddresses ? unpackAddresses(found.addresses) : [];
      parts.push({ ...one, links: found ? unpackLinks(found.links) : NO_LINKS, addresses });
    }
  }
  return parts;
}

const NO_LINKS = unpackLinks(packLinks(0, [], []).links);

export function shareStatistics(
  { total, promptCount, nn }: LinkCounts,
  { answers, promptCount: withValue, fullPromptCount, xx, xn }: LinkCount,
) {
  const moments = {
    promptCount,
    n: total,
    x: answers,
    xx,
    xn,
    nn,
    withValue,
    withoutFull: promptCount - fullPromptCount,
  };
  return intervalColumns(estimateShare(moments, { sourceCount: 1 }));
}
