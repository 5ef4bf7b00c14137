import { test } from "vitest";
import { RULES } from "./rules.ts";

/** Ids of tested rules in test order. */
export const registeredRules: string[] = [];

/** Tests one rule of interface.md; the title contains section, row and rule. */
export function rule(id: string, check: () => Promise<void> | void): void {
  const says = RULES.get(id);
  if (says === undefined) throw new Error(`There is no rule "${id}" in test/interface/rules.ts.`);
  registeredRules.push(id);
  test(`${id}: ${says}`, check);
}

/** Creates a shared scene on first use; `close` disposes it. */
export function once<T extends AsyncDisposable>(make: () => Promise<T>): { (): Promise<T>; close(): Promise<void> } {
  let made: Promise<T> | undefined;
  const get = () => (made ??= make());
  return Object.assign(get, {
    close: async () => {
      const scene = await made?.catch(() => undefined);
      await scene?.[Symbol.asyncDispose]();
    },
  });
}
