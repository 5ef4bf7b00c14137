import { listBrandsByIds } from "../../../db/catalog/brands.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { z } from "zod";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import {
  expandSources,
  CHOSEN_METHODS,
  findNamedMethod,
  toSource,
  type ChosenMethod,
  SOURCE_NAMES,
  SOURCES,
  type Source,
} from "../../../core/sources/sources.ts";
import { AppError, type FieldError } from "../../../core/shared/errors.ts";
import { toCapMicros, toUsd } from "../../../core/credits/micros.ts";
import { completeSchedule, findScheduleFaults } from "../../../core/analyses/schedule.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import type { AnalysisSetup } from "../kinds/analysis-kind.ts";

export const MAX_QUESTIONS = 100_000;
const MAX_YEAR_MS = 366 * 86_400_000;

export const methodsField = z
  .array(z.enum(CHOSEN_METHODS))
  .min(1)
  .max(CHOSEN_METHODS.length)
  .optional()
  .describe("api: the model; capture: the page that users see.");

interface SourcesAsked {
  sources: Source[];
  methods?: ChosenMethod[] | undefined;
}

interface AskingSetup extends AnalysisSetup, SourcesAsked {
  brand_id: string;
  competitor_ids: string[];
}

export function listJobSources({ sources, methods = [] }: SourcesAsked) {
  return expandSources(sources, methods);
}

export async function findAskingSetupFaults(
  tenant: Tenant,
  setup: AskingSetup,
  { now, adapters }: { now: Instant; adapters: SourceAdapters },
): Promise<FieldError[]> {
  return [
    ...findDuplicatesIn("competitor_ids", setup.competitor_ids),
    ...findDuplicatesIn("sources", setup.sources),
    ...findMethodFaults(setup, adapters),
    ...findScheduleFaults(setup.schedule),
    ...endFaults(setup, now),
    ...(await findMissingBrands(tenant, setup)),
  ];
}

function findMethodFaults({ sources, methods = [] }: SourcesAsked, adapters: SourceAdapters): FieldError[] {
  const asked = expandSources(sources, methods);
  const isMissing = (one: (typeof asked)[number]) => findNamedMethod(one) !== undefined && !adapters[one].isConfigured;
  return [
    ...findDuplicatesIn("methods", methods),
    ...asked.filter(isMissing).map((one) => {
      const [source, method = "api"] = [toSource(one), findNamedMethod(one)];
      const way = method === "api" ? "by its model's api" : "as a vendor captures it";
      const message = `no provider of ${SOURCE_NAMES[source]} ${way} is configured here: leave out the source, or the method`;
      return { path: `methods.${methods.indexOf(method)}`, message };
    }),
  ];
}

export function rejectFaults(fields: FieldError[]): void {
  if (fields.length === 0) return;
  const message = "The setup is inconsistent. Correct the named fields.";
  throw new AppError("VALIDATION_FAILED", message, { fields });
}

/** Sources in specification order, explicit schedule and end, cap in whole millionths. */
export function normaliseCommonFields<Setup extends AnalysisSetup & { sources?: Source[] }>(
  setup: Setup,
  now: Instant,
): Setup {
  const { ends_at: endsAt, sources, max_spend_usd: cap, ...rest } = setup;
  return {
    // Safe: every key removed above is optional.
    ...(rest as unknown as Setup),
    schedule: completeSchedule(setup.schedule, now),
    ...(sources === undefined ? {} : { sources: SOURCES.filter((source) => sources.includes(source)) }),
    ...(endsAt === undefined || isOnce(setup) ? {} : { ends_at: new Date(endsAt).toISOString() }),
    ...(cap === undefined ? {} : { max_spend_usd: toUsd(toCapMicros(cap)) }),
  };
}

export function findDuplicates<T>(
  entries: Iterable<T>,
  read: (entry: T) => [value: string, path: () => string],
): FieldError[] {
  const seen = new Set<string>();
  const wrong: FieldError[] = [];
  for (const entry of entries) {
    const [value, path] = read(entry);
    if (seen.has(value)) wrong.push({ path: path(), message: "is repeated" });
    seen.add(value);
  }
  return wrong;
}

export function findDuplicatesIn(field: string, values: readonly string[]): FieldError[] {
  return findDuplicates<[number, string]>(values.entries(), ([index, value]) => [value, () => `${field}.${index}`]);
}

function isOnce({ schedule }: AnalysisSetup): boolean {
  return (typeof schedule === "string" ? schedule : schedule.every) === "once";
}

/** A repeating setup needs an end, so that the whole cost is known before the confirmation. */
export function endFaults(setup: AnalysisSetup & { sources?: Source[] }, now: Instant): FieldError[] {
  if (isOnce(setup)) return [];
  if (setup.sources?.length === 0) return [{ path: "schedule", message: "must be once for a setup without sources" }];
  if (setup.ends_at === undefined)
    return [{ path: "ends_at", message: "is required, so that the whole cost is known before the confirmation" }];
  const endsAt = new Date(setup.ends_at).toISOString();
  if (endsAt <= now) return [{ path: "ends_at", message: "must be in the future" }];
  return endsAt > addMs(now, MAX_YEAR_MS) ? [{ path: "ends_at", message: "must be within a year" }] : [];
}

async function findMissingBrands(tenant: Tenant, setup: AskingSetup): Promise<FieldError[]> {
  const ids = new Set(
    (await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids])).map((brand) => brand.id),
  );
  const noBrand = "is not a brand of this workspace; list_brands gives the ids";
  return [
    ...(ids.has(setup.brand_id) ? [] : [{ path: "brand_id", message: noBrand }]),
    ...setup.competitor_ids.flatMap((id, index) => {
      if (id === setup.brand_id) return [{ path: `competitor_ids.${index}`, message: "is the own brand" }];
      return ids.has(id) ? [] : [{ path: `competitor_ids.${index}`, message: noBrand }];
    }),
  ];
}
