import type { KeywordData, KeywordDataKind } from "../../../core/analyses/keyword-data.ts";
import type { z } from "zod";
import type { PromptContext } from "../../../core/prompts/brand-prompt.ts";
import type { ProviderVariables } from "../../../core/sources/provider-failures.ts";
import type { Capture, TrackedBrand } from "../../../core/reading/capture.ts";
import type { JobSource, CollectionMethod, Source } from "../../../core/sources/sources.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import type { RemainingLimits } from "../retry-hints.ts";
import type { ProviderError } from "./provider-error.ts";

export interface Question {
  prompt: string;
  source: Source;
  /** 1-based repetition within the collect. */
  run: number;
  collectNumber: number;
  thematic: string;
  topic: string;
  persona: string | null;
  country: string;
  language: string;
  /** For simulated answers. Real providers ignore this and all later fields. */
  brands: readonly TrackedBrand[];
  asked?: PromptContext | undefined;
  category?: string | undefined;
  attributes?: readonly string[] | undefined;
}

export interface CapturedAnswer extends Capture {
  rawBody: string;
  /** With version, as reported; null if not reported. */
  model: string | null;
  /** Null if the price is unknown. */
  costUsd: number | null;
  tokens: number;
  /** The source declined: the text says so and counts as an answer. */
  isRefusal?: true | undefined;
  /** Without this flag, an empty answer is malformed. */
  showedNothing?: true | undefined;
}

export interface ProviderAnswer extends CapturedAnswer {
  provider: string;
  collectionMethod: CollectionMethod;
}

/** Concurrency applies per process, other limits over all processes; null for no limit. */
export interface ProviderLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** Per calendar month (UTC), including prompts in progress. */
  spendCapUsd: number | null;
  /** Per day (UTC), including prompts in progress. */
  dailyCapUsd: number | null;
}

/** Null if unknown. */
export interface Price {
  expectedUsd: number | null;
  /** Reserved before sending. */
  maxUsd: number | null;
}

export type TaskState<Answer = CapturedAnswer> =
  /** `taskId` is stored for polls; `costUsd` is billed by this response. */
  | { state: "pending"; taskId: string; pollAfterMs?: number | undefined; costUsd?: number | undefined }
  | { state: "answered"; answer: Answer }
  /** A retryable error submits a new task. */
  | { state: "failed"; error: ProviderError };

/** `untold` if the provider can confirm an unknown submission only after a wait. */
export type SubmissionState<Answer = CapturedAnswer> = TaskState<Answer> | { state: "untold"; waitMs: number };

/** For a submission without a response, after a crash or a broken connection. */
export type StartedSubmission = Pick<Submission, "key" | "begunAt">;

export interface ProviderCallOptions {
  signal: AbortSignal;
  onLimits?: ((left: RemainingLimits) => void) | undefined;
  /** Undefined if no wait is needed. */
  beforeRequest?: (() => Promise<unknown> | undefined) | undefined;
}

type AskQuestion<Context, Answer> = (question: Question, context: Context) => Promise<Answer>;

/** Billed on acceptance. A thrown ProviderError says nothing about the task. */
export interface Tasks<Context, Answer = CapturedAnswer, Asked = Question> {
  /** `key` is the idempotency key where supported. */
  submit: (question: Asked, begun: StartedSubmission, context: Context) => Promise<TaskState<Answer>>;
  poll: (task: string, question: Asked, context: Context) => Promise<TaskState<Answer>>;
  /**
   * `same_key` submits again, because a key is accepted once; `never` fails the prompt; a function
   * looks the task up, and undefined allows a new submission.
   */
  afterUnknown:
    | "same_key"
    | "never"
    | ((begun: StartedSubmission, question: Asked, context: Context) => Promise<SubmissionState<Answer> | undefined>);
  pollEveryMs: number;
  /** A task still open after this has failed. */
  maxTaskMs: number;
}

