import type { BrandMeasurement, GroupMeasurement, LinesMeasurement } from "../../core/metrics/measure-lines.ts";

const COLUMN_HEADINGS = [
  "brand",
  "visibility",
  "presence",
  "top 3",
  "avg rank",
  "mentions",
  "keywords",
  "share of voice",
];

/** `top` 0 shows all brands. */
export function formatMeasurementTable({ all, groups, grouped_by }: LinesMeasurement, top: number): string {
  const shown = top === 0 ? all.brands : all.brands.slice(0, top);
  const parts = [
    `${formatCounts(all)}\n`,
    alignColumns([COLUMN_HEADINGS, ...shown.map(formatBrandRow)]),
    shown.length < all.brands.length
      ? `and ${all.brands.length - shown.length} more brands (--top 0 shows them)\n`
      : "",
  ];
  for (const [i, group] of groups.entries()) parts.push(groupTable(group, groups[i - 1], shown, grouped_by));
  return parts.filter((part) => part !== "").join("\n");
}

function groupTable(
  group: GroupMeasurement,
  previous: GroupMeasurement | undefined,
  brands: BrandMeasurement[],
  groupedBy: string,
): string {
  const title = `${groupedBy} ${group.group}: ${formatCounts(group)}\n`;
  const headings = previous ? [...COLUMN_HEADINGS, `visibility ${groupedBy} ${previous.group}`] : COLUMN_HEADINGS;
  const rows = brands.flatMap(({ brand }) => {
    const now = group.brands.find((other) => other.brand === brand);
    const before = previous?.brands.find((other) => other.brand === brand);
    if (!now && !before) return [];
    const cells = now
      ? formatBrandRow(now)
      : [brand, scoreText(group.total === 0 ? null : 0), "0%", "0%", "–", "0", "0", "–"];
    if (!previous) return [cells];
    return [[...cells, scoreText(before?.visibility_score ?? (previous.total === 0 ? null : 0))]];
  });
  return `${title}\n${alignColumns([headings, ...rows])}`;
}

function formatCounts({ total, informative, left_out }: GroupMeasurement): string {
  const others = left_out === 0 ? "" : `; ${left_out} result pages are not counted`;
  return `n = ${total} answers, ${informative} of which name or link to a brand${others}`;
}

function formatBrandRow(measured: BrandMeasurement): string[] {
  return [
    measured.brand,
    scoreText(measured.visibility_score),
    shareText(measured.presence_rate),
    shareText(measured.top_3_rate),
    measured.average_rank === null ? "–" : measured.average_rank.toFixed(2),
    String(measured.total_mentions),
    String(measured.nb_keywords),
    shareText(measured.share_of_voice),
  ];
}

function scoreText(score: number | null): string {
  return score === null ? "–" : score.toFixed(1);
}

function shareText(share: number | null): string {
  return share === null ? "–" : `${(100 * share).toFixed(0)}%`;
}

function alignColumns(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows
    .map((cells) => cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))))
    .map((cells) => `${cells.join("  ").trimEnd()}\n`)
    .join("");
}
