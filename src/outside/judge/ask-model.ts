import { z } from "zod";
import { parseJson } from "../../../core/shared/json.ts";
import { parseTimeLimitMs, runWithinTime } from "../../../core/shared/run-within-time.ts";
import { ScorerError } from "../../../core/assets/scorer.ts";
import { askProvider } from "../sources/provider-request.ts";
import { ProviderError } from "../sources/provider-error.ts";
import { runWithRetries } from "../with-retries.ts";

export interface ModelOptions {
  /** Includes the trailing `/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeoutMs: number;
  backoffBaseMs: number;
}

const MAX_ATTEMPTS = 4;
/** A waiting job occupies its slot. */
const MAX_WAIT_MS = 60_000;
const CODE_FENCE = "```";
const JSON_REQUEST_OPTIONS = { response_format: { type: "json_object" } };

const CompletionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});

export async function askModel<Answer extends z.ZodType>(
  schema: Answer,
  messages: readonly object[],
  options: ModelOptions,
  signal: AbortSignal,
): Promise<z.output<Answer>> {
  const { baseUrl, apiKey, model, timeoutMs, backoffBaseMs } = options;
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const sent = { headers, json: { model, ...JSON_REQUEST_OPTIONS, messages }, timeoutMs, signal };
  const askOnce = async () => parseReply(schema, (await askProvider(`${baseUrl}/chat/completions`, sent)).text);
  const policy = { maxAttempts: MAX_ATTEMPTS, backoffBaseMs, maxWaitMs: MAX_WAIT_MS, signal, findRetryHint };
  return runWithRetries(askOnce, policy).catch((error: unknown) => {
    throw error instanceof ProviderError ? new ScorerError(error.message, { cause: error }) : error;
  });
}

function findRetryHint(error: unknown): ProviderError | undefined {
  return error instanceof ProviderError && error.isRetryable ? error : undefined;
}

export function parseReply<Answer extends z.ZodType>(schema: Answer, body: string): z.output<Answer> {
  try {
    return runWithinTime(parseTimeLimitMs(body.length), () => {
      const content = CompletionSchema.parse(parseJson(body)).choices[0]?.message.content ?? "";
      return schema.parse(parseJson(removeCodeFence(content)));
    });
  } catch {
    // Omits the cause, which quotes the model's message.
    throw new ProviderError("malformed", { message: "The model did not answer in the requested format." });
  }
}

/** Some models wrap JSON in a Markdown code block despite `response_format`. */
function removeCodeFence(content: string): string {
  const text = content.trim();
  if (text.length < 2 * CODE_FENCE.length || !text.startsWith(CODE_FENCE) || !text.endsWith(CODE_FENCE)) return content;
  return text.slice(CODE_FENCE.length, -CODE_FENCE.length).replace(/^json/, "").trim();
}
