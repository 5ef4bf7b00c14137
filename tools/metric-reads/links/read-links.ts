import { runWithPauses } from "../../../core/shared/run-generator.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import type { Tenant } from "../../../db/engine/store.ts";
import { listBrandNames } from "../../../db/analyses/projects.ts";
import { listLinks, type MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { buildCountryCacheKey } from "../../../db/analyses/prompt-countries.ts";
import { findCatalogVersion } from "../../../db/catalog/brands.ts";
import { findLastPosition } from "../../../db/analyses/prompt-clusters.ts";
import { unpackAddresses, unpackLinks } from "../../../core/metrics/facts/collect-links.ts";
import { countLinks, type LinkKind, type LinkCount, type LinkCounts } from "../../../core/metrics/facts/count-links.ts";
import { type ChosenMethod, KEYWORD_TYPES, SOURCES, type Source } from "../../../core/sources/sources.ts";
import { estimateShare } from "../../../core/statistics/interval.ts";
import { nameOrId } from "../../name-or-id.ts";
import { readBasis } from "../selection/basis.ts";
import { chooseCollects, listIds } from "../selection/choose-collects.ts";
import {
  collectQuery,
  countriesField,
  keywordFilter,
  kindQuery,
  namedFilters,
  sourcesField,
  statisticsField,
} from "../selection/selection.ts";
import { intervalColumns } from "../../../core/metrics/metric-fields.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { readFacts, buildSelection, type AnswerSelection } from "../selection/sum-brands.ts";
import { requireAskingProject } from "../selection/asking-project.ts";
import { hashKey } from "../selection/open-prompts.ts";

export const linksQuery = {
  collect_id: collectQuery.collect_id,
  sources: sourcesField,
  topics: z.array(nameOrId("topic")).max(1000).optional().describe("Names or ids."),
  countries: countriesField,
  with_brand: nameOrId("brand").optional().describe("Only answers that name this brand, from list_brands."),
  absent_brand: nameOrId("brand").optional().describe("Only answers without this brand, from list_brands."),
  ...kindQuery,
  statistics: statisticsField,
};

interface LinksInput {
  analysis_id: string;
  collect_id?: string | null | undefined;
  sources?: readonly Source[] | undefined;
  topics?: readonly string[] | undefined;
  countries?: readonly string[] | undefined;
  with_brand?: string | undefined;
  absent_brand?: string | undefined;
  kind?: "simulated" | null | undefined;
  method?: ChosenMethod | null | undefined;
}

/** `collectId` pins the collect of the first page. */
export async function readLinks(
  tenant: Tenant,
  input: LinksInput,
  options: { legend: string; linkKind: LinkKind; isCited: boolean; collectId: string | null | undefined },
) {
  const analysis = await requireAskingProject(tenant, input.analysis_id);
  const { current, measured } = await chooseCollects(tenant, analysis.id, {
    collect_id: options.collectId,
    kind: input.kind,
  });
  const brands = await listBrandNames(tenant);
  const filter = keywordFilter({ topic_ids: input.topics, countries: input.countries }, KEYWORD_TYPES);
  const whole = buildSelection(analysis.id, filter, input);
  // Links count at all sources, search result pages included.
  const selection = { ...whole, sources: whole.sources ?? SOURCES };
  const facts = await readFacts(tenant.db, selection, listIds(current));
  const [collect] = current;
  const numbers = new Map(brands.map(({ id, number }) => [id, number]));
  const toNumber = (id: string | undefined) => (id === undefined ? undefined : (numbers.get(id) ?? 0));
  const presence = { withBrand: toNumber(input.with_brand), absentBrand: toNumber(input.absent_brand) };
  const counts = await readCachedCounts(tenant, { analysis, collect, facts, selection, ...options, named: presence });
  const chosen = {
    current,
    previous: [],
    measured,
    chosen: input.collect_id == null ? [] : ["collects" as const],
  };
  const basis = await readBasis(tenant, options.legend, chosen, {
    ...facts,
    sums: undefined,
    current: facts.counted,
    previousAnswers: [],
    familyCount: selectFamilies(brands).count,
    filters: namedFilters({ ...input }),
  });
  return { collect, counts, brands: new Map(brands.map((brand) => [brand.number, brand])), basis };
}

const BYTES_PER_COUNT = 300;

/** Counting is slow with thousands of cited pages. */
async function readCachedCounts(
  tenant: Tenant,
  options: {
    analysis: { id: string };
    collect: MeasuredCollect | undefined;
    facts: Awaited<ReturnType<typeof readFacts>>;
    selection: AnswerSelection & { sources: readonly Source[] };
    linkKind: LinkKind;
    isCited: boolean;
    named: Parameters<typeof countLinks>[1]["brandFilter"];
  },
): Promise<LinkCounts> {
  const { db } = tenant;
  const { analysis, collect, facts, selection, linkKind, isCited, named: brandFilter } = options;
  const key = hashKey([
    // Links are re-extracted together with the facts of an answer, for a catalog version.
    [collect?.id, collect?.summedVersion, await findCatalogVersion(tenant), await findLastPosition(db, analysis.id)],
    [linkKind, isCited, brandFilter.withBrand ?? null, brandFilter.absentBrand ?? null, selection.filter],
    await buildCountryCacheKey(db, analysis.id, selection.filter.countries),
    facts.counted.map(({ source, method, digest }) => [source, method, digest]),
  ]);
  return db.cache.get(`links ${key}`, async () => {
    const packed = collect ? await listLinks(db, collect.id, selection.sources, linkKind === "page") : [];
    const sources = facts.counted.flatMap((one) => {
      const own = packed.find(({ source, method }) => source === one.source && method === one.method);
      if (!own) return [];
      const addresses = linkKind === "page" ? unpackAddresses(own.addresses) : [];
      return [{ facts: one.facts, links: unpackLinks(own.links), addresses }];
    });
    const value = await runWithPauses(
      countLinks(sources, { prompts: facts.prompts, linkKind, isCited, brandFilter }),
      nextTurn,
    );
    return { value, bytes: value.counts.length * BYTES_PER_COUNT };
  });
}

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
