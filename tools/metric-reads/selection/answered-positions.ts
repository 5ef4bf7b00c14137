import type { Tenant } from "../../../db/engine/store.ts";
import { listFacts } from "../../../db/metrics/search-metrics.ts";
import { chooseCollects } from "./choose-collects.ts";
import { hasDates, type DatesInput } from "./date-window.ts";

/** Positions of the prompts with an answer in the runs of the dates; null without dates. */
export async function listAnsweredPositions(
  tenant: Tenant,
  analysisId: string,
  input: DatesInput,
): Promise<readonly number[] | null> {
  if (!hasDates(input)) return null;
  const positions = new Set<number>();
  for (const { id } of (await chooseCollects(tenant, analysisId, input)).current) {
    for (const { facts } of await listFacts(tenant.db, id, null)) {
      for (const [position, answers] of facts.answers.entries()) if (answers > 0) positions.add(position);
    }
  }
  return [...positions];
}
