import { setImmediate as nextTurn } from "node:timers/promises";

/** Rows handled before yielding to the event loop: a few milliseconds of work. */
export const ROWS_PER_TURN = 200;

/** A result with more rows under `data` than are handled at once. */
export interface LongList {
  data: readonly unknown[];
  [field: string]: unknown;
}

export function isLongList(value: unknown): value is LongList {
  if (typeof value !== "object" || value === null || !("data" in value)) return false;
  return Array.isArray(value.data) && value.data.length > ROWS_PER_TURN;
}

/** The rows in parts, yielding to the event loop after each, so that other requests do not wait for all of them. */
export async function* inTurns<T>(rows: readonly T[]): AsyncGenerator<T[]> {
  for (let first = 0; first < rows.length; first += ROWS_PER_TURN) {
    yield rows.slice(first, first + ROWS_PER_TURN);
    await nextTurn();
  }
}

/** The JSON text of a long list, in parts. */
export async function* jsonInTurns({ data, ...rest }: LongList): AsyncGenerator<string> {
  let before = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? "," : ""}"data":[`;
  for await (const rows of inTurns(data)) {
    yield before + JSON.stringify(rows).slice(1, -1);
    before = ",";
  }
  yield "]}";
}
