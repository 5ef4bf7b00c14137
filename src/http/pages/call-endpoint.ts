import type { Response } from "express";
import type { z } from "zod";
import type { Visitor } from "../../../auth/people/web-sessions.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { invoke } from "../../call/invoke.ts";
import { createVisitorCall, type WebContext } from "./visit.ts";

export type Answer<E extends AnyEndpoint> = z.output<E["output"]>;

export type Ask = <E extends AnyEndpoint>(endpoint: E, input: Record<string, unknown>) => Promise<Answer<E>>;

export function askAs({ visitor, response }: { visitor: Visitor; response: Response }, { deps }: WebContext): Ask {
  return async <E extends AnyEndpoint>(endpoint: E, input: Record<string, unknown>) =>
    (await invoke(endpoint, input, createVisitorCall(visitor, response), deps)) as Answer<E>;
}
