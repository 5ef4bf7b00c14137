import type { KeywordFigures, WantedFigures } from "../../../core/analyses/keyword-figures.ts";
import type { z } from "zod";
import type { AskedPrompt } from "../../../core/prompts/brand-prompt.ts";
import type { ProviderVariables } from "../../../core/sources/provider-failures.ts";
import type { Capture, TrackedBrand } from "../../../core/reading/capture.ts";
import type { AskedSource } from "../../../core/sources/asked-sources.ts";
import type { CollectionMethod, Source } from "../../../core/sources/sources.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import type { LimitsLeft } from "../retry-hints.ts";
import type { ProviderError } from "./provider-error.ts";

/** One question as a provider is asked it. */
export interface Question {
  prompt: string;
  source: Source;
  /** 1-based: which repetition of the question within its collect this is. */
  run: number;
  /** 1 for the first collect of the analysis. */
  collectNumber: number;
  thematic: string;
  topic: string;
  /** Who asks; null for no particular person. */
  persona: string | null;
  country: string;
  language: string;
  /** The workspace's catalog: what simulated answers are made from. Real providers send none of what follows. */
  brands: readonly TrackedBrand[];
  /** What a prompt of a brand analysis asks about. */
  asked?: AskedPrompt | undefined;
  /** What a brand analysis is about: phones. */
  category?: string | undefined;
  /** What a brand analysis asks of each brand. */
  attributes?: readonly string[] | undefined;
}

/** What a provider answered, with its body as it came. */
export interface Answered extends Capture {
  rawBody: string;
  /** As the provider names it, with its version; null where it does not say. */
  model: string | null;
  /** US dollars; null where the price is not known. */
  costUsd: number | null;
  /** Tokens that count against a limit per minute. */
  tokens: number;
  /** True where the source refused: the text says so, and it counts as an answer. */
  isRefusal?: true | undefined;
  /** True where the source showed nothing, such as no overview. An answer that is empty without it is malformed. */
  notShown?: true | undefined;
}

/** An answer with where it comes from. */
export interface ProviderAnswer extends Answered {
  provider: string;
  collectionMethod: CollectionMethod;
}

/** Bounds towards one provider: concurrency of each process, the others of all; null is no bound. */
export interface ProviderLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** US dollars in a calendar month (UTC), over all processes, questions under way included. */
  spendCapUsd: number | null;
  /** The same in a day. */
  dailyCapUsd: number | null;
}

/** What one question costs, US dollars; null where that is not known. */
export interface Price {
  expectedUsd: number | null;
  /** No answer costs more: what is reserved before asking. */
  mostUsd: number | null;
}

/** How far a task is. */
export type TaskState<Answer = Answered> =
  /** `task` is what asks for its answer later, and is kept over a crash; `costUsd` what was billed by now and not before. */
  | { state: "pending"; task: string; pollAfterMs?: number | undefined; costUsd?: number | undefined }
  | { state: "answered"; answer: Answer }
  /** It has ended without an answer. Where the error is retryable the question is asked again, as a new task. */
  | { state: "failed"; error: ProviderError };

/** What became of a submission of which there was no word; `untold` where the provider can say so only after a wait, which holds back nothing else. */
export type Found<Answer = Answered> = TaskState<Answer> | { state: "untold"; waitMs: number };

/** Which task is meant where there was no word of it: the process was killed, or the connection broke off. */
export type Begun = Pick<Submission, "key" | "begunAt">;

export interface Signal {
  signal: AbortSignal;
  /** Told what each reply says is left of the provider's limits. */
  onLimits?: ((left: LimitsLeft) => void) | undefined;
  /** Waits until the next request may be made, where that is not at once. */
  beforeRequest?: (() => Promise<unknown> | undefined) | undefined;
}

/** How a provider is asked whose answers come within the request. Throws ProviderError. */
type Ask<Context, Answer> = (question: Question, context: Context) => Promise<Answer>;

/**
 * How a provider is asked that takes tasks, and bills them once it has taken them. Each throws ProviderError: the request failed, which
 * says nothing of the task.
 */
export interface Tasks<Context, Answer = Answered, Asked = Question> {
  /** Gives the provider a task; `key` is sent along where it takes one. */
  submit: (question: Asked, begun: Begun, context: Context) => Promise<TaskState<Answer>>;
  /** Asks for the answer of a task. */
  poll: (task: string, question: Asked, context: Context) => Promise<TaskState<Answer>>;
  /**
   * What to do where it is not known whether the provider took a task. `same_key`: submit again, since the provider takes a key once;
   * `never`: the question has failed; or look the task up, undefined where the provider has none, which is then submitted again.
   */
  afterUnknown:
    | "same_key"
    | "never"
    | ((begun: Begun, question: Asked, context: Context) => Promise<Found<Answer> | undefined>);
  /** Between two polls, where the provider does not say. */
  pollEveryMs: number;
  /** A task that has not ended by then has failed. */
  giveUpAfterMs: number;
}

