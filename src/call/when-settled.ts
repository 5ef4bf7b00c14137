import { setTimeout } from "node:timers/promises";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Call, Deps } from "./invoke.ts";
import type { Input } from "./parse-input.ts";

/** How many calls of each account wait here. */
export type Waiting = Map<string, number>;

/** How often a caller who waits looks again. */
const LOOK_MS = 1000;
/** So many calls of one account wait at once. Any other is answered with what there is. */
const MOST_WAITING = 20;

/** What a look gives; for a caller who asked to wait, what the last one gives before it is settled, they are gone or the time is over. */
export async function whenSettled<Seen extends { input: Input; result: unknown }>(
  endpoint: AnyEndpoint,
  look: () => Promise<Seen>,
  call: Call,
  deps: Deps,
): Promise<Seen> {
  const seen = await look();
  const waitMs = Number(seen.input["wait"] ?? 0) * 1000;
  if (!endpoint.isSettled || waitMs === 0) return seen;
  const account = call.caller?.userId ?? "";
  const waiting = deps.waiting.get(account) ?? 0;
  if (waiting >= MOST_WAITING) return seen;
  deps.waiting.set(account, waiting + 1);
  try {
    return await lookUntil((one) => endpoint.isSettled?.(one.result) ?? true, { seen, look, waitMs }, call, deps);
  } finally {
    const left = (deps.waiting.get(account) ?? 1) - 1;
    if (left > 0) deps.waiting.set(account, left);
    else deps.waiting.delete(account);
  }
}

async function lookUntil<Seen>(
  isSettled: (seen: Seen) => boolean,
  { seen, look, waitMs }: { seen: Seen; look: () => Promise<Seen>; waitMs: number },
  call: Call,
  deps: Deps,
): Promise<Seen> {
  const end = performance.now() + waitMs;
  const [signal, gone] = [deps.outside.closing, call.gone?.()];
  const isOver = () => signal.aborted || gone?.aborted === true || performance.now() >= end;
  let last = seen;
  while (!isSettled(last) && !isOver()) {
    const pauseMs = Math.min(LOOK_MS, Math.max(1, end - performance.now()));
    // It is cut short where the service stops.
    await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    last = await look();
  }
  return last;
}
