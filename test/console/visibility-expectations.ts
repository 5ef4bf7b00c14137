import { CITATIONS, COLLECTS, FILTERS, VISIBILITY } from "./rest-endpoints.ts";
import {
  formatBarePercent,
  formatDecimals,
  formatPercent,
  formatPoints,
  formatFields,
  type RestReader,
  type Fields,
  type Row,
} from "./rest-reader.ts";
import { readTableRows, readColumnHeaders, rowName, readMetrics } from "./read-metrics.ts";

// Parts of Visibility by REST.

const NARROWING = ["source", "topic", "persona", "country", "stage", "collect"] as const;
const INTERVAL: Fields = { ci_low: formatBarePercent, ci_high: formatPercent };

export async function expectedOwnMetrics(asked: RestReader): Promise<string[][]> {
  const { rest, own } = asked;
  const of = async (figure: string): Promise<Row | undefined> =>
    (await rest(VISIBILITY, { figure, statistics: "true", brands: own }, NARROWING)).data[0];
  const [presence, top] = [await of("presence"), await of("top_3")];
  const [voice, cited] = [await of("share_of_voice"), await of("citations")];
  if (!presence) return [];
  return [
    [
      ...formatFields(presence, { presence_rate: formatPercent, ...INTERVAL, "change.delta": formatPoints }),
      ...formatFields(presence, {
        average_rank: formatDecimals(2),
        rank_ci_low: formatDecimals(2),
        rank_ci_high: formatDecimals(2),
      }),
      ...formatFields(top, { top_3_rate: formatPercent, ...INTERVAL, "change.delta": formatPoints }),
      ...formatFields(voice, { share_of_voice: formatPercent, ...INTERVAL, "change.delta": formatPoints }),
      ...formatFields(cited, { citation_rate: formatPercent, ...INTERVAL, "change.delta": formatPoints }),
    ],
  ];
}

/** Sites that answers of the selection cite. It knows no persona and no stage. */
async function citedSites({ rest, query }: RestReader, more: Record<string, string>) {
  const sources = query.get("source") || ((await rest(FILTERS)).sources as string[]);
  return rest(CITATIONS, { sources, statistics: "true", ...more }, ["topic", "country", "collect"]);
}

export async function expectedSites(asked: RestReader): Promise<string[][]> {
  const { data } = await citedSites(asked, { limit: "8" });
  return (data as Row[]).map((row) => formatFields(row, { share: formatPercent }));
}

/** Ids of the own brand and of its most visible rivals. */
async function listLeadingBrands({ rest, own }: RestReader, rivals: number): Promise<string[]> {
  const { data } = await rest(VISIBILITY, { limit: "8" }, NARROWING);
  const ids = (data as Row[]).map((row) => String(row["brand_id"]));
  return [own, ...ids.filter((id) => id !== own).slice(0, rivals)];
}

export async function expectedTrend(asked: RestReader, section: string): Promise<string[][]> {
  const { rest, query } = asked;
  const all = ((await rest(COLLECTS, { limit: "100" })).data as Row[])
    .filter(isMeasured)
    .map((row) => String(row["id"]));
  const from = Math.max(0, all.indexOf(query.get("collect") ?? ""));
  const shown = all.slice(from, from + Number(query.get("period") || 12));
  const { data } = await rest(
    VISIBILITY,
    {
      group_by: ["brand", "collect"],
      brands: await listLeadingBrands(asked, 4),
      collect_ids: shown,
      statistics: "true",
      limit: "100",
    },
    ["source", "topic", "persona", "country", "stage"],
  );
  const rows = data as Row[];
  if (rows.length === 0) return [];
  const counted = shown.toReversed().filter((id) => rows.some((row) => row["collect_id"] === id));
  const brands = inOrderOf(readColumnHeaders(section), rows);
  return counted.map((id) =>
    brands.flatMap((brand) =>
      formatFields(
        rows.find((row) => row["collect_id"] === id && row["brand"] === brand),
        { presence_rate: formatPercent, ci_low: formatPercent, ci_high: formatPercent },
      ),
    ),
  );
}

export function isMeasured({ status }: Row): boolean {
  return status === "completed" || status === "partial";
}

/** Brands of rows: in page order, then the others. */
function inOrderOf(names: readonly string[], rows: readonly Row[]): string[] {
  const brands = new Set(rows.map((row) => String(row["brand"])));
  return [...names.filter((name) => brands.has(name)), ...[...brands].filter((name) => !names.includes(name))];
}

async function readPresenceBySource(asked: RestReader) {
  const sources = asked.query.get("source") || ((await asked.rest(FILTERS)).sources as string[]);
  const brands = await listLeadingBrands(asked, 7);
  const group = { group_by: ["brand", "source"], brands, sources, limit: "100" };
  return asked.rest(VISIBILITY, group, ["topic", "persona", "country", "stage", "collect"]);
}

/** Rows of a cell table: name, and each cell's metric with its count. */
export function readCells(section: string): string[][] {
  return readTableRows(section).map((row) => {
    const cells = row.match(/<td[\s\S]*?<\/td>/g) ?? [];
    return [rowName(row), ...cells.map((cell) => [...readMetrics(cell), /title="([^"]*)"/.exec(cell)?.[1]].join(" "))];
  });
}

export async function expectedBySource(asked: RestReader, section: string): Promise<string[][]> {
  const rows = (await readPresenceBySource(asked)).data as Row[];
  const names = (await asked.rest(FILTERS)).source_names as { source: string; name: string }[];
  const counted = new Set(rows.map((row) => row["source"]));
  const columns = names.map(({ name }) => name).filter((name) => counted.has(name));
  return inOrderOf(readTableRows(section).map(rowName), rows).map((brand) => [
    brand,
    ...columns.map((column) => {
      const row = rows.find((one) => one["brand"] === brand && one["source"] === column);
      const figures = formatFields(row, { presence_rate: formatPercent });
      return figures.length === 0
        ? ""
        : `${figures.join()} ${String(row?.["occurrences"])} of ${String(row?.["answers"])} answers`;
    }),
  ]);
}

export async function expectedSlopes(asked: RestReader): Promise<string[][]> {
  const { data, basis } = await readPresenceBySource(asked);
  if (basis.previous_collects.length === 0) return [];
  return (data as Row[])
    .filter((row) => row["brand_id"] === asked.own && row["previous"] !== null && row["presence_rate"] !== null)
    .map((row) => formatFields(row, { previous: formatPercent, presence_rate: formatPercent }));
}
