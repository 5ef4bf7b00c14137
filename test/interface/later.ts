import { RULES } from "./rules.ts";

/** What comes later, with the rules that wait for it: a whole section as `2.1`, or one rule by its id. */
const WAITING: Record<string, readonly string[]> = {};

/** Rules that cannot hold yet, with the reason. */
export const LATER: ReadonlyMap<string, string> = new Map(
  Object.entries(WAITING).flatMap(([reason, waiting]) =>
    waiting.flatMap((which) =>
      [...RULES.keys()]
        .filter((id) => id === which || id.startsWith(`${which} · `))
        .map((id): [string, string] => [id, reason]),
    ),
  ),
);
