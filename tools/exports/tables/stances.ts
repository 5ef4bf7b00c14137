import type { ExportFilters } from "../../../core/exports/exports.ts";
import type { StoredPerception } from "../../../core/metrics/facts/stored-perception.ts";
import type { Source } from "../../../core/sources/sources.ts";
import type { ExportedCollect } from "../../../db/exports/exported-collects.ts";
import { iterateExportedOpinions, listNumberedBrands } from "../../../db/exports/exported-rows.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { exportTable, integer, text } from "../export-table.ts";
import { ANSWER_COLUMNS, PLACE_COLUMNS } from "../shared-columns.ts";

interface ExportedOpinion {
  kind: "stance" | "pro" | "con" | "comparison" | "draw" | "attribute";
  brand: number;
  start: number;
  end: number;
  stance?: string;
  head?: string;
  worse?: number;
  aspect?: string | null;
  attribute?: string;
  score?: number;
}

function flattenOpinions({ stances, points, comparisons, attributes }: StoredPerception): ExportedOpinion[] {
  return [
    ...stances.map((one) => ({ ...one, kind: "stance" as const })),
    ...points.map(({ polarity, ...one }) => ({ ...one, kind: polarity })),
    ...comparisons.map(({ better, isDraw, ...one }) => {
      return { ...one, kind: isDraw ? ("draw" as const) : ("comparison" as const), brand: better };
    }),
    ...attributes.map((one) => ({ ...one, kind: "attribute" as const })),
  ];
}

interface NamedBrand {
  id: string;
  name: string;
}
type OpinionRow = ExportedOpinion &
  ExportedCollect & {
    answerId: string;
    source: Source;
    method: string;
    namedBrand: NamedBrand;
    other: NamedBrand | null;
    quotation: string;
  };

async function* iterateOpinionRows(tenant: Tenant, filters: ExportFilters): AsyncGenerator<OpinionRow[]> {
  const brands = await listNumberedBrands(tenant);
  const wanted = filters.brand_ids && new Set(filters.brand_ids);
  for await (const part of iterateExportedOpinions(tenant, filters)) {
    yield part.flatMap(({ said, text: whole, ...answer }) =>
      flattenOpinions(said).flatMap((one) => {
        const namedBrand = brands.get(one.brand);
        const other = one.worse === undefined ? null : (brands.get(one.worse) ?? null);
        if (!namedBrand || (wanted && !wanted.has(namedBrand.id) && !(other && wanted.has(other.id)))) return [];
        return [{ ...answer, ...one, namedBrand, other, quotation: whole.slice(one.start, one.end) }];
      }),
    );
  }
}

export const STANCES_TABLE = exportTable<OpinionRow>({
  what: "stances",
  doc: "One row per opinion about a brand: stances, pros and cons, comparisons, and attribute scores.",
  filters: ["analysis_ids", "collect_ids", "sources", "brand_ids"],
  columns: [
    ...PLACE_COLUMNS,
    ...ANSWER_COLUMNS,
    text("kind", (row) => row.kind, "stance, pro, con, comparison, draw (two brands called equal) or attribute."),
    text("brand_id", (row) => row.namedBrand.id, "Id of the brand; for a comparison, the preferred brand."),
    text("brand", (row) => row.namedBrand.name, "Name of the brand."),
    text("stance", (row) => row.stance ?? null, "winner, recommended, caveated, mentioned or discouraged."),
    text("point", (row) => row.head ?? null, "Subject of a pro or con: the head noun that groups points."),
    text("other_brand_id", (row) => row.other?.id ?? null, "Id of the less preferred brand of a comparison."),
    text("other_brand", (row) => row.other?.name ?? null, "Name of the less preferred brand."),
    text("aspect", (row) => row.aspect ?? null, "Aspect in which the comparison prefers the brand, if stated."),
    text("attribute", (row) => row.attribute ?? null, "Attribute that the sentence scores."),
    integer("score", (row) => row.score ?? null, "Score of the attribute, −5 to 5."),
    text("quotation", (row) => row.quotation, "Quoted words."),
    integer("start", (row) => row.start, "Start of the quotation in the text, in UTF-16 code units."),
    integer("end", (row) => row.end, "End of the quotation, exclusive."),
  ],
  rows: iterateOpinionRows,
});
