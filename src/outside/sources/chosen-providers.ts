import { z } from "zod";
import { SOURCES, USUAL_NAMES, type Source } from "../../../core/sources.ts";
import type { DeclaredProvider } from "./provider.ts";

/** Which provider an operator chose for a source, by name. */
export type ChosenProviders = Readonly<Partial<Record<Source, string>>>;

/** Which provider answers a source, a setting for each. */
export const ChoiceSettings = z.object(
  Object.fromEntries(
    SOURCES.map((source) => [
      `SOURCE_${source}`,
      z
        .string()
        .optional()
        .describe(
          `Provider that answers ${source} (${USUAL_NAMES[source]}), by name. Default: the first configured one.`,
        ),
    ]),
  ),
);

export function chosenOf(given: Readonly<Record<string, string | undefined>>): ChosenProviders {
  return Object.fromEntries(
    SOURCES.flatMap((source) => {
      const name = given[`SOURCE_${source}`];
      return name === undefined ? [] : [[source, name]];
    }),
  );
}

/** Choices of providers that cannot answer their source, as issues of the configuration. */
export function wrongChoices(chosen: ChosenProviders, declared: readonly DeclaredProvider[]) {
  return SOURCES.flatMap((source) => {
    const can = declared
      .filter(({ serves, mayServe }) => source in serves || source in mayServe)
      .map(({ name }) => name);
    const name = chosen[source];
    if (name === undefined || can.includes(name)) return [];
    return [{ path: [`SOURCE_${source}`], message: `must be one of ${can.join(", ")}` }];
  });
}
