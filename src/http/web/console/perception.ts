import { Router } from "express";
import { getAttributes } from "../../../../tools/metrics/get-attributes.ts";
import { getBrandAwareness } from "../../../../tools/metrics/get-brand-awareness.ts";
import { getBrandPerception } from "../../../../tools/metrics/get-brand-perception.ts";
import { getComparisons } from "../../../../tools/metrics/get-comparisons.ts";
import { asCsv, csvLine } from "../csv.ts";
import { forVisitor } from "../for-visitor.ts";
import { attributesCsv, awarenessCsv, comparisonsCsv, pointsCsv, stancesCsv } from "../pages/perception/csv.ts";
import { perceptionPage, perceptionUnmeasured } from "../pages/perception/perception.ts";
import { perceptionAddress } from "../pages/places.ts";
import type { Web } from "../visit.ts";
import { chooseAnalysis, type ChosenAnalysis } from "./chosen-analysis.ts";
import type { Visit } from "./page-with-forms.ts";
import { showFigures } from "./show-figures.ts";

type Asking = Pick<ChosenAnalysis, "ask" | "place" | "query">;

/** The figures of the page, each as the interface gives it: an analysis compares at most eleven brands on six attributes. */
const READ = {
  perception: async (of: Asking, id: string) => of.ask(getBrandPerception, inputOf(of, id)),
  awareness: async (of: Asking, id: string) => of.ask(getBrandAwareness, inputOf(of, id)),
  comparisons: async (of: Asking, id: string) => of.ask(getComparisons, { ...inputOf(of, id), group_by: ["brand"] }),
  attributes: async (of: Asking, id: string) => of.ask(getAttributes, inputOf(of, id)),
};

/** The tables of the page as files. */
const FILES = {
  stances: async (of: Asking, id: string) => stancesCsv(await READ.perception(of, id)),
  "pros-and-cons": async (of: Asking, id: string) => pointsCsv(await READ.perception(of, id)),
  comparisons: async (of: Asking, id: string) => comparisonsCsv(await READ.comparisons(of, id)),
  attributes: async (of: Asking, id: string) => attributesCsv(await READ.attributes(of, id)),
  awareness: async (of: Asking, id: string) => awarenessCsv(await READ.awareness(of, id)),
};
type File = keyof typeof FILES;

/** What answers of a brand analysis say about brands, and its tables as files. */
export function perceptionRouter(web: Web): Router {
  const path = "/perception/:organization_id/:workspace_id";
  const router = Router().get(
    path,
    forVisitor(web, (visitor, request, response) => showPerception({ visitor, request, response }, web)),
  );
  for (const file of Object.keys(FILES) as File[]) {
    router.get(
      `${path}/${file}.csv`,
      forVisitor(web, (visitor, request, response) => sendTable(file, { visitor, request, response }, web)),
    );
  }
  return router;
}

function inputOf({ place, query }: Asking, analysisId: string) {
  const list = (name: string) => {
    const value = query.get(name);
    return value ? [value] : undefined;
  };
  const narrowed = { sources: list("source"), personas: list("persona"), collect_ids: list("collect") };
  const given = Object.entries(narrowed).filter(([, value]) => value !== undefined);
  return { ...place, analysis_id: analysisId, ...Object.fromEntries(given), statistics: true, limit: 100 };
}

async function showPerception(visit: Visit, web: Web): Promise<void> {
  const page = { title: "Perception", section: "perception", prefers: "brand_analysis" } as const;
  return showFigures(visit, web, page, async (measured) => {
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

async function sendTable(file: File, visit: Visit, web: Web): Promise<void> {
  const { response } = visit;
  const chosen = await chooseAnalysis(visit, web, "brand_analysis");
  const { analysis, place } = chosen;
  if (!analysis) return response.redirect(303, perceptionAddress(place));
  const lines = await FILES[file](chosen, analysis.id);
  asCsv(response, `${file}.csv`).send(lines.map(csvLine).join(""));
}
