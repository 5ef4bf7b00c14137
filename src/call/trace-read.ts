import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import type { MadeOf } from "./kept-results.ts";
import type { Input } from "./parse-input.ts";

/** What a read gives, and what of: undefined where it is also of the moment, such as what has expired. */
export async function traceRead(
  endpoint: AnyEndpoint,
  input: Input,
  context: Context,
): Promise<{ result: unknown; madeOf: MadeOf | undefined }> {
  const { trace } = context.db;
  let [isOfMoment, isOfCaller] = [false, false];
  const { now, caller, userId, newId } = context;
  const noting: Context = {
    ...context,
    get now() {
      isOfMoment = true;
      return now;
    },
    newId() {
      isOfMoment = true;
      return newId();
    },
    get caller() {
      isOfCaller = true;
      return caller;
    },
    get userId() {
      isOfCaller = true;
      return userId;
    },
  };
  trace.begin();
  const result: unknown = await endpoint.handle(input, noting);
  if (isOfMoment) return { result, madeOf: undefined };
  const tables = trace.tables();
  return { result, madeOf: { tables, version: trace.versionOf(tables), isOfCaller } };
}
