import { extractPerception } from "../../core/perception/perception.ts";
import type { Stance } from "../../core/reading/capture.ts";
import { readCapture } from "../../core/reading/reading.ts";
import { labelledCatalog } from "../../test/measurement/truth.ts";
import type { RecordedAnswer } from "../recompute/scene.ts";

export interface StanceRow {
  /** Name of the brand family. */
  brand: string;
  stance: Stance;
}

/** Stance of each brand mention, by the rules that the service applies to brand analyses. */
export function readStances(answers: readonly RecordedAnswer[]): StanceRow[] {
  const catalog = labelledCatalog();
  const byId = new Map(catalog.brands.map((brand) => [brand.id, brand]));
  return answers.flatMap(({ answer, prompt }) => {
    const capture = { text: answer, citations: [], results: [] };
    const read = extractPerception(capture, readCapture(capture, catalog, { prompt }), { prompt }, catalog);
    return read.stances.flatMap(({ brandId: id, stance }) => {
      const brand = byId.get(id);
      const family = brand?.parent_id == null ? brand : byId.get(brand.parent_id);
      return family ? [{ brand: family.name, stance }] : [];
    });
  });
}
