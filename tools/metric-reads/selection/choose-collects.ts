import { listMeasuredCollects, type MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { AppError, type FieldError } from "../../../core/shared/errors.ts";
import { hasSeveralMethods } from "../../../core/metrics/select-counted-parts.ts";
import { getPresenceBasis, selectSummedSources, type Source } from "../../../core/sources/sources.ts";
import {
  describeEmptyWindow,
  getPreviousWindow,
  isWithin,
  toDateWindow,
  type DatesInput,
  type DateWindow,
} from "./date-window.ts";

/** Absent, null and empty mean none. */
interface NamedCollects extends DatesInput {
  collect_id?: string | null | undefined;
  collect_ids?: readonly string[] | null | undefined;
  prev_collect_id?: string | null | undefined;
  prev_collect_ids?: readonly string[] | null | undefined;
  kind?: "simulated" | null | undefined;
}

export interface ChosenCollects {
  current: MeasuredCollect[];
  previous: MeasuredCollect[];
  measured: MeasuredCollect[];
  chosen: ("collects" | "previous_collects" | "dates")[];
  /** True if changes are against `previous`, which the request names or whose dates precede its own. */
  comparesPrevious: boolean;
  /** Reason why the dates have no run. */
  missing: string | null;
}

const MAX_SUGGESTED_IDS = 20;

/** Defaults to the latest and the one before (measurement.md section 2). VALIDATION_FAILED. */
export async function chooseCollects(
  tenant: Tenant,
  analysisId: string,
  named: NamedCollects,
): Promise<ChosenCollects> {
  const measured = await listMeasuredCollects(tenant, analysisId);
  const window = toDateWindow(named);
  if (window) return chooseByDates(measured, window, named);
  const wrong: FieldError[] = [];
  const find = (field: "collect" | "prev_collect") => {
    const paths = listGivenIds(named, field);
    const ids = new Set(paths.map(({ id }) => id.toLowerCase()));
    const known = new Set(measured.map(({ id }) => id));
    wrong.push(
      ...paths
        .filter(({ id }) => !known.has(id.toLowerCase()))
        .map(({ path }) => ({
          path,
          message: "must be a completed or partial run (collect) of this analysis; list_collects has their ids",
          allowed: listIds(measured.slice(-MAX_SUGGESTED_IDS)).toReversed(),
          allowed_count: measured.length,
        })),
    );
    return measured.filter(({ id }) => ids.has(id));
  };
  const current = find("collect");
  const previous = find("prev_collect");
  const both = new Set(listIds(current).filter((id) => listIds(previous).includes(id)));
  for (const { path, id } of listGivenIds(named, "prev_collect")) {
    if (both.has(id.toLowerCase()))
      wrong.push({ path, message: "is already measured; name another collect to compare with" });
  }
  if (wrong.length > 0) {
    throw new AppError("VALIDATION_FAILED", "A named collect has no metrics. Correct the named fields.", {
      fields: wrong,
    });
  }
  const chosen: ChosenCollects["chosen"] = [];
  if (current.length > 0) chosen.push("collects");
  if (previous.length > 0) chosen.push("previous_collects");
  if (current.length === 0) current.push(...selectDefaultCollect(measured, named.kind ?? undefined));
  if (previous.length === 0) previous.push(...collectBefore(measured, current));
  return { current, previous, chosen, measured, comparesPrevious: chosen.includes("previous_collects"), missing: null };
}

/** Runs of the dates, and runs of the same kind in the period before. */
function chooseByDates(measured: MeasuredCollect[], window: DateWindow, named: NamedCollects): ChosenCollects {
  const among = selectCountable(measured, named.kind ?? undefined);
  const current = among.filter((collect) => isWithin(collect, window));
  const kinds = new Set(current.map(getCountedKind));
  const kind = kinds.has("collected") ? "collected" : "simulated";
  const before = getPreviousWindow(window, named.period);
  const isBefore = (collect: MeasuredCollect) => before !== undefined && isWithin(collect, before);
  const previous = among.filter((collect) => kinds.size > 0 && isBefore(collect) && getCountedKind(collect) === kind);
  const missing = current.length > 0 ? null : describeEmptyWindow(among, window);
  return { current, previous, measured, chosen: ["dates"], comparesPrevious: true, missing };
}

function listGivenIds(named: NamedCollects, field: "collect" | "prev_collect"): { path: string; id: string }[] {
  const single = named[`${field}_id`] ?? "";
  const list = named[`${field}_ids`] ?? [];
  return [
    ...(single === "" ? [] : [{ path: `${field}_id`, id: single }]),
    ...list.map((id, index) => ({ path: `${field}_ids.${index}`, id })),
  ];
}

export function selectDefaultCollect(measured: readonly MeasuredCollect[], kind?: "simulated"): MeasuredCollect[] {
  return selectCountable(measured, kind).slice(-1);
}

/** Oldest first. An import counts only if there is no other collect. */
function selectCountable(measured: readonly MeasuredCollect[], kind?: "simulated"): MeasuredCollect[] {
  const ofKind = measured.filter((collect) => kind === undefined || listKinds(collect).has(kind));
  const here = ofKind.filter(({ isImported }) => !isImported);
  return here.length > 0 ? here : ofKind.toSorted(comparePeriods);
}

function collectBefore(measured: readonly MeasuredCollect[], current: readonly MeasuredCollect[]): MeasuredCollect[] {
  const [earliest] = current.toSorted(comparePeriods);
  if (!earliest) return [];
  return measured
    .filter((collect) => isEarlierCollect(collect, earliest))
    .toSorted(comparePeriods)
    .slice(-1);
}

export function isEarlierCollect(collect: MeasuredCollect, other: MeasuredCollect): boolean {
  if (collect.isImported !== other.isImported || getCountedKind(collect) !== getCountedKind(other)) return false;
  const [end, start] = [collect.collectedTo, other.collectedFrom];
  if (end === null || start === null) return false;
  return end < start || (end === start && collect.number < other.number);
}

type CollectKind = "simulated" | "collected";

function listKinds({ ways, collectionMethods }: MeasuredCollect): Set<CollectKind> {
  const methods = ways.length > 0 ? ways.map(({ method }) => method) : collectionMethods;
  return new Set(methods.map((method): CollectKind => (method === "simulated" ? "simulated" : "collected")));
}

/** True if the stored sums are comparable: one kind, method per source and type of presence. */
export function areComparable({ current, previous }: ChosenCollects): boolean {
  const collects = [...current, ...previous];
  const each = collects.map((collect) => {
    const [presence] = selectSummedSources(collect.ways.map(({ source }) => source)).map(getPresenceBasis);
    return presence === undefined ? "unknown" : [...listKinds(collect), presence].join(" ");
  });
  if (hasSeveralMethods(collects.flatMap(({ ways }) => ways))) return false;
  return !each.includes("unknown") && new Set(each).size <= 1 && collects.every((one) => listKinds(one).size === 1);
}

function getCountedKind(collect: MeasuredCollect): CollectKind {
  return listKinds(collect).has("collected") ? "collected" : "simulated";
}

/** Collects without a date come first. */
export function comparePeriods(a: MeasuredCollect, b: MeasuredCollect): number {
  const [left, right] = [a.collectedTo ?? "", b.collectedTo ?? ""];
  if (left !== right) return left < right ? -1 : 1;
  return a.number - b.number;
}

export function listIds(collects: readonly MeasuredCollect[]): string[] {
  return collects.map(({ id }) => id);
}

export function countSourcesIn(
  answers: readonly { collectId: string; source: Source }[],
  collects: readonly MeasuredCollect[],
  among: readonly Source[] | null = null,
): number {
  const ids = new Set(listIds(collects));
  const isChosen = (source: Source) => among === null || among.includes(source);
  return new Set(answers.flatMap((one) => (ids.has(one.collectId) && isChosen(one.source) ? one.source : []))).size;
}
