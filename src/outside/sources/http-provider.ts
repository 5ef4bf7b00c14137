import { z } from "zod";
import type { KeywordDataKind } from "../../../core/analyses/keyword-data.ts";
import { SOURCES, type Source } from "../../../core/sources/sources.ts";
import { address, seconds } from "../../config/setting-fields.ts";
import type { HttpReply } from "../http.ts";
import { parseLimitName, parseRemainingLimits } from "../retry-hints.ts";
import { askProvider, type ProviderRequest, type ClassifyFailure } from "./provider-request.ts";
import { adaptKeywords, adaptMode, declareProvider } from "./declare-provider.ts";
import type { KeywordTasks, DeclaredProvider, Methods, Price, ProviderCallOptions, ProviderMode } from "./provider.ts";
import { findPrices, type PriceLists, type TokenPrices } from "./token-prices.ts";

export interface HttpContext<Settings> {
  settings: Settings;
  /** `path` is relative to the provider's address. Throws ProviderError. */
  call: (path: string, request?: CallRequest) => Promise<HttpReply>;
  /** From the provider's setting, else from the built-in list; undefined if in neither. */
  prices: TokenPrices | undefined;
  signal: AbortSignal;
}

export interface CallRequest extends Pick<ProviderRequest, "method" | "headers" | "json" | "classifyFailure"> {
  query?: Record<string, string> | undefined;
}

type ConfiguredSettings<Shape extends z.ZodRawShape, Need extends keyof Shape> = Omit<
  z.output<z.ZodObject<Shape>>,
  Need
> & {
  [Name in Need]: NonNullable<z.output<Shape[Name]>>;
};

type HttpDeclaration<Shape extends z.ZodRawShape, Need extends keyof Shape & string, Settings> = ProviderMode<
  HttpContext<Settings>
> & {
  name: string;
  title: string;
  serves: Methods;
  mayServe?: Methods;
  /** Every provider has address, time limit and caps under this prefix. */
  prefix: string;
  baseUrl: string;
  timeoutSeconds: number;
  settings: Shape;
  needs: readonly Need[];
  /** Costs are unknown without it; a spending cap requires it. */
  costNeeds?: keyof Shape & string;
  listPrices?: PriceLists;
  headers: (settings: Settings) => Record<string, string>;
  query?: (settings: Settings) => Record<string, string>;
  classifyFailure?: ClassifyFailure;
  model?: (settings: Settings) => string;
  price?: (settings: Settings, asked: { source: Source; prices: TokenPrices | undefined }) => Price;
  keywords?: (settings: Settings) => KeywordTasks<HttpContext<Settings>> | undefined;
  /** Makes a free request for `npx brand-visibility doctor`, and returns notes for the operator. */
  check?: (context: HttpContext<Settings>) => Promise<string[]>;
  recordedOn: string;
};

const UNKNOWN_PRICE: Price = { expectedUsd: null, maxUsd: null };

export function httpProvider<Shape extends z.ZodRawShape, const Need extends keyof Shape & string>(
  declaration: HttpDeclaration<Shape, Need, ConfiguredSettings<Shape, Need>>,
): DeclaredProvider {
  type Settings = ConfiguredSettings<Shape, Need>;
  const { name, title, serves, mayServe, prefix, needs, recordedOn, price, model, check } = declaration;
  const methods = { ...mayServe, ...serves };
  const common = createCommonSchema(declaration);
  const parseCommon = (given: object) =>
    common.parse(
      Object.fromEntries(Object.entries(given).map(([key, value]) => [key.slice(prefix.length + 1), value])),
    );
  // Safe: a setting of this shape names the model and is always present.
  const getModel = (given: object) => model?.(given as Settings) ?? "";
  const pricesIn = (given: Record<string, unknown>) =>
    // Safe: the prices of a model have this name and shape.
    findPrices(getModel(given), {
      ownPrices: given[`${prefix}_PRICES`] as TokenPrices | undefined,
      priceLists: declaration.listPrices,
    });
  // Safe: prices depend on no required setting.
  const getPrice = (given: Record<string, unknown>, source: Source) =>
    price?.(given as Settings, { source, prices: pricesIn(given) }) ?? UNKNOWN_PRICE;
  const lacksMost = (given: Record<string, unknown>) =>
    isCapped(given, prefix) &&
    given[`${prefix}_MOST_USD`] === undefined &&
    SOURCES.some((source) => methods[source] && getPrice(given, source).maxUsd === null);
  const settings = z
    .object({ ...declaration.settings, ...addSettingPrefix(prefix, common.shape) })
    .refine(
      (given) => declaration.listPrices?.[getModel(given)] !== undefined || !isMissingPrices(given, declaration),
      {
        path: [`${prefix}_MONTHLY_USD`],
        message: `needs ${declaration.costNeeds ?? ""} to track spending`,
      },
    )
    .refine((given) => !lacksMost(given), {
      path: [`${prefix}_MOST_USD`],
      message: "is required for a spending cap, because the maximum cost of an answer is unknown",
    });
  type Opened = { own: Settings; common: z.output<typeof common> };

  function createContext({
    configured,
    signal,
    onLimits,
    beforeRequest,
  }: { configured: Opened } & ProviderCallOptions): HttpContext<Settings> {
    const { own, common: bounds } = configured;
    return {
      settings: own,
      prices: pricesIn(own),
      signal,
      async call(path, { query, json, headers, method, classifyFailure = declaration.classifyFailure } = {}) {
        const url = new URL(`${bounds.BASE_URL}${path}`);
        for (const [key, value] of Object.entries({ ...declaration.query?.(own), ...query })) {
          url.searchParams.set(key, value);
        }
        const wait = beforeRequest?.();
        if (wait) await wait;
        const reply = await askProvider(url, {
          json,
          classifyFailure,
          signal,
          method: method ?? (json === undefined ? "GET" : "POST"),
          headers: { ...declaration.headers(own), ...headers },
          timeoutMs: bounds.TIMEOUT_SECONDS * 1000,
        });
        onLimits?.(parseRemainingLimits(reply.headers, Date.now()));
        return reply;
      },
    };
  }

  return declareProvider({
    name,
    title,
    serves,
    mayServe,
    settings,
    needs,
    recordedOn,
    configure(given): Opened | undefined {
      const values: Record<string, unknown> = given;
      if (needs.some((need) => values[need] === undefined)) return undefined;
      // Safe: settings of this shape, with all required ones present.
      return { own: values as Settings, common: parseCommon(values) };
    },
    limits: ({ common: bounds }) => ({
      concurrency: bounds.CONCURRENCY,
      requestsPerMinute: bounds.REQUESTS_PER_MINUTE,
      tokensPerMinute: bounds.TOKENS_PER_MINUTE,
      spendCapUsd: bounds.MONTHLY_USD,
      dailyCapUsd: bounds.DAILY_USD,
    }),
    model: model && (({ own }) => model(own)),
    price: ({ own, common: bounds }, source) => {
      const known = getPrice(own, source);
      return { ...known, maxUsd: bounds.MOST_USD ?? known.maxUsd };
    },
    keywords:
      declaration.keywords &&
      (({ own, common: bounds }) => {
        const keywords = declaration.keywords?.(own);
        if (!keywords) return undefined;
        return {
          ...adaptKeywords(keywords, createContext),
          price(wanted: KeywordDataKind) {
            const known = keywords.price(wanted);
            return { ...known, maxUsd: Math.max(known.maxUsd ?? 0, bounds.MOST_USD ?? 0) };
          },
        };
      }),
    check:
      check &&
      (async (given) => {
        const context = createContext(given);
        const headerSets: Headers[] = [];
        const call = async (path: string, request?: CallRequest) => {
          const reply = await context.call(path, request);
          headerSets.push(reply.headers);
          return reply;
        };
        return [
          ...(await check({ ...context, call })),
          ...headerSets.slice(-1).flatMap((headers) => listHeaderNotes(headers)),
        ];
      }),
    ...adaptMode(declaration, createContext, (answer) => answer),
  });
}

