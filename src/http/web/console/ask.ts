import type { Response } from "express";
import type { Visitor } from "../../../../auth/people/web-sessions.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { invokeAs, type Web } from "../visit.ts";
import type { Answer } from "./page-with-forms.ts";

/** Calls an endpoint as the person who visits a page. */
export type Ask = <E extends AnyEndpoint>(endpoint: E, input: Record<string, unknown>) => Promise<Answer<E>>;

export function askAs({ visitor, response }: { visitor: Visitor; response: Response }, { deps }: Web): Ask {
  return async <E extends AnyEndpoint>(endpoint: E, input: Record<string, unknown>) =>
    (await invokeAs(visitor, { endpoint, input, response }, deps)) as Answer<E>;
}
