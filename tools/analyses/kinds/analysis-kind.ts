import type { z } from "zod";
import type { RunPlan } from "../../../db/analyses/collects.ts";
import type { FacetRow, QuestionRows } from "../../../db/analyses/questions.ts";
import type { CollectSums } from "../../../db/metrics/rollups.ts";
import type { CatalogCache } from "../../../db/catalog/catalogs.ts";
import type { ReadRunner, Tenant } from "../../../db/engine/store.ts";
import type { AnalysisRow, CollectRow } from "../../../db/analyses/analyses.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import type { BackgroundKind } from "../../../core/jobs/background.ts";
import type { OutsideSystems } from "../../../core/shared/outside-systems.ts";
import type { KeywordDataKind } from "../../../core/analyses/keyword-data.ts";
import type { ScheduleInput } from "../../../core/analyses/schedule.ts";
import type { PriceTable } from "../../../core/credits/prices.ts";
import type { Capture, Reading } from "../../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import type { ImportLine } from "../../../core/reading/import-line.ts";
import type { JobSource } from "../../../core/sources/sources.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { Cost } from "../../quotes/quote.ts";
import type { MeasuredSpread } from "../../../core/statistics/measured-spread.ts";
import type { Power } from "../setup/power.ts";

export interface Prices {
  prices: PriceTable;
  adapters: SourceAdapters;
}

export interface MeasuredKind {
  type: AnalysisType;
  /** Shown to people, such as "search analysis". */
  noun: string;
  buildQuestions(setup: object, part: QuestionRange, newId: () => string): QuestionRows;
  buildRunPlan(settings: object): RunPlan;
  unitCredits(prices: PriceTable): number;
  collectCost(asked: AskedQuestions, by: Prices): Cost;
  countSpentCredits(read: ReadRunner, collect: CollectRow): Promise<number>;
  /** 0 if several answers are paid together. */
  answerCredits(unitCredits: number): number;
  /** Pure function. */
  read(capture: Capture, catalog: CompiledCatalog, asked: PerceptionContext): Reading;
  /** Awaits `pause` after each part, by default one event loop turn. */
  computeTotals(
    read: ReadRunner,
    collect: { id: string; analysisId: string },
    pause?: () => Promise<void>,
  ): Promise<CollectSums>;
  afterCollect: readonly BackgroundKind[];
  readsKeywords?: boolean;
  afterRereading: readonly BackgroundKind[];
  /** Undefined if this kind accepts no imported answers. */
  imports?: ImportedQuestions;
}

export interface ImportedQuestions {
  maxQuestions: number;
  addQuestions(
    tenant: Tenant,
    known: ReadonlyMap<string, string>,
    lines: readonly ImportLine[],
    by: { analysisId: string; catalog: CompiledCatalog; newId: () => string },
  ): Promise<ReadonlyMap<string, string>>;
}

export interface AnalysisSetup {
  name: string;
  schedule: ScheduleInput;
  ends_at?: string | undefined;
  /** Max US dollars over the life of the analysis; unlimited if absent. */
  max_spend_usd?: number | undefined;
}

export interface AskedQuestions {
  /** Omits fields that have columns or tables. */
  settings: Record<string, unknown>;
  prompts: readonly BrandPrompt[] | null;
  questionCount: number;
}

export interface AnalysisPlan extends AskedQuestions {
  /** Null if no brand of the workspace has the audited site. */
  brandId: string | null;
  competitorIds: readonly string[];
}

export interface QuestionRange {
  analysisId: string;
  first: number;
  limit: number;
  facetRows: readonly FacetRow[];
}

/** A new kind adds this declaration, its line in kinds.ts and two endpoints. */
export interface AnalysisKind<
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Setup extends AnalysisSetup = AnalysisSetup,
> extends MeasuredKind {
  fields: Fields;
  setup: z.ZodType<Setup>;
  /** VALIDATION_FAILED names every inconsistent field. */
  normalise(
    tenant: Tenant,
    setup: Setup,
    by: { now: Instant; catalogs: CatalogCache; adapters: SourceAdapters },
  ): Promise<Setup>;
  lookup?: SetupLookup<Setup>;
  settingsSchema: z.ZodObject;
  /** Ready for pricing, with another name. Drops an end date that has passed. */
  loadSetup(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<Setup>;
  sources(setup: Setup): readonly JobSource[];
  /** Number of keywords whose figures the setup lacks, so that a provider is queried for them. */
  unknownKeywords?(setup: Setup, wanted: KeywordDataKind): number;
  /** Smallest detectable change, from the measured spread if any; null without collects. */
  power(setup: Setup, measured?: MeasuredSpread): Power | null;
  /** Noun for the prompts that `power` covers: "Generic keywords". */
  promptsNoun: string;
  /** Lists too long for a form are counted and linked at `fullListAddress`. */
  present(
    tenant: Tenant,
    setup: Setup,
    by: { adapters: SourceAdapters; fullListAddress: string | null },
  ): Promise<string[]>;
  plan(setup: Setup): AnalysisPlan;
}

export interface SetupLookup<Setup> {
  /** Throws VALIDATION_FAILED for a setup that no lookup can make valid. */
  isNeeded(given: Setup, now: Instant): boolean;
  missingReason(setup: Setup): string | undefined;
  /** Adds the results, or a note that explains why there are none. */
  perform(given: Setup, outside: OutsideSystems, limits?: { timeoutMs: number }): Promise<Setup>;
}