/** The metadata is free and requires the key. */
export function checkModel<Settings>(modelOf: (settings: Settings) => string) {
  return async ({ settings, call }: HttpContext<Settings>): Promise<string[]> => {
    await call(`/models/${encodeURIComponent(modelOf(settings))}`);
    return [];
  };
}

const MAX_CLOCK_DIFFERENCE_MS = 5_000;

function listHeaderNotes(headers: Headers): string[] {
  const left = [...headers].flatMap(([name, value]) => {
    const limit = parseLimitName(name);
    return limit === undefined ? [] : [`${value} ${limit} left.`];
  });
  const aheadMs = Date.now() - Date.parse(headers.get("date") ?? "");
  if (!(Math.abs(aheadMs) > MAX_CLOCK_DIFFERENCE_MS)) return left;
  const apart = Math.round(Math.abs(aheadMs) / 1000);
  const which = aheadMs > 0 ? "ahead of" : "behind";
  return [...left, `The local clock is ${apart} s ${which} the provider's: synchronise it with a time server.`];
}

function createCommonSchema({
  baseUrl,
  timeoutSeconds,
  title,
}: {
  baseUrl: string;
  timeoutSeconds: number;
  title: string;
}) {
  const atLeastOne = z.coerce.number().min(1).optional();
  return z.object({
    BASE_URL: address.default(baseUrl).describe(`Base URL of ${title}.`),
    TIMEOUT_SECONDS: seconds.default(timeoutSeconds).describe("Time limit of one request."),
    CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(256)
      .optional()
      .describe("Maximum concurrent prompts of this process. Default: COLLECT_CONCURRENCY."),
    REQUESTS_PER_MINUTE: atLeastOne.describe("Maximum requests per minute across all processes. Default: no limit."),
    TOKENS_PER_MINUTE: atLeastOne.describe("Maximum tokens per minute across all processes. Default: no limit."),
    MONTHLY_USD: z.coerce
      .number()
      .min(0)
      .optional()
      .describe(
        "Maximum spend per calendar month (UTC) in US dollars, including prompts in progress. Further prompts fail. Default: no limit.",
      ),
    DAILY_USD: z.coerce
      .number()
      .min(0)
      .optional()
      .describe(
        "Maximum spend per day (UTC) in US dollars, including prompts in progress. Further prompts fail. Default: no limit.",
      ),
    MOST_USD: z.coerce
      .number()
      .min(0)
      .optional()
      .describe(
        "Maximum cost of one answer in US dollars, reserved before each prompt. After a higher bill no prompts are sent until you raise this value. Default: computed from the prices and limits, if known.",
      ),
  });
}

function addSettingPrefix(prefix: string, shape: z.ZodRawShape): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).map(([key, field]) => [`${prefix}_${key}`, field]));
}

function isCapped(given: Record<string, unknown>, prefix: string): boolean {
  return given[`${prefix}_MONTHLY_USD`] !== undefined || given[`${prefix}_DAILY_USD`] !== undefined;
}

function isMissingPrices(
  given: Record<string, unknown>,
  { prefix, costNeeds }: { prefix: string; costNeeds?: string },
) {
  return costNeeds !== undefined && isCapped(given, prefix) && given[costNeeds] === undefined;
}
