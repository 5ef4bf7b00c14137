import { heatTable } from "../charts/heat-table.ts";
import { renderSlopeChart } from "../charts/slope-chart.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { formatPercent } from "../shared/format-metrics.ts";
import { answersAddress, updateQuery } from "../shared/page-addresses.ts";
import type { BrandRow, VisibilityView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function renderSourcesSection(view: VisibilityView): Html {
  const { heat, filters } = view;
  const counted = new Set(heat.data.map(({ source }) => source));
  const sources = filters.source_names.map(({ name }) => name).filter((name) => counted.has(name));
  const brands = [...new Set(heat.data.map(({ brand_id: id }) => id))];
  const rows = brands.map((id) => {
    const own = heat.data.filter((row) => row.brand_id === id);
    const [first] = own;
    return {
      name: first?.brand ?? "",
      isOwn: first?.is_my_brand === true,
      cells: sources.map((source) =>
        createCell(
          own.find((row) => row.source === source),
          view,
        ),
      ),
    };
  });
  return html`<section class="panel" aria-labelledby="by-source">
    <div class="panel-head">
      <h2 id="by-source">Presence by source</h2>
      <p class="hint">AI answers count brand names; search results count your domain.</p>
    </div>
    ${heatTable({
      label: "Presence of brands by source",
      rowHeader: "Brand",
      columns: sources,
      rows: rows.toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn)),
      formatValue: formatPercent,
    })}
  </section>`;
}

function createCell(row: BrandRow | undefined, { ids, query, analysis, filters, heat }: VisibilityView) {
  if (!row || row.presence_rate === null) return null;
  const source = filters.source_names.find(({ name }) => name === row.source)?.source;
  const collect = heat.basis.collects.at(-1)?.collect_id;
  const country = query.get("country") ?? undefined;
  const selection = { analysis: analysis.id, collect, source, country, names: row.brand_id };
  return {
    value: row.presence_rate,
    counts: `${formatInteger(row.occurrences)} of ${formatInteger(row.answers)} answers`,
    href: `${answersAddress(ids)}${updateQuery(new URLSearchParams(), selection)}`,
  };
}

export function renderPresenceSlopes({ heat, analysis }: VisibilityView): Html | undefined {
  const [before] = heat.basis.previous_collects.toReversed();
  const slopes = heat.data.flatMap(({ brand_id: id, source, previous, presence_rate: currentRate }) =>
    id === analysis.brand_id && source !== undefined && previous !== null && currentRate !== null
      ? [{ name: source, before: previous, after: currentRate }]
      : [],
  );
  if (!before || slopes.length === 0) return undefined;
  return renderSlopeChart({
    id: "slopes",
    title: "Your presence by source",
    description: "The two runs without adjustment. Brands shows which changes are significant.",
    sideLabels: [`Run ${before.number}`, `Run ${heat.basis.collects.at(-1)?.number ?? ""}`],
    slopes,
    formatValue: formatPercent,
  });
}
