import { AppError } from "../../../core/shared/errors.ts";

/** A response that stays open after admission. */
export interface OpenStream {
  accountId: string;
  /** True while grant and access are valid. */
  stands: () => Promise<boolean>;
  end: () => void;
}

/** Registers a stream with its `end` callback; returns the function to unregister. */
export type Watch = (end: () => void) => () => void;

/** Open streams of the process: subscriptions, and calls waiting for a person. */
export interface OpenStreams {
  /**
   * Watches a stream and ends it within seconds of losing access. Throws RATE_LIMITED if the
   * account has too many, UNAVAILABLE if all have. Returns the function to unregister.
   */
  open(stream: OpenStream): () => void;
  /** Ends all streams on shutdown. */
  close(): void;
}

const LOOK_MS = 2000;
const MOST_OF_ACCOUNT = 32;
const MOST = 1000;
const RETRY_AFTER_SECONDS = 60;

export function openStreams(): OpenStreams {
  const streams = new Set<OpenStream>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const stream of streams) {
      // A failing store ends no stream; each request on it is checked anyway.
      const stands = await stream.stands().catch(() => true);
      if (!stands && streams.delete(stream)) stream.end();
    }
    timer = streams.size > 0 ? later() : undefined;
  }

  function refuseTooMany(accountId: string): void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    const own = [...streams].filter((stream) => stream.accountId === accountId);
    if (own.length >= MOST_OF_ACCOUNT) {
      const remedy = `Too many streams are open: at most ${MOST_OF_ACCOUNT} of one account. Close some first.`;
      throw new AppError("RATE_LIMITED", remedy, retry);
    }
    if (streams.size >= MOST) throw new AppError("UNAVAILABLE", "Too many streams are open. Try again.", retry);
  }

  function later(): NodeJS.Timeout {
    return setTimeout(() => void look(), LOOK_MS).unref();
  }

  return {
    open(stream) {
      refuseTooMany(stream.accountId);
      streams.add(stream);
      timer ??= later();
      return () => void streams.delete(stream);
    },
    close() {
      clearTimeout(timer);
      for (const { end } of streams) end();
    },
  };
}
