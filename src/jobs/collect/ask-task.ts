import type { Submission } from "../../../core/sources/submission.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import { ProviderError, type FailureKind } from "../../outside/sources/provider-error.ts";
import type { SubmissionState, ProviderCallOptions, Tasks } from "../../outside/sources/provider.ts";

export interface TaskContext {
  submission: Submission | null;
  /** Stores the submission before anything is sent. False if another worker owns the job. */
  beginTask: (submission: Submission) => Promise<boolean>;
  newId: () => string;
  now: () => Instant;
}

/** `submission` is the state to store; null means that the next task is new. */
export type TaskStep<Answer> = { submission: Submission | null } & (
  | { kind: "answered"; answer: Answer; billedUsd: number | null }
  | { kind: "waiting"; delayMs: number; billedUsd: number; pauseMs?: number | undefined }
  | { kind: "failed"; error: ProviderError }
  /** Another worker owns the job; nothing was sent. */
  | { kind: "lost" }
  | { kind: "broken_off"; cause: unknown }
);

interface TaskProvider<Answer, Asked> {
  name: string;
  tasks: Tasks<ProviderCallOptions, Answer, Asked>;
}

interface WithCost {
  costUsd: number | null;
}

/**
 * Never submits twice: the intent is stored before sending, the task id with the step's result.
 * Never throws provider errors.
 */
export async function stepTask<Answer extends WithCost, Asked>(
  { name, tasks }: TaskProvider<Answer, Asked>,
  question: Asked,
  { signal, onLimits, beforeRequest, ...of }: TaskContext & ProviderCallOptions,
): Promise<TaskStep<Answer>> {
  const submission = of.submission;
  const context = { signal, onLimits, beforeRequest };
  if (submission && submission.provider !== name) {
    const message = "The provider that has the task no longer serves this source.";
    return toFinalFailure(submission, { kind: "unavailable", message });
  }
  if (submission?.task != null) {
    const { task } = submission;
    const polled = await pollOnce(() => tasks.poll(task, question, context), submission, { tasks, signal });
    const isLate = of.now() >= addMs(submission.begunAt, tasks.maxTaskMs);
    // Polls once more after the time limit, because no process may have been running.
    if (!isLate || polled.kind !== "waiting") return polled;
    const minutes = Math.round(tasks.maxTaskMs / 60_000);
    const message = `The provider did not finish its task in time (minutes: ${minutes}).`;
    return toFinalFailure(submission, { kind: "timeout", message, costUsd: polled.billedUsd });
  }
  if (submission) return resumeUnknownTask({ name, tasks }, question, submission, context);
  const begun = { provider: name, key: of.newId(), begunAt: of.now(), task: null, costUsd: 0 };
  if (!(await of.beginTask(begun))) return { kind: "lost", submission: null };
  return pollOnce(() => tasks.submit(question, begun, context), begun, { tasks, signal });
}

/** After a crash or a broken connection. */
async function resumeUnknownTask<Answer extends WithCost, Asked>(
  { tasks }: TaskProvider<Answer, Asked>,
  question: Asked,
  begun: Submission,
  context: ProviderCallOptions,
): Promise<TaskStep<Answer>> {
  const { afterUnknown } = tasks;
  if (afterUnknown === "never") {
    const message =
      "It is unknown whether the provider accepted the prompt, and sending it again could be billed twice.";
    return toFinalFailure(begun, { kind: "unavailable", message });
  }
  const submit = () => tasks.submit(question, begun, context);
  const findOut =
    afterUnknown === "same_key"
      ? submit
      : async () => (await afterUnknown(begun, question, context)) ?? (await submit());
  return pollOnce(findOut, begun, { tasks, signal: context.signal, isUnknown: true });
}

async function pollOnce<Answer extends WithCost>(
  ask: () => Promise<SubmissionState<Answer>>,
  submission: Submission,
  { tasks, signal, isUnknown = false }: { tasks: { pollEveryMs: number }; signal: AbortSignal; isUnknown?: boolean },
): Promise<TaskStep<Answer>> {
  try {
    const state = await ask();
    if (state.state === "answered") return toAnsweredStep(state.answer, submission);
    if (state.state === "failed") return { kind: "failed", error: state.error, submission: null };
    if (state.state === "untold") return { kind: "waiting", submission, delayMs: state.waitMs, billedUsd: 0 };
    const { taskId, pollAfterMs, costUsd = 0 } = state;
    const kept = { ...submission, task: taskId, costUsd: submission.costUsd + costUsd };
    return { kind: "waiting", submission: kept, delayMs: pollAfterMs ?? tasks.pollEveryMs, billedUsd: costUsd };
  } catch (error) {
    if (signal.aborted) return { kind: "broken_off", cause: error, submission };
    if (!(error instanceof ProviderError)) throw error;
    // A failed lookup leaves an earlier submission unknown.
    if (isUnknown) return { kind: "failed", error, submission };
    return stepAfterError(error, submission, tasks.pollEveryMs);
  }
}

/** A failed request reveals nothing about an accepted task, so it is polled while that can help. */
function stepAfterError(error: ProviderError, submission: Submission, pollEveryMs: number): TaskStep<never> {
  if (submission.task === null) {
    return { kind: "failed", error, submission: error.mayHaveAccepted ? submission : null };
  }
  if (error.kind === "malformed" || !error.isRetryable) return { kind: "failed", error, submission };
  const pauseMs = error.retryAfterMs;
  return { kind: "waiting", submission, delayMs: Math.max(pollEveryMs, pauseMs ?? 0), billedUsd: 0, pauseMs };
}

/** The submission's bill is already in the ledger, and part of the answer's cost. */
function toAnsweredStep<Answer extends WithCost>(answer: Answer, submission: Submission): TaskStep<Answer> {
  const costUsd = answer.costUsd === null ? submission.costUsd || null : submission.costUsd + answer.costUsd;
  return { kind: "answered", answer: { ...answer, costUsd }, billedUsd: answer.costUsd, submission };
}

function toFinalFailure(
  submission: Submission,
  { kind, message, costUsd = 0 }: { kind: FailureKind; message: string; costUsd?: number },
): TaskStep<never> {
  return { kind: "failed", error: new ProviderError(kind, { message, costUsd, isFinal: true }), submission };
}