export type ProviderMode<Context, Answer = CapturedAnswer> =
  | { ask: AskQuestion<Context, Answer>; tasks?: undefined }
  | { ask?: undefined; tasks: Tasks<Context, Answer> };

/** Verifies the key by a free request; returns notes such as the remaining budget. */
type ProviderCheck<Context> = (context: Context) => Promise<string[]>;

export type Methods = Readonly<Partial<Record<Source, CollectionMethod>>>;

export interface ProviderFacts extends ProviderVariables {
  title: string;
  /** Excludes sources that the provider serves only if the operator selects it. */
  servedSources: readonly Source[];
  methods: Methods;
  limits: ProviderLimits;
  model: string | null;
  price(source: Source): Price;
  check: ProviderCheck<ProviderCallOptions> | undefined;
}

export type Provider = ProviderFacts &
  ProviderMode<ProviderCallOptions, ProviderAnswer> & {
    keywords: KeywordTasks<ProviderCallOptions> | undefined;
  };

/** Its jobs fail at once with this reason. */
export interface NoProvider {
  name: null;
  reason: string;
}

export type Sources = Readonly<Record<JobSource, Provider | NoProvider>>;

/** A provider is one file with a declaration, and a line in `providers.ts`. */
export type ProviderDeclaration<Settings extends z.ZodObject, Configured> = ProviderMode<
  { configured: Configured } & ProviderCallOptions
> & {
  name: string;
  title: string;
  /** By default; an earlier provider takes precedence. */
  serves: Methods;
  /** Only if the operator selects the provider. */
  mayServe?: Methods | undefined;
  /** All optional; their descriptions appear in docs/configuration.md. */
  settings: Settings;
  /** Without these settings the provider is not configured. */
  needs: readonly string[];
  configure: (settings: z.output<Settings>) => Configured | undefined;
  /** `concurrency` defaults to that of the process. */
  limits: (configured: Configured) => { [Limit in keyof ProviderLimits]?: ProviderLimits[Limit] | undefined };
  model?: ((configured: Configured) => string) | undefined;
  price: (configured: Configured, source: Source) => Price;
  /** Undefined if the settings disable keyword metrics. */
  keywords?:
    | ((configured: Configured) => KeywordTasks<{ configured: Configured } & ProviderCallOptions> | undefined)
    | undefined;
  check?: ProviderCheck<{ configured: Configured } & ProviderCallOptions> | undefined;
  /** Date of the newest recorded response in its tests; null for the simulation. */
  recordedOn: string | null;
};

export interface DeclaredProvider {
  name: string;
  title: string;
  serves: Methods;
  mayServe: Methods;
  settings: z.ZodObject;
  needs: readonly string[];
  recordedOn: string | null;
  hasTasks: boolean;
  hasKeywords: boolean;
  hasCheck: boolean;
  /** Undefined if the variables do not configure the provider. Throws for invalid values. */
  open(variables: Readonly<Record<string, string | undefined>>, process: { concurrency: number }): Provider | undefined;
}

export interface KeywordBatch {
  wanted: KeywordDataKind;
  keywords: readonly string[];
  country: string;
  language: string;
}

export interface KeywordAnswer {
  /** By keyword as sent; a missing keyword is unknown. */
  figures: ReadonlyMap<string, Partial<KeywordData>>;
  rawBody: string;
  /** Null if unknown. */
  costUsd: number | null;
}

export interface KeywordTasks<Context> extends Tasks<Context, KeywordAnswer, KeywordBatch> {
  /** Per task; a missing kind is not requested. */
  maxKeywords: Readonly<Partial<Record<KeywordDataKind, number>>>;
  /** Undefined for a keyword that the provider cannot accept. */
  formOf: (wanted: KeywordDataKind, keyword: string) => string | undefined;
  /** Price of one task, independent of its number of keywords. */
  price: (wanted: KeywordDataKind) => Price;
}
