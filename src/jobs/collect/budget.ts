import type { Channel } from "../../outside/sources/channel.ts";

/** Keeps what providers charge in a month within their caps. */
export interface Budget {
  /** Capped providers: those whose spending must be known. */
  providers: readonly string[];
  /** Takes the money for one question; false where it could go over the cap. */
  take(channel: Channel): boolean;
  /** Ends a question: what it cost, or null where it cost nothing that is known. */
  settle(channel: Channel, costUsd: number | null): void;
  /** What the store now holds as spent this month, `saved` of which was settled here since the last time. */
  refresh(spent: ReadonlyMap<string, number>, saved: ReadonlyMap<string, number>): void;
}

interface Account {
  stored: number;
  unsaved: number;
  open: number;
  dearest: number;
}

/** Open questions are counted at the highest price seen, so that answers under way cannot pass the cap together. */
export function openBudget(channels: Iterable<Channel>): Budget {
  const accounts = new Map<string, Account>();
  for (const { provider, limits } of channels) {
    if (limits.spendCapUsd !== null) accounts.set(provider, { stored: 0, unsaved: 0, open: 0, dearest: 0 });
  }
  return {
    providers: [...accounts.keys()],
    take({ provider, limits }) {
      const account = accounts.get(provider);
      if (!account || limits.spendCapUsd === null) return true;
      const spent = account.stored + account.unsaved;
      if (spent >= limits.spendCapUsd || spent + (account.open + 1) * account.dearest > limits.spendCapUsd)
        return false;
      account.open += 1;
      return true;
    },
    settle({ provider }, costUsd) {
      const account = accounts.get(provider);
      if (!account) return;
      account.open -= 1;
      account.unsaved += costUsd ?? 0;
      account.dearest = Math.max(account.dearest, costUsd ?? 0);
    },
    refresh(spent, saved) {
      for (const [provider, account] of accounts) {
        account.stored = spent.get(provider) ?? 0;
        account.unsaved = Math.max(0, account.unsaved - (saved.get(provider) ?? 0));
      }
    },
  };
}
