import type { Reading } from "../reading/capture.ts";
import { listRootBrandIds, type CompiledCatalog } from "../reading/catalog.ts";
import type { ImportLine } from "../reading/import-line.ts";
import { readCapture } from "../reading/reading.ts";
import { selectSummedSources, type Source } from "../sources/sources.ts";
import { unpackFacts, packFacts } from "./facts/collect-facts.ts";
import { createCollectGatherer } from "./facts/collect-gatherer.ts";
import { computeBrandMetrics, type BrandMetrics } from "./metrics.ts";
import { listCountedPositions, groupPositionsByPrompt } from "./prompt-clusters.ts";
import { selectFamilies, computeShareOfVoice } from "./share-of-voice.ts";
import { sumFacts } from "./facts/sum-facts.ts";

export interface BrandMeasurement extends BrandMetrics {
  brand: string;
  share_of_voice: number | null;
}

export interface GroupMeasurement {
  /** Name of the collect or number of the run; "all" for the total. */
  group: string;
  /** Denominator of rates: answers, or result pages if a group has no answers. */
  total: number;
  /** Number of answers that name a brand or link to one. */
  informative: number;
  /** Result pages excluded because there are answers. */
  left_out: number;
  brands: BrandMeasurement[];
}

export interface LinesMeasurement {
  all: GroupMeasurement;
  /** `collect` if lines name collects, else `run`; `groups` is empty for a single group. */
  grouped_by: "collect" | "run";
  groups: GroupMeasurement[];
}

interface ExtractedLine {
  keyword: string;
  source: Source;
  groupName: string;
  reading: Reading;
}

export function measureLines(lines: ImportLine[], catalog: CompiledCatalog): LinesMeasurement {
  const groupedBy = lines.some(({ collect }) => collect !== undefined) ? "collect" : "run";
  const read = lines.map((line): ExtractedLine => ({
    keyword: line.keyword,
    source: line.source,
    groupName: groupedBy === "run" ? String(line.run) : (line.collect ?? ""),
    reading: readCapture(line, catalog, { prompt: line.keyword, source: line.source }),
  }));
  const names = [...new Set(read.map(({ groupName }) => groupName))].toSorted((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const groups = names.map((name) =>
    measureGroup(
      name,
      read.filter(({ groupName }) => groupName === name),
      catalog,
    ),
  );
  return {
    all: measureGroup("all", read, catalog),
    grouped_by: groupedBy,
    groups: groups.length < 2 ? [] : groups,
  };
}

function measureGroup(group: string, lines: ExtractedLine[], catalog: CompiledCatalog): GroupMeasurement {
  const roots = listRootBrandIds(catalog);
  const families = selectFamilies(
    catalog.brands.map(({ id, number }) => ({ number, parentId: roots.has(id) ? null : id })),
  );
  const together = new Set(selectSummedSources([...new Set(lines.map(({ source }) => source))]));
  const counted = lines.filter(({ source }) => together.has(source));
  const facts = buildFacts(counted, catalog);
  const all = sumFacts(facts, groupPositionsByPrompt(listCountedPositions(facts, null), null), families);
  const { total, informative, brands } = all;
  const measured = catalog.brands
    .filter(({ id, number }) => roots.has(id) && brands.has(number))
    .map(({ name, number }): BrandMeasurement => {
      const sums = brands.get(number);
      return {
        brand: name,
        ...computeBrandMetrics(sums, total),
        share_of_voice: computeShareOfVoice(sums, all, families),
      };
    })
    .toSorted((a, b) => (b.visibility_score ?? 0) - (a.visibility_score ?? 0));
  return { group, total, informative, left_out: lines.length - counted.length, brands: measured };
}

function buildFacts(lines: readonly ExtractedLine[], catalog: CompiledCatalog) {
  const positions = new Map([...new Set(lines.map(({ keyword }) => keyword))].map((keyword, at) => [keyword, at]));
  const gathering = createCollectGatherer(positions.size, 0);
  for (const [key, { keyword, source, reading }] of lines.entries()) {
    const { isShown, isInformative } = reading;
    const way = { collectionMethod: "import" as const, model: null };
    gathering.addAnswer({ key, keyword: positions.get(keyword) ?? 0, source, ...way, isShown, isInformative });
    for (const { brand_id, rank, brand_rank: brandRank, mentions, url } of reading.brandRanks) {
      const brand = catalog.brands[catalog.indexById.get(brand_id) ?? -1]?.number ?? 0;
      gathering.addRank({ answerKey: key, brand, rank, brandRank, mentions, url });
    }
  }
  return gathering.sources().map(({ answers, rows }) => unpackFacts(packFacts(answers, rows)));
}
