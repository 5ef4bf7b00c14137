import { z } from "zod";
import { MAX_KEYWORD_DATA, type KeywordData, type KeywordDataKind } from "../../../../core/analyses/keyword-data.ts";
import type { HttpContext } from "../http-provider.ts";
import type { KeywordAnswer, KeywordBatch, KeywordTasks, TaskState } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { readPart } from "./elements.ts";
import { findTask } from "./find-task.ts";
import { toPlaceCodes } from "./places.ts";
import { isInProgress, NOTHING_FOUND_CODE, readTask, type TaskReply } from "./task.ts";

type ReadKeywordResult = (keywords: readonly string[], result: unknown[], rawBody: string) => KeywordAnswer["figures"];

interface KeywordFunction {
  path: string;
  maxKeywords: number;
  /** Standard queue, and immediate execution (docs/providers/dataforseo.md). */
  price: { expectedUsd: number; maxUsd: number };
  asked?: object;
  formOf: (keyword: string) => string;
  /** False for a keyword that would invalidate its whole task. */
  accepts: (form: string) => boolean;
  readResult: ReadKeywordResult;
}

const TASK_LIST_PATH = "/keywords_data/id_list";
/** Google Ads rejects the whole task for them (help center, "Using symbols in keywords"). */
const REJECTED_CHARACTERS_PATTERN = /[,!@%^()={};~`<>?\\|―]/gu;
const BEYOND_BMP_PATTERN = /[\u{10000}-\u{10FFFF}]/u;
const [MAX_VOLUME_CHARACTERS, MAX_WORDS] = [80, 10];
const [MIN_INTEREST_CHARACTERS, MAX_INTEREST_CHARACTERS] = [2, 100];

const KEYWORD_FUNCTIONS: Readonly<Record<KeywordDataKind, KeywordFunction>> = {
  volume: {
    path: "/keywords_data/google_ads/search_volume",
    maxKeywords: 1000,
    price: { expectedUsd: 0.06, maxUsd: 0.09 },
    formOf: (keyword) => keyword.replace(REJECTED_CHARACTERS_PATTERN, " "),
    accepts: (form) =>
      form.length <= MAX_VOLUME_CHARACTERS && form.split(" ").length <= MAX_WORDS && !BEYOND_BMP_PATTERN.test(form),
    readResult: readVolumes,
  },
  // Interest is relative to the task's peak, and related queries exist only for a single keyword.
  interest: {
    path: "/keywords_data/google_trends/explore",
    maxKeywords: 1,
    price: { expectedUsd: 0.0027, maxUsd: 0.011 },
    asked: {
      type: "web",
      time_range: "past_12_months",
      item_types: ["google_trends_graph", "google_trends_queries_list"],
    },
    formOf: (keyword) => keyword.replaceAll(",", " "),
    accepts: (form) => form.length >= MIN_INTEREST_CHARACTERS && form.length <= MAX_INTEREST_CHARACTERS,
    readResult: readInterest,
  },
};

export function createKeywordTasks(kinds: readonly KeywordDataKind[]): KeywordTasks<HttpContext<unknown>> {
  return {
    maxKeywords: Object.fromEntries(kinds.map((one) => [one, KEYWORD_FUNCTIONS[one].maxKeywords])),
    formOf(figures, keyword) {
      const { formOf, accepts } = KEYWORD_FUNCTIONS[figures];
      const form = formOf(keyword).toLowerCase().replaceAll(/\s+/gu, " ").trim();
      return /[\p{L}\p{N}]/u.test(form) && accepts(form) ? form : undefined;
    },
    price: (figures) => KEYWORD_FUNCTIONS[figures].price,
    async submit(batch, { key }, { call }) {
      const { path, asked } = KEYWORD_FUNCTIONS[batch.wanted];
      const json = [{ keywords: batch.keywords, ...toPlaceCodes(batch), ...asked, tag: key }];
      const { text } = await call(`${path}/task_post`, { json });
      const reply = readTask(text);
      if (reply.error) throw reply.error;
      return toTaskState(reply, batch, text);
    },
    async poll(task, batch, { call }) {
      const { text } = await call(`${KEYWORD_FUNCTIONS[batch.wanted].path}/task_get/${encodeURIComponent(task)}`);
      // A task is billed on submission.
      const reply = readTask(text, { isFree: true });
      if (reply.error?.kind === "rate_limited") throw reply.error;
      return toTaskState(reply, batch, text);
    },
    afterUnknown: (begun, _batch, context) => findTask(begun, TASK_LIST_PATH, context),
    pollEveryMs: 20_000,
    maxTaskMs: 3 * 60 * 60_000,
  };
}

function toTaskState(reply: TaskReply, { wanted, keywords }: KeywordBatch, rawBody: string): TaskState<KeywordAnswer> {
  const { id, code, error, costUsd, result } = reply;
  if (error) return { state: "failed", error };
  if (isInProgress(code)) return { state: "pending", taskId: id, costUsd };
  const figures =
    code === NOTHING_FOUND_CODE ? new Map() : KEYWORD_FUNCTIONS[wanted].readResult(keywords, result, rawBody);
  return { state: "answered", answer: { figures, rawBody, costUsd } };
}

const SearchVolumeSchema = z.object({
  keyword: z.string(),
  search_volume: z.number().nullish(),
  monthly_searches: z
    .array(z.object({ year: z.number(), month: z.number(), search_volume: z.number().nullish() }))
    .nullish(),
});

/** A keyword without data has nulls or is missing. */
function readVolumes(_keywords: readonly string[], result: unknown[], rawBody: string): KeywordAnswer["figures"] {
  const rows = readPart(result, z.array(SearchVolumeSchema), rawBody);
  return new Map(
    rows.map(({ keyword, search_volume: volume, monthly_searches: months }) => {
      const trends = (months ?? [])
        .toSorted((a, b) => a.year - b.year || a.month - b.month)
        .flatMap((one) => one.search_volume ?? [])
        .slice(-MAX_KEYWORD_DATA.trend);
      return [keyword.toLowerCase(), { searchVolume: volume ?? null, trends: trends.length > 0 ? trends : null }];
    }),
  );
}

const ExploreResultSchema = z.tuple([z.object({ items: z.array(z.looseObject({ type: z.string() })).nullish() })]);
const TrendGraphSchema = z.object({ data: z.array(z.object({ values: z.array(z.number().nullable()) })).nullish() });
const RelatedQuerySchema = z.object({ query: z.string(), value: z.union([z.number(), z.string()]).nullish() });
const RelatedQueriesSchema = z.object({ data: z.object({ top: z.array(RelatedQuerySchema).nullish() }).nullish() });

function readInterest([keyword]: readonly string[], result: unknown[], rawBody: string): KeywordAnswer["figures"] {
  if (keyword === undefined) throw new ProviderError("malformed", { rawBody });
  const items = readPart(result, ExploreResultSchema, rawBody)[0].items ?? [];
  const graph = items.find(({ type }) => type === "google_trends_graph");
  const queries = items.find(({ type }) => type === "google_trends_queries_list");
  const weeks = graph ? (readPart(graph, TrendGraphSchema, rawBody).data ?? []) : [];
  const interest = weeks.flatMap(({ values }) => values[0] ?? []).slice(-MAX_KEYWORD_DATA.trend);
  // Excludes rising queries, whose values are growth rates.
  const top = queries ? (readPart(queries, RelatedQueriesSchema, rawBody).data?.top ?? []) : [];
  const related = top.slice(0, MAX_KEYWORD_DATA.related).map(({ query, value }) => {
    const relevance = Number(value ?? NaN);
    return Number.isFinite(relevance) ? { query, relevance } : { query };
  });
  const figures: Partial<KeywordData> = {
    searchInterestTrends: interest.length > 0 ? interest : null,
    relatedQueries: related.length > 0 ? related : null,
  };
  return new Map([[keyword, figures]]);
}
