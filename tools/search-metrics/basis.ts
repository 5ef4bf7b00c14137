import { z } from "zod";
import { COLLECTION_METHODS } from "../../core/sources.ts";
import { Id, InstantField, SourceField } from "../../core/fields.ts";
import { listCollectTotals, type MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Source } from "../../core/sources.ts";
import type { ChosenCollects } from "./choose-collects.ts";

const BasisCollect = z.object({
  collect_id: Id,
  number: z.int(),
  answers: z.int().describe("Over all sources."),
  finished_at: InstantField.nullable(),
});

/** What metrics rest on, so that no figure stands without its period, its sources and how its answers came to be. */
export const Basis = z
  .object({
    collects: z.array(BasisCollect),
    previous_collects: z.array(BasisCollect),
    sources: z.array(SourceField).describe("With answers that count."),
    collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: invented answers."),
  })
  .meta({ id: "MetricsBasis" });

/** `sources` are those that the request lets through; of them the ones count that brought something to measure. */
export async function basisOf(
  db: Db,
  chosen: ChosenCollects,
  sources: readonly Source[],
): Promise<z.input<typeof Basis>> {
  const totals = await Promise.all(chosen.current.map((collect) => listCollectTotals(db, collect.id)));
  const measured = new Set(totals.flat().flatMap(({ source, total }) => (total > 0 ? [source] : [])));
  const methods = new Set([...chosen.current, ...chosen.previous].flatMap((collect) => collect.collectionMethods));
  return {
    collects: chosen.current.map(shapeBasisCollect),
    previous_collects: chosen.previous.map(shapeBasisCollect),
    sources: sources.filter((source) => measured.has(source)),
    collection_methods: COLLECTION_METHODS.filter((method) => methods.has(method)),
  };
}

function shapeBasisCollect({ id, number, succeeded, finishedAt }: MeasuredCollect): z.input<typeof BasisCollect> {
  return { collect_id: id, number, answers: succeeded, finished_at: finishedAt };
}
