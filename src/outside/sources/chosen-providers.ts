import { z } from "zod";
import { ASKED_SOURCES, methodNamed, sourceOf, type AskedSource } from "../../../core/sources/asked-sources.ts";
import { USUAL_NAMES } from "../../../core/sources/sources.ts";
import type { DeclaredProvider } from "./provider.ts";

/** Which provider an operator chose for a source, or for one of its methods, by name. */
export type ChosenProviders = Readonly<Partial<Record<AskedSource, string>>>;

/** The variable by which an operator chooses who answers a source, or one of its methods: `SOURCE_ASSISTANT_A_CAPTURE`. */
export function variableOf(asked: AskedSource): string {
  return `SOURCE_${asked.replace(":", "_").toUpperCase()}`;
}

/** Which provider answers a source, a setting for each, and for each of its methods. */
export const ChoiceSettings = z.object(
  Object.fromEntries(
    ASKED_SOURCES.map((asked) => [variableOf(asked), z.string().optional().describe(choiceText(asked))]),
  ),
);

function choiceText(asked: AskedSource): string {
  const [source, method] = [sourceOf(asked), methodNamed(asked)];
  const named = `Provider that answers ${source} (${USUAL_NAMES[source]})`;
  return method === undefined
    ? `${named}, by name. Default: the first configured one.`
    : `${named} by ${method} where a setup names methods. Default: that of SOURCE_${source} if it does, else the first configured one.`;
}

export function chosenOf(given: Readonly<Record<string, string | undefined>>): ChosenProviders {
  return Object.fromEntries(
    ASKED_SOURCES.flatMap((asked) => {
      const name = given[variableOf(asked)];
      return name === undefined ? [] : [[asked, name]];
    }),
  );
}

/** Choices of providers that cannot answer their source, as issues of the configuration. */
export function wrongChoices(chosen: ChosenProviders, declared: readonly DeclaredProvider[]) {
  return ASKED_SOURCES.flatMap((asked) => {
    const [source, method] = [sourceOf(asked), methodNamed(asked)];
    const can = declared
      .map(({ name, serves, mayServe }) => ({ name, own: { ...mayServe, ...serves }[source] }))
      .filter(({ own }) => own !== undefined && (method === undefined || own === method))
      .map(({ name }) => name);
    const name = chosen[asked];
    if (name === undefined || can.includes(name)) return [];
    const message = can.length === 0 ? "is answered by no provider" : `must be one of ${can.join(", ")}`;
    return [{ path: [variableOf(asked)], message }];
  });
}
