import { z } from "zod";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { readBody } from "../bodies/read-body.ts";

export interface TaskReply {
  id: string;
  code: number;
  /** The message never quotes the request. */
  error: ProviderError | undefined;
  /** Billed according to this body. */
  costUsd: number;
  result: unknown[];
}

const StatusCodeField = z.number().int();
const TaskBodySchema = z.object({
  status_code: StatusCodeField,
  status_message: z.string().nullish(),
  tasks: z
    .array(
      z.object({
        id: z.string(),
        status_code: StatusCodeField,
        status_message: z.string().nullish(),
        cost: z.number().nullish(),
        result: z.array(z.unknown()).nullish(),
      }),
    )
    .nullish(),
});

export const SUCCESS_CODE = 20_000;
export const NOTHING_FOUND_CODE = 40_102;
const IN_PROGRESS_CODES = new Set([20_100, 40_601, 40_602]);
/** Codes that differ from the meaning of their range (docs.dataforseo.com/v3/appendix/errors). */
const KINDS_BY_CODE: Readonly<Record<number, FailureKind>> = {
  40_100: "unauthorized",
  /** The search engine failed after several attempts of the provider. */
  40_101: "unavailable",
  40_103: "unavailable",
  40_104: "unauthorized",
  40_106: "unavailable",
  40_200: "out_of_quota",
  40_201: "unauthorized",
  40_202: "rate_limited",
  40_203: "out_of_quota",
  40_204: "unauthorized",
  /** The account's hourly or daily limit for one prompt is used up. */
  40_205: "out_of_quota",
  40_206: "out_of_quota",
  40_207: "unauthorized",
  40_209: "rate_limited",
  40_210: "out_of_quota",
  50_100: "rejected",
};

/** A free request bills nothing. Throws ProviderError for a failed request, not for a failed task. */
export function readTask(rawBody: string, { isFree = false }: { isFree?: boolean } = {}): TaskReply {
  const { status_code: code, status_message: message, tasks } = readBody(rawBody, TaskBodySchema);
  const task = tasks?.[0];
  if (code !== SUCCESS_CODE) throw toError(code, message, rawBody);
  if (!task) throw new ProviderError("malformed", { rawBody });
  const { id, result } = task;
  const costUsd = isFree ? 0 : (task.cost ?? 0);
  const isError =
    task.status_code !== SUCCESS_CODE && task.status_code !== NOTHING_FOUND_CODE && !isInProgress(task.status_code);
  return {
    id,
    code: task.status_code,
    error: isError ? toError(task.status_code, task.status_message, rawBody, costUsd) : undefined,
    costUsd,
    result: result ?? [],
  };
}

export function isInProgress(code: number): boolean {
  return IN_PROGRESS_CODES.has(code);
}

function toError(code: number, message: string | null | undefined, rawBody: string, costUsd = 0): ProviderError {
  const said = `The provider answered with code ${code}.`;
  return new ProviderError(classifyCode(code, message ?? ""), { message: said, rawBody, costUsd });
}

function classifyCode(code: number, message: string): FailureKind {
  if (code === 40_501 && /location|language/iu.test(message)) return "unsupported";
  return KINDS_BY_CODE[code] ?? (code >= 50_000 ? "unavailable" : "rejected");
}
