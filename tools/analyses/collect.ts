import { z } from "zod";
import type { CollectRow } from "../../db/measuring/analyses.ts";
import { COLLECT_STATUSES } from "../../core/analysis.ts";
import { Id, InstantField } from "../../core/fields.ts";
import { COLLECTION_METHODS } from "../../core/sources.ts";

export const Collect = z
  .object({
    id: Id,
    analysis_id: Id,
    number: z.int().describe("1 for the first collect of the analysis."),
    status: z.enum(COLLECT_STATUSES).describe("partial: some questions failed; metrics rest on the answers that came."),
    setup_version: z.int().describe("The setup that it asks: 1 for that of the creation, one more with each change."),
    planned: z.int().describe("Questions of this collect."),
    succeeded: z.int(),
    failed: z.int(),
    collection_methods: z
      .array(z.enum(COLLECTION_METHODS))
      .describe("How its answers came to be here; simulated ones were invented. Empty until it ends."),
    collected_from: InstantField.nullable().describe("When the first of its answers was collected."),
    collected_to: InstantField.nullable().describe("When the last of its answers was collected."),
    started_at: InstantField.nullable(),
    finished_at: InstantField.nullable(),
    cost: z.object({ reserved_credits: z.int(), spent_credits: z.int() }),
  })
  .meta({ id: "Collect" });

export function shapeCollect(row: CollectRow): z.input<typeof Collect> {
  return {
    id: row.id,
    analysis_id: row.analysisId,
    number: row.number,
    status: row.status,
    setup_version: row.setupVersion,
    planned: row.planned,
    succeeded: row.succeeded,
    failed: row.failed,
    collection_methods: row.collectionMethods,
    collected_from: row.collectedFrom,
    collected_to: row.collectedTo,
    started_at: row.startedAt,
    finished_at: row.finishedAt,
    cost: { reserved_credits: row.reservedCredits, spent_credits: row.costCredits },
  };
}
