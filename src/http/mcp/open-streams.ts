import { AppError } from "../../../core/shared/errors.ts";

export interface OpenStream {
  accountId: string;
  isStillAuthorised: () => Promise<boolean>;
  endStream: () => void;
}

/** Registers a stream with its `end` callback; returns the function to unregister. */
export type RegisterStream = (end: () => void) => () => void;

/** Open streams of the process: subscriptions, and calls waiting for a person. */
export interface OpenStreams {
  /**
   * Watches a stream and ends it within seconds of losing access. Throws RATE_LIMITED if the
   * account has too many, UNAVAILABLE if all have. Returns the function to unregister.
   */
  watchStream(stream: OpenStream): () => void;
  close(): void;
}

const CHECK_INTERVAL_MS = 2000;
const MAX_STREAMS_PER_ACCOUNT = 32;
const MAX_STREAMS = 1000;
const RETRY_AFTER_SECONDS = 60;

export function openStreams(): OpenStreams {
  const streams = new Set<OpenStream>();
  let timer: NodeJS.Timeout | undefined;

  async function checkStreams(): Promise<void> {
    for (const stream of streams) {
      // A failing store ends no stream; each request on it is checked anyway.
      const stands = await stream.isStillAuthorised().catch(() => true);
      if (!stands && streams.delete(stream)) stream.endStream();
    }
    timer = streams.size > 0 ? schedule() : undefined;
  }

  function rejectTooMany(accountId: string): void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    const own = [...streams].filter((stream) => stream.accountId === accountId);
    if (own.length >= MAX_STREAMS_PER_ACCOUNT) {
      const remedy = `Too many streams are open: at most ${MAX_STREAMS_PER_ACCOUNT} of one account. Close some first.`;
      throw new AppError("RATE_LIMITED", remedy, retry);
    }
    if (streams.size >= MAX_STREAMS)
      throw new AppError("UNAVAILABLE", "Too many streams are open. Close one, or try again later.", retry);
  }

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => void checkStreams(), CHECK_INTERVAL_MS).unref();
  }

  return {
    watchStream(stream) {
      rejectTooMany(stream.accountId);
      streams.add(stream);
      timer ??= schedule();
      return () => void streams.delete(stream);
    },
    close() {
      clearTimeout(timer);
      for (const { endStream } of streams) endStream();
    },
  };
}
