import type { z } from "zod";
import type { Asking } from "../../../db/analyses/collects.ts";
import type { FacetRow, QuestionRows } from "../../../db/analyses/questions.ts";
import type { CollectSums } from "../../../db/metrics/rollups.ts";
import type { Catalogs } from "../../../db/catalog/catalogs.ts";
import type { Read, Tenant } from "../../../db/engine/store.ts";
import type { AnalysisRow, CollectRow } from "../../../db/analyses/analyses.ts";
import type { SourceAdapters } from "../../../core/sources/adapters.ts";
import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import type { BackgroundKind } from "../../../core/jobs/background.ts";
import type { Outside } from "../../../core/shared/outside.ts";
import type { WantedFigures } from "../../../core/analyses/keyword-figures.ts";
import type { GivenSchedule } from "../../../core/analyses/schedule.ts";
import type { PriceTable } from "../../../core/credits/prices.ts";
import type { Capture, Reading } from "../../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import type { ImportLine } from "../../../core/reading/import-line.ts";
import type { AskedSource } from "../../../core/sources/asked-sources.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { Cost } from "../../quotes/quote.ts";
import type { MeasuredSpread } from "../../../core/statistics/measured-spread.ts";
import type { Power } from "../setup/power.ts";

export interface Prices {
  prices: PriceTable;
  adapters: SourceAdapters;
}

/** How what one kind of analysis brought back is measured: all that jobs know of a kind. */
export interface MeasuredKind {
  type: AnalysisType;
  /** As people call it: "search analysis". */
  noun: string;
  /** Rows of some questions of a setup of this kind, as its quote stores it, and of the groups that are new with them. */
  questions(setup: object, part: QuestionPart, newId: () => string): QuestionRows;
  /** Where a setup, as the store keeps it, has its questions asked, and how often. */
  asking(settings: object): Asking;
  unitCredits(prices: PriceTable): number;
  collectCost(asked: AskedSetup, by: Prices): Cost;
  /** Credits that the answers of a collect cost, once it has ended, of those that were reserved for it. */
  spent(read: Read, collect: CollectRow): Promise<number>;
  /** Credits that one answer says it cost; 0 where several are paid together. */
  answerCredits(unitCredits: number): number;
  /** Reads one answer with the catalog. Pure. */
  read(capture: Capture, catalog: CompiledCatalog, asked: PerceptionContext): Reading;
  /**
   * Computes everything that metrics read instead of a collect's rows, and how it differs from what is stored. In parts: waits for
   * `pause` after each, by default for a turn of the event loop.
   */
  sum(read: Read, collect: { id: string; analysisId: string }, pause?: () => Promise<void>): Promise<CollectSums>;
  /** Work on a collect that follows from its first figures. */
  afterCollect: readonly BackgroundKind[];
  /** True where providers are asked how people search for its questions. */
  readsKeywords?: boolean;
  /** Work on the newest collect that follows where its figures became others. */
  afterRereading: readonly BackgroundKind[];
  /** How imported lines become questions; absent where answers cannot be imported. */
  imports?: ImportedQuestions;
}

export interface ImportedQuestions {
  mostQuestions: number;
  /** Adds the questions that are not known. Gives the ids of all, by their texts. */
  add(
    tenant: Tenant,
    known: ReadonlyMap<string, string>,
    lines: readonly ImportLine[],
    by: { analysisId: string; catalog: CompiledCatalog; newId: () => string },
  ): Promise<ReadonlyMap<string, string>>;
}

export interface AnalysisSetup {
  name: string;
  schedule: GivenSchedule;
  ends_at?: string | undefined;
  /** US dollars that providers may be paid for the analysis over its life; without it there is no bound. */
  max_spend_usd?: number | undefined;
}

/** What of a setup its collects ask, as the store keeps it. */
export interface AskedSetup {
  /** The setup without what has columns and tables of its own. */
  settings: Record<string, unknown>;
  /** Prompts as the setup gives them, where a prompt can be several questions. */
  prompts: readonly BrandPrompt[] | null;
  questions: number;
}

/** What a setup comes to once it is created, without its questions. */
export interface AnalysisPlan extends AskedSetup {
  /** Null of an audit of a site that no brand of the workspace has. */
  brandId: string | null;
  competitorIds: readonly string[];
}

/** Some of the questions of a setup, by their positions. */
export interface QuestionPart {
  analysisId: string;
  first: number;
  most: number;
  facets: readonly FacetRow[];
}

/**
 * One kind of analysis. Pricing, presenting, confirming, creating and running are written once over this; a new kind is
 * its declaration, its line in kinds.ts, and its two endpoints.
 */
export interface AnalysisKind<
  Fields extends z.ZodRawShape = z.ZodRawShape,
  Setup extends AnalysisSetup = AnalysisSetup,
> extends MeasuredKind {
  /** What a caller says of it. */
  fields: Fields;
  /** A setup with its defaults filled in, as quotes store it and people are shown it. */
  setup: z.ZodType<Setup>;
  /** The setup in its one form. VALIDATION_FAILED names every field that does not hold together. */
  normalise(
    tenant: Tenant,
    setup: Setup,
    by: { now: Instant; catalogs: Catalogs; adapters: SourceAdapters },
  ): Promise<Setup>;
  /** Work outside the store that a setup may need before it can be priced. */
  errand?: Errand<Setup>;
  /** What an analysis shows of its setup, of the settings that the store keeps. */
  settings: z.ZodObject;
  /** The present setup of an analysis under another name, as pricing takes it. An end that has passed is left out. */
  setupOf(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<Setup>;
  /** Whom it asks: a source by each of its methods. */
  sources(setup: Setup): readonly AskedSource[];
  /** How many of its keywords a provider is asked about, as the setup does not say it. Where providers are asked of keywords. */
  unknownKeywords?(setup: Setup, wanted: WantedFigures): number;
  /** What its collects can find, by what was measured so far; null for a setup that collects nothing. */
  power(setup: Setup, measured?: MeasuredSpread): Power | null;
  /** The questions that it speaks of, and that more of help: "Generic keywords". */
  headline: string;
  /**
   * The whole setup in lines, for the person who is asked to confirm it. What is too long for a form is counted, with the address
   * `allAt` of the page that lists it; that page has no other address.
   */
  present(tenant: Tenant, setup: Setup, by: { adapters: SourceAdapters; allAt: string | null }): Promise<string[]>;
  plan(setup: Setup): AnalysisPlan;
}

/** What completes a setup with what only others know. */
export interface Errand<Setup> {
  /** VALIDATION_FAILED for a setup that is wrong whatever is found. */
  isNeeded(given: Setup, now: Instant): boolean;
  /** What a setup still lacks, in words, where an errand found nothing; undefined for one that is whole. */
  lacks(setup: Setup): string | undefined;
  /** The setup with what was found, or with a note why nothing was. */
  perform(given: Setup, outside: Outside, limits?: { timeoutMs: number }): Promise<Setup>;
}
