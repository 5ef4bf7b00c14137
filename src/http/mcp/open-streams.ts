import { AppError } from "../../../core/shared/errors.ts";

/** A response that stays open after its caller was let in. */
export interface OpenStream {
  /** Whose it is. */
  accountId: string;
  /** Whether what the caller came with still stands. */
  stands: () => Promise<boolean>;
  end: () => void;
}

/** Opens a stream that `end` ends; returns what to call when it has ended. */
export type Watch = (end: () => void) => () => void;

/** Streams that are open on this process: subscriptions, and calls that wait for a person. */
export interface OpenStreams {
  /**
   * Watches a stream: it ends within seconds of what its caller came with. RATE_LIMITED where their account holds too many,
   * UNAVAILABLE where all do. Gives what to call when the stream has ended.
   */
  open(stream: OpenStream): () => void;
  /** Ends every stream, because the process stops. */
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
      // A store that cannot be asked at this moment ends no stream; what is asked on it is checked anyway.
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
