import type { Reading } from "../reading/capture.ts";
import { rootBrandIds } from "../reading/catalog.ts";
import type { CompiledCatalog } from "../reading/catalog.ts";
import type { ImportLine } from "../reading/import-line.ts";
import { brandMetrics, shareOfVoice, sumReadings } from "./metrics.ts";
import type { BrandMetrics } from "./metrics.ts";
import { readCapture } from "../reading/reading.ts";

export interface BrandMeasurement extends BrandMetrics {
  brand: string;
  share_of_voice: number | null;
}

/** Figures of one group of lines, most visible brand first. */
export interface GroupMeasurement {
  /** Name of the collect or number of the run; "all" over everything. */
  group: string;
  answers: number;
  /** The eligible ones among them: what every rate is a rate of. */
  total: number;
  brands: BrandMeasurement[];
}

export interface Measurement {
  all: GroupMeasurement;
  /** By collect where lines name collects, else by run; in order, empty when there is but one. */
  grouped_by: "collect" | "run";
  groups: GroupMeasurement[];
}

interface ReadLine {
  keyword: string;
  group: string;
  reading: Reading;
}

/** Measures recorded answers: brands as a whole, sub-brands and products counted for theirs. Pure. */
export function measureLines(lines: ImportLine[], catalog: CompiledCatalog): Measurement {
  const groupedBy = lines.some(({ collect }) => collect !== undefined) ? "collect" : "run";
  const read = lines.map((line): ReadLine => ({
    keyword: line.keyword,
    group: groupedBy === "run" ? String(line.run) : (line.collect ?? ""),
    reading: readCapture(line, catalog, { prompt: line.keyword, source: line.source }),
  }));
  const names = [...new Set(read.map(({ group }) => group))].toSorted((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  return {
    all: measureGroup("all", read, catalog),
    grouped_by: groupedBy,
    groups:
      names.length < 2
        ? []
        : names.map((name) =>
            measureGroup(
              name,
              read.filter(({ group }) => group === name),
              catalog,
            ),
          ),
  };
}

function measureGroup(group: string, lines: ReadLine[], catalog: CompiledCatalog): GroupMeasurement {
  const roots = rootBrandIds(catalog);
  const { total, brands } = sumReadings(lines);
  const weights = catalog.brands.filter(({ id }) => roots.has(id)).map(({ id }) => brands.get(id)?.weight_sum ?? 0);
  const measured = catalog.brands
    .filter(({ id }) => roots.has(id) && brands.has(id))
    .map(({ id, name }): BrandMeasurement => {
      const sums = brands.get(id);
      const share = shareOfVoice(sums?.weight_sum ?? 0, weights);
      return { brand: name, ...brandMetrics(sums, total), share_of_voice: share };
    })
    .toSorted((a, b) => (b.visibility_score ?? 0) - (a.visibility_score ?? 0));
  return { group, answers: lines.length, total, brands: measured };
}
