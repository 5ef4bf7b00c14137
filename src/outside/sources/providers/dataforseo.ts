import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import { isResultPageSource } from "../../../../core/sources/sources.ts";
import { readPart } from "../dataforseo/elements.ts";
import { findTask } from "../dataforseo/find-task.ts";
import { createKeywordTasks } from "../dataforseo/keywords.ts";
import { toPlaceCodes } from "../dataforseo/places.ts";
import { isSearchPage, computePrice, getSurface } from "../dataforseo/surfaces.ts";
import { isInProgress, NOTHING_FOUND_CODE, readTask, type TaskReply } from "../dataforseo/task.ts";
import { httpProvider } from "../http-provider.ts";
import { ProviderError } from "../provider-error.ts";
import type { Question, TaskState } from "../provider.ts";

const RESULTS_PER_PAGE = 10;
const AccountSchema = z.tuple([z.object({ money: z.object({ balance: z.number() }) })]);

export const dataforseoProvider = httpProvider({
  name: "dataforseo",
  title: "DataForSEO",
  serves: {
    SEARCH_A: "serp_provider",
    SEARCH_A_AIO: "serp_provider",
    SEARCH_B: "serp_provider",
    SEARCH_B_AIO: "serp_provider",
    SEARCH_B_AI_MODE: "serp_provider",
  },
  mayServe: { ASSISTANT_A: "capture", ASSISTANT_D: "capture" },
  prefix: "DATAFORSEO",
  baseUrl: "https://api.dataforseo.com/v3",
  timeoutSeconds: 60,
  settings: {
    DATAFORSEO_LOGIN: optionalText("API login of DataForSEO, for search engines and AI overviews."),
    DATAFORSEO_PASSWORD: optionalText("API password of DataForSEO."),
    DATAFORSEO_PAGES: z.coerce
      .number()
      .int()
      .min(1)
      .max(10)
      .default(1)
      .describe("Result pages to fetch for each prompt to SEARCH_A and SEARCH_B. Each page is billed."),
    DATAFORSEO_KEYWORDS: z
      .enum(["off", "volume", "interest"])
      .default("volume")
      .describe(
        "Keyword data of search analyses, fetched at most once in 30 days. `volume`: searches per month, one task per 1,000 prompts. `interest`: also interest by week and related queries, one task per prompt. `off`: none. Each task is billed.",
      ),
  },
  needs: ["DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"],
  headers: ({ DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD }) => ({
    authorization: `Basic ${Buffer.from(`${DATAFORSEO_LOGIN}:${DATAFORSEO_PASSWORD}`).toString("base64")}`,
  }),
  price: ({ DATAFORSEO_PAGES }, { source }) => computePrice(source, DATAFORSEO_PAGES),
  keywords: ({ DATAFORSEO_KEYWORDS: told }) =>
    told === "off" ? undefined : createKeywordTasks(told === "volume" ? ["volume"] : ["volume", "interest"]),
  recordedOn: "2026-08-21",
  async check({ call }) {
    const { text } = await call("/appendix/user_data");
    const { error, result } = readTask(text);
    if (error) throw error;
    const [{ money }] = readPart(result, AccountSchema, text);
    return [`${money.balance.toFixed(2)} US dollars are left`];
  },
  tasks: {
    async submit(question, { key }, { settings, call }) {
      const { path } = getSurface(question.source);
      const { text } = await call(`${path}/task_post`, { json: [toTask(question, key, settings.DATAFORSEO_PAGES)] });
      const reply = readTask(text);
      if (reply.error) throw reply.error;
      return toTaskState(reply, question, text);
    },
    async poll(task, question, { call }) {
      const { path } = getSurface(question.source);
      const { text } = await call(`${path}/task_get/advanced/${encodeURIComponent(task)}`);
      // A task is billed on submission, regardless of the cost in later bodies.
      const reply = readTask(text, { isFree: true });
      // A rate limit of the account says nothing about the task.
      if (reply.error?.kind === "rate_limited") throw reply.error;
      return toTaskState(reply, question, text);
    },
    afterUnknown: (begun, { source }, context) => findTask(begun, getSurface(source).taskListPath, context),
    pollEveryMs: 20_000,
    maxTaskMs: 3 * 60 * 60_000,
  },
});

function toTask(question: Question, key: string, pages: number) {
  const { maxPromptLength, asked, path } = getSurface(question.source);
  const read = isResultPageSource(question.source) ? pages : 1;
  const keyword = formatPrompt(question).replaceAll("%", "%25").replaceAll("+", "%2B");
  if (keyword.length > maxPromptLength) {
    throw new ProviderError("rejected", {
      message: `The provider accepts prompts of at most ${maxPromptLength} characters.`,
    });
  }
  return {
    keyword,
    ...toPlaceCodes(question),
    ...asked,
    // Without both parameters, a second page is read and billed if the first has few results.
    ...(path.endsWith("/organic") && { depth: read * RESULTS_PER_PAGE, max_crawl_pages: read }),
    tag: key,
  };
}

/** A search query cannot include the persona; a conversation can. */
function formatPrompt({ prompt, persona, source }: Question): string {
  const isConversation = source === "SEARCH_B_AI_MODE" || !isSearchPage(getSurface(source));
  return persona !== null && isConversation ? `${persona}\n\n${prompt}` : prompt;
}

function toTaskState(reply: TaskReply, { source }: Question, rawBody: string): TaskState {
  const { id, code, error, costUsd, result } = reply;
  if (error) return { state: "failed", error };
  if (isInProgress(code)) return { state: "pending", taskId: id, costUsd };
  const surface = getSurface(source);
  const base = { rawBody, model: null, costUsd, tokens: 0 };
  if (code === NOTHING_FOUND_CODE) {
    if (!isSearchPage(surface)) return { state: "failed", error: new ProviderError("unavailable", { rawBody }) };
    const nothing = { text: "", citations: [], results: [], showedNothing: true as const };
    return { state: "answered", answer: { ...base, ...nothing } };
  }
  try {
    return { state: "answered", answer: { ...base, ...surface.readResult(result[0], rawBody) } };
  } catch (cause) {
    // The task failed. Unparsable results are thrown: a new task would be billed and no better.
    if (cause instanceof ProviderError && cause.kind === "unavailable") return { state: "failed", error: cause };
    throw cause;
  }
}
