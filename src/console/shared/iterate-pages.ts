import type { z } from "zod";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import type { Answer, Ask } from "../../http/pages/call-endpoint.ts";

type RowOf<E extends AnyEndpoint> = z.output<E["output"]> extends { data: (infer Row)[] } ? Row : never;

/** Requests each page only after the previous one is consumed. */
export async function* iteratePages<E extends AnyEndpoint>(
  call: Ask,
  endpoint: E,
  input: Record<string, unknown>,
): AsyncGenerator<RowOf<E>[]> {
  let cursor: string | null = null;
  do {
    const at = cursor === null ? {} : { cursor };
    const page = (await call(endpoint, { ...input, limit: 100, ...at })) as Answer<E> & ListPage<RowOf<E>>;
    yield page.data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

interface ListPage<Row> {
  data: Row[];
  next_cursor: string | null;
}