/** Either of the two ways to be asked. */
export type Way<Context, Answer = Answered> =
  | { ask: Ask<Context, Answer>; tasks?: undefined }
  | { ask?: undefined; tasks: Tasks<Context, Answer> };

/**
 * Asks what costs nothing: whether the provider is there, and takes the key. What it says is for the operator, such as what is left to
 * spend. Throws ProviderError.
 */
type Check<Context> = (context: Context) => Promise<string[]>;

export type Methods = Readonly<Partial<Record<Source, CollectionMethod>>>;

export interface ProviderFacts extends ProviderVariables {
  /** For people. */
  title: string;
  /** The sources that it answers unless the operator says otherwise. */
  serves: readonly Source[];
  /** How it answers each source that it can be asked for. */
  methods: Methods;
  limits: ProviderLimits;
  /** What it is asked for; null where it is no model, or has none to choose. */
  model: string | null;
  price(source: Source): Price;
  check: Check<Signal> | undefined;
}

/** A configured provider, ready to be asked: at once, or by tasks. */
export type Provider = ProviderFacts &
  Way<Signal, ProviderAnswer> & {
    /** How it is asked how people search for keywords, where it can be. */
    keywords: KeywordTasks<Signal> | undefined;
  };

/** A source without a provider, and why: its jobs fail at once with this reason. */
export interface NoProvider {
  name: null;
  reason: string;
}

/** Which provider answers each source in this process, and which by each method. */
export type Sources = Readonly<Record<AskedSource, Provider | NoProvider>>;

/** Everything that is to be known of one provider: one file, and a line in `providers.ts`. */
export type Declaration<Settings extends z.ZodObject, Configured> = Way<{ configured: Configured } & Signal> & {
  /** On every answer, and in the ledger of what providers charge. */
  name: string;
  /** For people: what is asked. */
  title: string;
  /** The sources that it answers where no provider before it does, and how. */
  serves: Methods;
  /** Further ones, which it answers where the operator says so. */
  mayServe?: Methods | undefined;
  /** Its environment variables, all optional, each described for docs/configuration.md. */
  settings: Settings;
  /** Those without which it is not configured. */
  needs: readonly string[];
  /** What of the settings its questions need; undefined where they do not configure it. */
  configure: (settings: z.output<Settings>) => Configured | undefined;
  /** Bounds that the settings name; without `concurrency` it is that of the process. */
  limits: (configured: Configured) => { [Limit in keyof ProviderLimits]?: ProviderLimits[Limit] | undefined };
  model?: ((configured: Configured) => string) | undefined;
  price: (configured: Configured, source: Source) => Price;
  /** Undefined where the settings say that it is not asked of keywords. */
  keywords?: ((configured: Configured) => KeywordTasks<{ configured: Configured } & Signal> | undefined) | undefined;
  check?: Check<{ configured: Configured } & Signal> | undefined;
  /** The day of the newest recorded body that it was tested with; null where no provider answers. */
  recorded: string | null;
};

/** A declared provider, whatever its settings are. */
export interface DeclaredProvider {
  name: string;
  title: string;
  serves: Methods;
  mayServe: Methods;
  settings: z.ZodObject;
  needs: readonly string[];
  recorded: string | null;
  takesTasks: boolean;
  /** True where it can be asked how people search for keywords. */
  tellsOfKeywords: boolean;
  hasCheck: boolean;
  /** The provider as these variables configure it, or undefined. Throws where they are not valid. */
  open(variables: Readonly<Record<string, string | undefined>>, process: { concurrency: number }): Provider | undefined;
}

/** Keywords that a provider is asked about together, in the form in which it takes them. */
export interface KeywordBatch {
  wanted: WantedFigures;
  keywords: readonly string[];
  country: string;
  language: string;
}

/** Keyword figures of one batch, as the provider returned them. */
export interface KeywordAnswer {
  /** By keyword, as it was asked; of one that is not there nothing is known. */
  figures: ReadonlyMap<string, Partial<KeywordFigures>>;
  rawBody: string;
  /** US dollars. */
  costUsd: number | null;
}

/** How a provider is asked how people search for keywords: by tasks, which it bills once it has taken them. */
export interface KeywordTasks<Context> extends Tasks<Context, KeywordAnswer, KeywordBatch> {
  /** How many keywords one task takes, by what is wanted; what is not there is not asked for. */
  most: Readonly<Partial<Record<WantedFigures, number>>>;
  /** The keyword as it is asked; undefined for one that it cannot be asked about. */
  formOf: (wanted: WantedFigures, keyword: string) => string | undefined;
  /** Price of one task; the number of keywords does not change it. */
  price: (wanted: WantedFigures) => Price;
}
