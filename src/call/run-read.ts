import { setTimeout as sleep } from "node:timers/promises";
import type { AuthorisedIds } from "../../auth/authorise.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import type { Selection } from "../reads/read-messages.ts";
import { createContext } from "./admit.ts";
import type { Call, Deps } from "./deps.ts";
import { filterOutput } from "./output.ts";
import type { Input } from "./parse-input.ts";
import { readToolNotes } from "./tool-notes.ts";

/** Result of a read before output filtering, and for a tool its notes. */
interface HandledRead {
  result: unknown;
  notes: readonly string[];
}

/** A read that began on the snapshot that authorised its caller. */
export interface StartedRead extends HandledRead {
  granted: AuthorisedIds;
  input: Input;
  /** A heavy read has no result yet: `finishRead` runs it. */
  isHeavy: boolean;
}

export class NotedOutput {
  readonly output: unknown;
  readonly notes: readonly string[];

  constructor(output: unknown, notes: readonly string[]) {
    this.output = output;
    this.notes = notes;
  }
}

/** `selection` is set for tools. */
export async function handleRead(
  endpoint: AnyEndpoint,
  input: Input,
  context: Context,
  selection: Selection | undefined,
): Promise<HandledRead> {
  const result: unknown = await endpoint.handle(input, context);
  // Safe: the output of a tool is an object.
  return { result, notes: selection ? await readToolNotes(endpoint, input, result as Input, context) : [] };
}

export async function beginRead(
  endpoint: AnyEndpoint,
  { input, granted, selection }: { input: Input; granted: AuthorisedIds; selection: Selection | undefined },
  context: Context,
): Promise<StartedRead> {
  const isHeavy = (await endpoint.isHeavy?.(input, context)) ?? false;
  const read = isHeavy ? NOT_HANDLED : await handleRead(endpoint, input, context, selection);
  return { granted, input, isHeavy, ...read };
}

export const NOT_HANDLED: HandledRead = { result: undefined, notes: [] };

/** Heavy reads run on their own snapshot, in the worker process if there is one. */
export async function finishRead(
  endpoint: AnyEndpoint,
  { isHeavy, result, notes, input, granted: authorisedIds }: StartedRead,
  { at, selection }: { at: Instant; selection: Selection | undefined },
  call: Call,
  deps: Deps,
): Promise<unknown> {
  const finish = async (read: HandledRead) => {
    const output = await filterOutput(endpoint, read.result, selection && input);
    return selection ? new NotedOutput(output, read.notes) : output;
  };
  if (!isHeavy) return finish({ result, notes });
  const read = { endpoint: endpoint.name, input, authorisedIds, caller: call.caller, at, selection };
  return deps.heavyReads.runRead(read, call.disconnectSignal?.(), async () =>
    finish(
      await deps.store.read((db) =>
        handleRead(endpoint, input, createContext(db, authorisedIds, call, deps, at), selection),
      ),
    ),
  );
}

const POLL_MS = 1000;
/** Max concurrent long polls per account; further calls return immediately. */
const MAX_LONG_POLLS = 20;

/** Long-polls until the resource settles, the client disconnects or the wait expires; returns the last read. */
export async function longPoll(
  endpoint: AnyEndpoint,
  read: () => Promise<StartedRead>,
  call: Call,
  { longPollCounts, outside: { closingSignal } }: Deps,
): Promise<StartedRead> {
  let last = await read();
  const waitMs = Number(last.input["wait"] ?? 0) * 1000;
  if (!endpoint.isSettled || waitMs === 0) return last;
  const account = call.caller?.userId ?? "";
  const polls = longPollCounts.get(account) ?? 0;
  if (polls >= MAX_LONG_POLLS) return last;
  longPollCounts.set(account, polls + 1);
  try {
    const [end, disconnected] = [performance.now() + waitMs, call.disconnectSignal?.()];
    const isOver = () => closingSignal.aborted || disconnected?.aborted === true || performance.now() >= end;
    while (!endpoint.isSettled(last.result) && !isOver()) {
      const pauseMs = Math.min(POLL_MS, Math.max(1, end - performance.now()));
      await sleep(pauseMs, undefined, { signal: closingSignal }).catch(() => undefined);
      last = await read();
    }
    return last;
  } finally {
    const left = (longPollCounts.get(account) ?? 1) - 1;
    if (left > 0) longPollCounts.set(account, left);
    else longPollCounts.delete(account);
  }
}
