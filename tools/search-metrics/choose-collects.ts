import { listMeasuredCollects, type MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { AppError, type FieldError } from "../../core/errors.ts";

/** Ids of collects as a request names them; absent, null and empty name none. */
interface NamedCollects {
  collect_id?: string | null | undefined;
  collect_ids?: readonly string[] | null | undefined;
  prev_collect_id?: string | null | undefined;
  prev_collect_ids?: readonly string[] | null | undefined;
}

/** Collects to measure and to compare with, oldest first. Either can be empty. */
export interface ChosenCollects {
  current: MeasuredCollect[];
  previous: MeasuredCollect[];
}

/** As many ids as a refusal tells, the latest first. */
const MOST_ALLOWED = 20;

/**
 * The collects of a request: those it names, or the latest that can be measured and the one before. VALIDATION_FAILED
 * names each field with a collect that is not a completed or partial one of the project.
 */
export async function chooseCollects(tenant: Tenant, projectId: string, named: NamedCollects): Promise<ChosenCollects> {
  const measured = await listMeasuredCollects(tenant, projectId);
  const wrong: FieldError[] = [];
  const find = (field: "collect" | "prev_collect") => {
    const single = named[`${field}_id`] ?? "";
    const list = named[`${field}_ids`] ?? [];
    const given = [
      ...(single === "" ? [] : [{ path: `${field}_id`, id: single }]),
      ...list.map((id, index) => ({ path: `${field}_ids.${index}`, id })),
    ];
    const wanted = new Set(given.map(({ id }) => id.toLowerCase()));
    const known = new Set(measured.map(({ id }) => id));
    wrong.push(
      ...given
        .filter(({ id }) => !known.has(id.toLowerCase()))
        .map(({ path }) => ({
          path,
          message: "must be a completed or partial collect of this project; list_collects gives them",
          allowed: idsOf(measured.slice(-MOST_ALLOWED)).toReversed(),
          allowed_count: measured.length,
        })),
    );
    return measured.filter(({ id }) => wanted.has(id));
  };
  const current = find("collect");
  const previous = find("prev_collect");
  if (wrong.length > 0) {
    throw new AppError("VALIDATION_FAILED", "A collect that is named cannot be measured. Correct the fields named.", {
      fields: wrong,
    });
  }
  if (current.length === 0) current.push(...measured.slice(-1));
  const earliest = current[0]?.number ?? 0;
  if (previous.length === 0) previous.push(...measured.filter(({ number }) => number < earliest).slice(-1));
  return { current, previous };
}

export function idsOf(collects: readonly MeasuredCollect[]): string[] {
  return collects.map(({ id }) => id);
}
