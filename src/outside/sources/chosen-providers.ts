import { z } from "zod";
import {
  JOB_SOURCES,
  findNamedMethod,
  toSource,
  type JobSource,
  DEFAULT_SOURCE_NAMES,
} from "../../../core/sources/sources.ts";
import type { DeclaredProvider } from "./provider.ts";

export type ChosenProviders = Readonly<Partial<Record<JobSource, string>>>;

export function toSettingName(asked: JobSource): string {
  return `SOURCE_${asked.replace(":", "_").toUpperCase()}`;
}

export const ChoiceSettingsSchema = z.object(
  Object.fromEntries(
    JOB_SOURCES.map((asked) => [toSettingName(asked), z.string().optional().describe(describeChoice(asked))]),
  ),
);

function describeChoice(asked: JobSource): string {
  const [source, method] = [toSource(asked), findNamedMethod(asked)];
  const named = `Name of the provider that answers ${source} (${DEFAULT_SOURCE_NAMES[source]})`;
  return method === undefined
    ? `${named}. Default: the first configured provider.`
    : `${named} by the method ${method}, for setups that choose methods. Default: the provider of SOURCE_${source} if it uses this method, else the first configured provider.`;
}

export function readChosenProviders(given: Readonly<Record<string, string | undefined>>): ChosenProviders {
  return Object.fromEntries(
    JOB_SOURCES.flatMap((asked) => {
      const name = given[toSettingName(asked)];
      return name === undefined ? [] : [[asked, name]];
    }),
  );
}

export function listInvalidChoices(chosen: ChosenProviders, declared: readonly DeclaredProvider[]) {
  return JOB_SOURCES.flatMap((asked) => {
    const [source, method] = [toSource(asked), findNamedMethod(asked)];
    const can = declared
      .map(({ name, serves, mayServe }) => ({ name, own: { ...mayServe, ...serves }[source] }))
      .filter(({ own }) => own !== undefined && (method === undefined || own === method))
      .map(({ name }) => name);
    const name = chosen[asked];
    if (name === undefined || can.includes(name)) return [];
    const message = can.length === 0 ? "is served by no provider" : `must be one of ${can.join(", ")}`;
    return [{ path: [toSettingName(asked)], message }];
  });
}
