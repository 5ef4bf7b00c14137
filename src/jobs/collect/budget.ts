import type { Provider } from "../../outside/sources/provider.ts";

/** Keeps what providers charge in a month within their caps. */
export interface Budget {
  /** Capped providers: those whose spending must be known. */
  providers: readonly string[];
  /** Takes the money for one question; false where it could go over the cap. */
  take(provider: Provider): boolean;
  /** Ends a question: what it cost, or null where it cost nothing that is known. */
  settle(provider: Provider, costUsd: number | null): void;
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
export function openBudget(providers: Iterable<Provider>): Budget {
  const accounts = new Map<string, Account>();
  for (const { name, limits } of providers) {
    if (limits.spendCapUsd !== null) accounts.set(name, { stored: 0, unsaved: 0, open: 0, dearest: 0 });
  }
  return {
    providers: [...accounts.keys()],
    take({ name, limits }) {
      const account = accounts.get(name);
      if (!account || limits.spendCapUsd === null) return true;
      const spent = account.stored + account.unsaved;
      if (spent >= limits.spendCapUsd || spent + (account.open + 1) * account.dearest > limits.spendCapUsd)
        return false;
      account.open += 1;
      return true;
    },
    settle({ name }, costUsd) {
      const account = accounts.get(name);
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
