import { RULES } from "./rules.ts";

/** Rules that are not implemented, by reason: a section such as `2.1`, or a rule id. */
const PENDING_BY_REASON: Record<string, readonly string[]> = {};

/** Rules that cannot pass yet, with the reason. */
export const PENDING_RULES: ReadonlyMap<string, string> = new Map(
  Object.entries(PENDING_BY_REASON).flatMap(([reason, waiting]) =>
    waiting.flatMap((which) =>
      [...RULES.keys()]
        .filter((id) => id === which || id.startsWith(`${which} · `))
        .map((id): [string, string] => [id, reason]),
    ),
  ),
);
