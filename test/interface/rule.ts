import { test } from "vitest";
import { RULES } from "./rules.ts";

/** Ids of the rules that a test holds, in the order of the tests. */
export const held: string[] = [];

/** A test of one rule of interface.md. Its title names the section and the row, and says the rule. */
export function rule(id: string, holds: () => Promise<void> | void): void {
  const says = RULES.get(id);
  if (says === undefined) throw new Error(`There is no rule "${id}" in test/interface/rules.ts.`);
  held.push(id);
  test(`${id}: ${says}`, holds);
}

/** Makes something the first time it is asked for, so that one scene serves many rules; `close` ends what was made. */
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
