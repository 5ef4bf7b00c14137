import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import { explainEmpty, isEmpty } from "./explain-empty.ts";
import { explainUnjudged } from "./explain-unjudged.ts";
import { findSimulatedNote } from "./simulated-note.ts";

type Fields = Record<string, unknown>;

/**
 * Notes of a result: whether it rests on simulated answers, and why rows or judged changes are
 * missing. Reads on the snapshot of the result.
 */
export async function readToolNotes(
  endpoint: AnyEndpoint,
  input: Fields,
  result: Fields,
  context: Context,
): Promise<string[]> {
  const isFirstPage = input["cursor"] === undefined && Number(input["page_number"] ?? 1) === 1;
  const notes = [
    await findSimulatedNote(endpoint, input, result, context),
    isFirstPage && isEmpty(result) ? await explainEmpty({ endpoint, input, result, context }) : explainUnjudged(result),
  ];
  return notes.filter((note) => note !== undefined);
}
