import type { z } from "zod";
import type { getAttributes } from "../../../tools/metrics/get-attributes.ts";
import type { getBrandAwareness } from "../../../tools/metrics/get-brand-awareness.ts";
import type { getBrandPerception } from "../../../tools/metrics/get-brand-perception.ts";
import type { PerceptionRow } from "../../../tools/metrics/perception-row.ts";
import type { getComparisons } from "../../../tools/metrics/get-comparisons.ts";
import { updateQuery, perceptionAddress } from "../shared/page-addresses.ts";
import type { MetricsView } from "../shared/filters.ts";

type Perceptions = z.output<typeof getBrandPerception.output>;
/** Rows are brands, not themes. */
export type Perception = Omit<Perceptions, "data"> & { data: z.output<typeof PerceptionRow>[] };
export type Awareness = z.output<typeof getBrandAwareness.output>;
export type Comparisons = z.output<typeof getComparisons.output>;
export type Attributes = z.output<typeof getAttributes.output>;

export interface PerceptionView extends MetricsView {
  perception: Perception;
  awareness: Awareness;
  /** Comparisons, with each pair of brands once. */
  comparisons: Comparisons;
  attributes: Attributes;
}

export function sortOwnFirst<Row extends { brand_id: string }>(rows: readonly Row[], ownId: string | null): Row[] {
  return rows.toSorted((a, b) => Number(b.brand_id === ownId) - Number(a.brand_id === ownId));
}

export function csvDownload({ ids, query }: MetricsView, name: string, { data }: { data: readonly unknown[] }) {
  return { href: `${perceptionAddress(ids)}/${name}.csv${updateQuery(query, {})}`, rowCount: data.length };
}
