import { z } from "zod";
import { ASKED_SOURCES, methodNamed, sourceOf, type AskedSource } from "../../../core/sources/asked-sources.ts";
import { USUAL_NAMES } from "../../../core/sources/sources.ts";
import type { DeclaredProvider } from "./provider.ts";

export type ChosenProviders = Readonly<Partial<Record<AskedSource, string>>>;

/** Name of the setting for a source or method, such as `SOURCE_ASSISTANT_A_CAPTURE`. */
export function variableOf(asked: AskedSource): string {
  return `SOURCE_${asked.replace(":", "_").toUpperCase()}`;
}

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
