import { countQuestions, insertQuestions, listFacets, type QuestionRows } from "../../../db/measuring/questions.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { brandsNamedIn } from "../../../core/reading/find-mentions.ts";
import type { ImportLine } from "../../../core/reading/import-line.ts";
import { readEach } from "../../../core/within-time.ts";
import { planFacets } from "./plan-facets.ts";

/** Where keywords go whose line names no thematic or topic. */
const UNSORTED = "Imported";

/**
 * Adds the keywords of imported lines that the analysis does not have, under the thematic and topic that their first
 * line names. Gives the id of every keyword by its text. A keyword that names a brand is of type Brand.
 */
export async function addKeywords(
  tenant: Tenant,
  known: ReadonlyMap<string, string>,
  lines: readonly ImportLine[],
  by: { analysisId: string; catalog: CompiledCatalog; newId: () => string },
): Promise<ReadonlyMap<string, string>> {
  const { analysisId, catalog, newId } = by;
  if (lines.every(({ keyword }) => known.has(keyword))) return known;
  const ids = new Map(known);
  const facets = planFacets(analysisId, await listFacets(tenant, analysisId), newId);
  const questions: QuestionRows["questions"] = [];
  // More than the texts: a keyword that a setup changed is there twice.
  const first = await countQuestions(tenant, analysisId);
  const added = lines.filter(({ keyword }) => !known.has(keyword));
  const types = readEach(
    added.map(({ keyword }) => keyword),
    (keyword) => (brandsNamedIn(keyword, catalog).size > 0 ? "Brand" : "Generic"),
    "Generic",
  );
  for (const [at, line] of added.entries()) {
    if (ids.has(line.keyword)) continue;
    const id = newId();
    const thematicId = facets.id("thematic", line.thematic ?? UNSORTED);
    const topicId = facets.id("topic", line.topic ?? line.thematic ?? UNSORTED, thematicId);
    const type = types[at] ?? "Generic";
    questions.push({
      id,
      analysisId,
      position: first + questions.length,
      text: line.keyword,
      type,
      thematicId,
      topicId,
      intent: [],
    });
    ids.set(line.keyword, id);
  }
  await insertQuestions(tenant, { facets: facets.added, questions });
  return ids;
}
