import type { Provider } from "../../outside/sources/provider.ts";

/** Keeps what providers charge in a month within their caps. */
export interface Budget {
  /** Capped providers: those whose spending must be known. */
  providers: readonly string[];
  /**
   * Reserves the money for one question: the most that an answer costs, where that is known, else the highest price seen. Undefined
   * where it could go over the cap.
   */
  take(provider: Provider, mostUsd: number | null): Reserved | undefined;
  /** What the store now holds as spent this month, `saved` of which was settled here since the last time. */
  refresh(spent: ReadonlyMap<string, number>, saved: ReadonlyMap<string, number>): void;
}

/** Money that is reserved for one question. */
export interface Reserved {
  /** Ends the question: what it cost, or null where it cost nothing that is known. */
  settle(costUsd: number | null): void;
}

interface Account {
  stored: number;
  unsaved: number;
  /** What is reserved for open questions. */
  reserved: number;
  dearest: number;
}

const FREE: Reserved = { settle: () => undefined };

/** Open questions are counted at what is reserved for them, so that answers under way cannot pass the cap together. */
export function openBudget(providers: Iterable<Provider>): Budget {
  const accounts = new Map<string, Account>();
  for (const { name, limits } of providers) {
    if (limits.spendCapUsd !== null) accounts.set(name, { stored: 0, unsaved: 0, reserved: 0, dearest: 0 });
  }
  return {
    providers: [...accounts.keys()],
    take({ name, limits }, mostUsd) {
      const account = accounts.get(name);
      if (!account || limits.spendCapUsd === null) return FREE;
      const most = Math.max(mostUsd ?? 0, account.dearest);
      const spent = account.stored + account.unsaved;
      if (spent >= limits.spendCapUsd || spent + account.reserved + most > limits.spendCapUsd) return undefined;
      account.reserved += most;
      return {
        settle(costUsd) {
          account.reserved -= most;
          account.unsaved += costUsd ?? 0;
          account.dearest = Math.max(account.dearest, costUsd ?? 0);
        },
      };
    },
    refresh(spent, saved) {
      for (const [provider, account] of accounts) {
        account.stored = spent.get(provider) ?? 0;
        account.unsaved = Math.max(0, account.unsaved - (saved.get(provider) ?? 0));
      }
    },
  };
}
