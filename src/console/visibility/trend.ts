import { renderLineChart, type LinePoint } from "../charts/line-chart.ts";
import type { Html } from "../../http/pages/html.ts";
import { formatDay, formatShortDay } from "../../http/pages/format-day.ts";
import { formatPercent } from "../shared/format-metrics.ts";
import type { BrandRow, VisibilityView } from "./view.ts";

export function renderTrendChart({ trend, analysis }: VisibilityView): Html | undefined {
  const collects = trend.basis.collects;
  if (collects.length === 0) return undefined;
  const byBrand = new Map<string, BrandRow[]>();
  for (const row of trend.data) byBrand.set(row.brand_id, [...(byBrand.get(row.brand_id) ?? []), row]);
  const own = (rows: readonly BrandRow[]) => rows[0]?.brand_id === analysis.brand_id;
  const last = (rows: readonly BrandRow[]) => rows.find(({ collect_id: id }) => id === collects.at(-1)?.collect_id);
  const series = [...byBrand.values()]
    .toSorted(
      (a, b) => Number(own(b)) - Number(own(a)) || (last(b)?.presence_rate ?? 0) - (last(a)?.presence_rate ?? 0),
    )
    .map((rows) => ({
      name: rows[0]?.brand ?? "",
      points: collects.map(({ collect_id: id }) => toPoint(rows.find((row) => row.collect_id === id))),
    }));
  return renderLineChart({
    id: "presence",
    title: "Presence over time",
    description: "Share of answers that name each brand. Shaded: likely range (95 %).",
    axis: "Run",
    positions: collects.map(({ number, collected_to: to, finished_at: at }) => {
      const when = to ?? at;
      return {
        name: `${number}, ${formatDay(when)}`,
        label: formatShortDay(when) || String(number),
        at: when === null ? null : Date.parse(when),
      };
    }),
    series,
    annotations: createAnnotations(trend),
    formatValue: formatPercent,
    maxValue: 1,
  });
}

function toPoint(row: BrandRow | undefined): LinePoint | null {
  if (!row || row.presence_rate === null) return null;
  return { value: row.presence_rate, low: row.ci_low ?? null, high: row.ci_high ?? null };
}

type Trend = VisibilityView["trend"];
type TrendCollect = Trend["basis"]["collects"][number];

/** Changes of catalog, models, methods and rules, at the first collect after each. */
function createAnnotations({ basis: { collects }, events }: Trend): { place: number; text: string }[] {
  return collects.flatMap((collect, place) => {
    const before = collects[place - 1];
    if (!before) return [];
    const texts = [...describeCatalogChanges(before, collect, events), ...describeCollectionChanges(before, collect)];
    return texts.length === 0 ? [] : [{ place, text: `Before run ${collect.number}: ${texts.join("; ")}.` }];
  });
}

const CATALOG_CHANGE_LABELS: Readonly<Record<Trend["events"][number]["change"], string>> = {
  created: "added to the catalog",
  changed: "changed in the catalog",
  archived: "archived",
  restored: "restored",
};

function describeCatalogChanges(
  before: TrendCollect,
  { finished_at: until }: TrendCollect,
  events: Trend["events"],
): string[] {
  return events
    .filter(({ at }) => at > (before.finished_at ?? "") && at <= (until ?? ""))
    .map(({ change, brand, brands }) => `${brands > 1 ? `${brands} brands` : brand} ${CATALOG_CHANGE_LABELS[change]}`);
}

function describeCollectionChanges(before: TrendCollect, after: TrendCollect): string[] {
  const changed = (name: "models" | "collection_methods", words: string) =>
    before[name].join() === after[name].join() ? [] : [`${words} ${after[name].join(", ") || "none"}`];
  // Null while a collect has answers extracted by different rules.
  const [old, now] = [before.reading_version, after.reading_version];
  const isReadingChanged = old !== null && now !== null && old !== now;
  return [
    ...changed("models", "models are now"),
    ...changed("collection_methods", "collected by"),
    ...(isReadingChanged ? ["answers are extracted by new rules"] : []),
  ];
}
