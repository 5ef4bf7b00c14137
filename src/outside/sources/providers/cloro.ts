import { z } from "zod";
import { optionalText } from "../../../config/setting-fields.ts";
import type { Source } from "../../../../core/sources/sources.ts";
import { httpProvider, type HttpContext } from "../http-provider.ts";
import type { StartedSubmission, Price, Question, TaskState } from "../provider.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { readCapture } from "../bodies/cloro-body.ts";
import type { ClassifyFailure } from "../provider-request.ts";
import { readBody } from "../bodies/read-body.ts";

/** `credits` per answer, from cloro's price list of 2026-10-07 for tasks. */
const TASK_TYPES: Readonly<
  Partial<Record<Source, { taskType: string; promptField: "prompt" | "query"; include: object; credits: number }>>
> = {
  // Searches and products together cost two credits more than the answer alone.
  ASSISTANT_A: {
    taskType: "CHATGPT",
    promptField: "prompt",
    include: { markdown: true, searchQueries: true, shopping: true },
    credits: 7,
  },
  ASSISTANT_B: { taskType: "PERPLEXITY", promptField: "prompt", include: { markdown: true }, credits: 4 },
  ASSISTANT_D: { taskType: "GEMINI", promptField: "prompt", include: { markdown: true }, credits: 4 },
  SEARCH_B_AI_MODE: { taskType: "AIMODE", promptField: "prompt", include: { markdown: true }, credits: 4 },
  SEARCH_B_AIO: { taskType: "GOOGLE", promptField: "query", include: { aioverview: { markdown: true } }, credits: 5 },
};

const TaskSchema = z.object({
  task: z.looseObject({ id: z.string(), status: z.string() }),
  credits: z.looseObject({ creditsCharged: z.number().nullish() }).nullish(),
  response: z.unknown().optional(),
});
const FailedTaskSchema = z.object({ error: z.looseObject({ code: z.string() }) });
const CreditsSchema = z.object({ remaining: z.number(), cycleResetsAt: z.string().nullish() });

const KINDS_BY_CODE: Readonly<Record<string, FailureKind>> = {
  INSUFFICIENT_CREDITS: "out_of_quota",
  VALIDATION_ERROR: "rejected",
  UnsupportedInputError: "unsupported",
};

interface CloroSettings {
  CLORO_USD_PER_CREDIT?: number | undefined;
}
type CloroContext = HttpContext<CloroSettings>;

export const cloroProvider = httpProvider({
  name: "cloro",
  title: "cloro",
  serves: {
    ASSISTANT_A: "capture",
    ASSISTANT_B: "capture",
    ASSISTANT_D: "capture",
    SEARCH_B_AI_MODE: "serp_provider",
    SEARCH_B_AIO: "serp_provider",
  },
  prefix: "CLORO",
  baseUrl: "https://api.cloro.dev",
  timeoutSeconds: 60,
  settings: {
    CLORO_API_KEY: optionalText(
      "cloro API key, to capture ChatGPT, Perplexity, Gemini, Google's AI Mode and AI Overviews as people see them.",
    ),
    CLORO_USD_PER_CREDIT: z.coerce
      .number()
      .min(0)
      .optional()
      .describe(
        "Price of one cloro credit in US dollars: the monthly price of your plan divided by its credits. Without it costs are unknown.",
      ),
  },
  needs: ["CLORO_API_KEY"],
  costNeeds: "CLORO_USD_PER_CREDIT",
  headers: ({ CLORO_API_KEY }) => ({ authorization: `Bearer ${CLORO_API_KEY}` }),
  classifyFailure,
  price: (settings, { source }) => computePrice(settings, source),
  recordedOn: "2026-10-07",
  tasks: {
    submit,
    async poll(task, question, { call, settings }) {
      return toTaskState((await call(`/v1/async/task/${encodeURIComponent(task)}`)).text, question, settings);
    },
    afterUnknown: "same_key",
    pollEveryMs: 10_000,
    // cloro stores an answer for a day; tasks queued longer than this are abandoned.
    maxTaskMs: 6 * 60 * 60_000,
  },
  async check({ call }) {
    const { remaining, cycleResetsAt } = readBody((await call("/v1/credits")).text, CreditsSchema);
    return [`${remaining} credits left${cycleResetsAt == null ? "" : ` until ${cycleResetsAt.slice(0, 10)}`}.`];
  },
});

function classifyFailure({ status, text }: { status: number; text: string }): FailureKind | undefined {
  if (text.includes('"UnsupportedInputError"')) return "unsupported";
  return status === 403 && text.includes('"INSUFFICIENT_CREDITS"') ? "out_of_quota" : undefined;
}

function computePrice({ CLORO_USD_PER_CREDIT: usd }: CloroSettings, source: Source): Price {
  const credits = TASK_TYPES[source]?.credits;
  const cost = usd === undefined || credits === undefined ? null : credits * usd;
  return { expectedUsd: cost, maxUsd: cost };
}

/** cloro accepts a key once; a repeat is rejected without the id of its task. */
async function submit(
  question: Question,
  { key }: StartedSubmission,
  { call, settings }: CloroContext,
): Promise<TaskState> {
  const asked = TASK_TYPES[question.source];
  if (!asked) throw new Error(`cloro does not serve ${question.source}`);
  const { prompt, persona, country } = question;
  const words = persona === null ? prompt : `Who asks: ${persona}\n\n${prompt}`;
  const json = {
    taskType: asked.taskType,
    payload: { [asked.promptField]: words, country, include: asked.include },
    idempotencyKey: key,
  };
  let isTaken = false;
  const noting: ClassifyFailure = (refused) => {
    isTaken = refused.status === 409;
    return classifyFailure(refused);
  };
  try {
    return toTaskState((await call("/v1/async/task", { json, classifyFailure: noting })).text, question, settings);
  } catch (error) {
    if (!isTaken) throw error;
    const message = "The provider accepted the prompt before, but its response was lost: the answer cannot be fetched.";
    const costUsd = computePrice(settings, question.source).maxUsd ?? 0;
    const details = { message, costUsd, isFinal: true, cause: error };
    return { state: "failed", error: new ProviderError("unavailable", details) };
  }
}

/** An unknown status means that the task is in progress. */
function toTaskState(rawBody: string, question: Question, { CLORO_USD_PER_CREDIT: usd }: CloroSettings): TaskState {
  const { task, credits, response } = readBody(rawBody, TaskSchema);
  const costUsd = usd === undefined || credits?.creditsCharged == null ? null : credits.creditsCharged * usd;
  if (task.status === "FAILED") {
    const code = FailedTaskSchema.safeParse(response).data?.error.code ?? "";
    const details = { message: "The provider could not capture the answer.", rawBody, costUsd: costUsd ?? 0 };
    return { state: "failed", error: new ProviderError(KINDS_BY_CODE[code] ?? "unavailable", details) };
  }
  if (task.status !== "COMPLETED") return { state: "pending", taskId: task.id };
  return { state: "answered", answer: readCapture(response, { rawBody, source: question.source, costUsd }) };
}
