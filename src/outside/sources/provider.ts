import type { z } from "zod";
import type { AskedPrompt } from "../../../core/prompts/brand-prompt.ts";
import type { Capture, TrackedBrand } from "../../../core/reading/capture.ts";
import type { CollectionMethod, Source } from "../../../core/sources.ts";

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
}

/** An answer with where it comes from. */
export interface ProviderAnswer extends Answered {
  provider: string;
  collectionMethod: CollectionMethod;
}

/** Bounds that one process keeps towards one provider; null is no bound. */
export interface ProviderLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** US dollars in a calendar month (UTC), over all processes. */
  spendCapUsd: number | null;
}

/** A configured provider, ready to be asked. */
export interface Provider {
  /** Sources of one provider share its limits. */
  name: string;
  serves: readonly Source[];
  method: CollectionMethod;
  limits: ProviderLimits;
  /** What one question is expected to cost, US dollars; null where that is not known. */
  price: number | null;
  /** Throws ProviderError. */
  ask(question: Question, options: { signal: AbortSignal }): Promise<ProviderAnswer>;
}

/** A source without a provider, and why: its jobs fail at once with this reason. */
export interface NoProvider {
  name: null;
  reason: string;
}

/** Which provider answers each source in this process. */
export type Sources = Readonly<Record<Source, Provider | NoProvider>>;

/** A question that was not answered. `message` is for people and never quotes what a provider sent. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** True where asking again later can help. */
  readonly retryable: boolean;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Everything that is to be known of one provider: one file, and a line in `providers.ts`. */
interface Declaration<Settings extends z.ZodObject, Configured> {
  /** On every answer, and in the ledger of what providers charge. */
  name: string;
  serves: readonly Source[];
  method: CollectionMethod;
  /** Its environment variables, all optional, each described for docs/configuration.md. */
  settings: Settings;
  /** What of the settings its questions need; undefined where they do not configure it. */
  configure: (settings: z.output<Settings>) => Configured | undefined;
  /** Bounds that the settings name; without `concurrency` it is that of the process. */
  limits: (configured: Configured) => { [Limit in keyof ProviderLimits]?: ProviderLimits[Limit] | undefined };
  /** What one question is expected to cost, US dollars; null where that is not known. */
  price: (configured: Configured) => number | null;
  /** Throws ProviderError. */
  ask: (question: Question, configured: Configured, options: { signal: AbortSignal }) => Promise<Answered>;
}

/** A declared provider, whatever its settings are. */
export interface DeclaredProvider {
  name: string;
  settings: z.ZodObject;
  /** The provider as these variables configure it, or undefined. Throws where they are not valid. */
  open(variables: Readonly<Record<string, string | undefined>>, process: { concurrency: number }): Provider | undefined;
}

/** Declares a provider. */
export function provider<Settings extends z.ZodObject, Configured>(
  declaration: Declaration<Settings, Configured>,
): DeclaredProvider {
  const { name, serves, method, settings } = declaration;
  return {
    name,
    settings,
    open(variables, process) {
      const configured = declaration.configure(settings.parse(variables));
      if (configured === undefined) return undefined;
      const limits = declaration.limits(configured);
      return {
        name,
        serves,
        method,
        limits: {
          concurrency: limits.concurrency ?? process.concurrency,
          requestsPerMinute: limits.requestsPerMinute ?? null,
          tokensPerMinute: limits.tokensPerMinute ?? null,
          spendCapUsd: limits.spendCapUsd ?? null,
        },
        price: declaration.price(configured),
        async ask(question, options) {
          const answer = await declaration.ask(question, configured, options);
          return { ...answer, provider: name, collectionMethod: method };
        },
      };
    },
  };
}
