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
  pointRows,
  SENTIMENT_COLUMNS,
  STANCE_COLUMNS,
} from "./perception-csv.ts";
import { attributesInOrder, AWARENESS_TABLE, PAIRS_TABLE, SENTIMENT_TABLE, STANCES_TABLE } from "./orders.ts";
import { perceptionPage, perceptionUnmeasured } from "./perception-page.ts";
import { ownFirst } from "./view.ts";
import { perceptionAddress } from "../shared/places.ts";
import { chooseAnalysis, type ChosenAnalysis } from "../shared/chosen-analysis.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";
import { showFigures } from "../shared/show-figures.ts";
import { pageAt, type Route } from "../../http/pages/routes.ts";

type Asking = Pick<ChosenAnalysis, "ask" | "place" | "query">;

/** API responses of the page: at most eleven brands on six attributes. */
const READ = {
  perception: async (of: Asking, id: string) => of.ask(getBrandPerception, inputOf(of, id)),
  awareness: async (of: Asking, id: string) => of.ask(getBrandAwareness, inputOf(of, id)),
  comparisons: async (of: Asking, id: string) => of.ask(getComparisons, { ...inputOf(of, id), group_by: ["brand"] }),
  attributes: async (of: Asking, id: string) => of.ask(getAttributes, inputOf(of, id)),
};

/** Downloads in the display order of the page. */
const FILES = {
  "stances.csv": file(STANCE_COLUMNS, async (of) => STANCES_TABLE.inOrder(await brandsOf(of), of.query)),
  "sentiment.csv": file(SENTIMENT_COLUMNS, async (of) => SENTIMENT_TABLE.inOrder(await brandsOf(of), of.query)),
  "pros-and-cons.csv": file(POINT_COLUMNS, async (of) => pointRows(await brandsOf(of), of.query)),
  "comparisons.csv": file(COMPARISON_COLUMNS, async (of) =>
    PAIRS_TABLE.inOrder((await READ.comparisons(of, of.analysis.id)).data, of.query),
  ),
  "attributes.csv": file(ATTRIBUTE_COLUMNS, async (of) => {
    const { data } = await READ.attributes(of, of.analysis.id);
    return attributesInOrder(data, of.query, of.analysis.brand_id);
  }),
  "awareness.csv": file(AWARENESS_COLUMNS, async (of) => {
    const { data } = await READ.awareness(of, of.analysis.id);
    return AWARENESS_TABLE.inOrder(ownFirst(data, of.analysis.brand_id), of.query);
  }),
};
type Chosen = Asking & { analysis: ShownAnalysis };
type File = (response: Response, name: string, chosen: Chosen) => Promise<void>;

/** Own brand first. */
async function brandsOf(of: Chosen) {
  return ownFirst((await READ.perception(of, of.analysis.id)).data, of.analysis.brand_id);
}

function file<Row>(columns: readonly CsvColumn<Row>[], read: (of: Chosen) => Promise<readonly Row[]>): File {
  return async (response, name, of) => sendCsv(response, name, { columns, parts: Readable.from([await read(of)]) });
}

const PATH = "/perception/:organization_id/:workspace_id";

export const perceptionRoutes: readonly Route[] = [
  pageAt(PATH, showPerception),
  ...Object.entries(FILES).map(([name, send]) =>
    pageAt(`${PATH}/${name}`, async (visit) => {
      const { analysis, ...of } = await chooseAnalysis(visit, "brand_analysis");
      if (!analysis) return visit.response.redirect(303, perceptionAddress(of.place));
      await send(visit.response, name, { ...of, analysis });
    }),
  ),
];

function inputOf({ place, query }: Asking, analysisId: string) {
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
  return { ...place, analysis_id: analysisId, ...Object.fromEntries(given), statistics: true, limit: 100 };
}

async function showPerception(visit: Visit): Promise<void> {
  const of = { title: "Perception", section: "perception", prefers: "brand_analysis" } as const;
  return showFigures(visit, of, async (measured) => {
    const { type, id } = measured.analysis;
    if (type !== "brand_analysis") return perceptionUnmeasured(measured);
    const [perception, awareness, comparisons, attributes] = await Promise.all([
      READ.perception(measured, id),
      READ.awareness(measured, id),
      READ.comparisons(measured, id),
      READ.attributes(measured, id),
    ]);
    return perceptionPage({ ...measured, perception, awareness, comparisons, attributes });
  });
}
