import { Readable } from "node:stream";
import type { Response } from "express";
import { getAttributes } from "../../../tools/metrics/get-attributes.ts";
import { getBrandAwareness } from "../../../tools/metrics/get-brand-awareness.ts";
import { getBrandPerception } from "../../../tools/metrics/get-brand-perception.ts";
import { getComparisons } from "../../../tools/metrics/get-comparisons.ts";
import { sendCsv, type CsvColumn } from "../../http/pages/csv.ts";
import type { ShownAnalysis } from "../shared/filters.ts";
import {
  ATTRIBUTE_COLUMNS,
  AWARENESS_COLUMNS,
  COMPARISON_COLUMNS,
  POINT_COLUMNS,
  toPointRows,
  SENTIMENT_COLUMNS,
  STANCE_COLUMNS,
} from "./perception-csv.ts";
import { sortAttributes, AWARENESS_TABLE, PAIRS_TABLE, SENTIMENT_TABLE, STANCES_TABLE } from "./perception-tables.ts";
import { renderPerceptionPage, renderUnavailablePage } from "./perception-page.ts";
import { sortOwnFirst, type Perception } from "./view.ts";
import { perceptionAddress } from "../shared/page-addresses.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showMetricsPage } from "../shared/show-metrics-page.ts";
import { inBar, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Section } from "../../http/pages/section.ts";

type MetricsRequest = Pick<ChosenAnalysis, "call" | "ids" | "query">;

/** API responses of the page: at most eleven brands on six attributes. */
const READERS = {
  // Safe: rows are themes only if grouped by theme.
  perception: async (of: MetricsRequest, id: string) =>
    (await of.call(getBrandPerception, buildMetricsInput(of, id))) as Perception,
  awareness: async (of: MetricsRequest, id: string) => of.call(getBrandAwareness, buildMetricsInput(of, id)),
  comparisons: async (of: MetricsRequest, id: string) =>
    of.call(getComparisons, { ...buildMetricsInput(of, id), group_by: ["brand"] }),
  attributes: async (of: MetricsRequest, id: string) => of.call(getAttributes, buildMetricsInput(of, id)),
};

const CSV_FILES = {
  "stances.csv": csvFile(STANCE_COLUMNS, async (of) => STANCES_TABLE.sortRows(await readBrands(of), of.query)),
  "sentiment.csv": csvFile(SENTIMENT_COLUMNS, async (of) => SENTIMENT_TABLE.sortRows(await readBrands(of), of.query)),
  "pros-and-cons.csv": csvFile(POINT_COLUMNS, async (of) => toPointRows(await readBrands(of), of.query)),
  "comparisons.csv": csvFile(COMPARISON_COLUMNS, async (of) =>
    PAIRS_TABLE.sortRows((await READERS.comparisons(of, of.analysis.id)).data, of.query),
  ),
  "attributes.csv": csvFile(ATTRIBUTE_COLUMNS, async (of) => {
    const { data } = await READERS.attributes(of, of.analysis.id);
    return sortAttributes(data, of.query, of.analysis.brand_id);
  }),
  "awareness.csv": csvFile(AWARENESS_COLUMNS, async (of) => {
    const { data } = await READERS.awareness(of, of.analysis.id);
    return AWARENESS_TABLE.sortRows(sortOwnFirst(data, of.analysis.brand_id), of.query);
  }),
};
type AnalysisRequest = MetricsRequest & { analysis: ShownAnalysis };
type CsvFile = (response: Response, name: string, chosen: AnalysisRequest) => Promise<void>;

async function readBrands(of: AnalysisRequest) {
  return sortOwnFirst((await READERS.perception(of, of.analysis.id)).data, of.analysis.brand_id);
}

function csvFile<Row>(
  columns: readonly CsvColumn<Row>[],
  read: (of: AnalysisRequest) => Promise<readonly Row[]>,
): CsvFile {
  return async (response, name, of) => sendCsv(response, name, { columns, parts: Readable.from([await read(of)]) });
}

const PERCEPTION_PATH = "/perception/:organization_id/:workspace_id";

const PERCEPTION_SECTION: Section = {
  name: "Perception",
  icon: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM5.7 9.6a2.8 2.8 0 0 0 4.6 0M6 6.4h.01M10 6.4h.01",
};

export const perceptionRoutes: readonly Route[] = [
  ...inBar(PERCEPTION_SECTION, [pageRoute(PERCEPTION_PATH, showPerception)]),
  ...Object.entries(CSV_FILES).map(([name, send]) =>
    pageRoute(`${PERCEPTION_PATH}/${name}`, async (visit) => {
      const { analysis, ...of } = await chooseAnalysis(visit, "brand_analysis");
      if (!analysis) return visit.response.redirect(303, perceptionAddress(of.ids));
      await send(visit.response, name, { ...of, analysis });
    }),
  ),
];

function buildMetricsInput({ ids, query }: MetricsRequest, analysisId: string) {
  const list = (name: string) => {
    const value = query.get(name);
    return value ? [value] : undefined;
  };
  const narrowed = {
    sources: list("source"),
    personas: list("persona"),
    countries: list("country"),
    collect_ids: list("collect"),
  };
  const given = Object.entries(narrowed).filter(([, value]) => value !== undefined);
  return { ...ids, analysis_id: analysisId, ...Object.fromEntries(given), statistics: true, limit: 100 };
}

async function showPerception(visit: Visit): Promise<void> {
  const page = { title: "Perception", section: "perception", prefers: "brand_analysis" } as const;
  return showMetricsPage(visit, page, async (measured) => {
    const { type, id } = measured.analysis;
    if (type !== "brand_analysis") return renderUnavailablePage(measured);
    const [perception, awareness, comparisons, attributes] = await Promise.all([
      READERS.perception(measured, id),
      READERS.awareness(measured, id),
      READERS.comparisons(measured, id),
      READERS.attributes(measured, id),
    ]);
    return renderPerceptionPage({ ...measured, perception, awareness, comparisons, attributes });
  });
}
