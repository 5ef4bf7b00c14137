import * as fc from "fast-check";
import type { Row } from "./rows.ts";

/** One in this many rows of a kind is drawn, and at least MIN_ROWS_PER_KIND. */
const SAMPLING_RATE = 60;
const MIN_ROWS_PER_KIND = 4;

/** Rows that once were the most expensive of their kind are always sent. */
const WORST = new Set([
  "REST createPersona: motivations repeated",
  "REST exchangeApiKey: most unknown fields without credentials",
  "REST readSamlMetadata: metadata at its largest",
  "tool get_me: most unknown arguments",
  "tool list_prompts: kinds at its largest",
  "form /account/rename: most unknown fields",
  "SCIM POST /Groups: most unknown attributes",
  "MCP a prompt with most arguments",
  "MCP most names beside the message",
]);

/** The rows that are always sent, plus a seeded sample of each kind, in table order. */
export function drawSample(rows: readonly Row[], seed: number): Row[] {
  const kinds = new Set(rows.map(({ kind }) => kind));
  const drawn = [...kinds].flatMap((one) => {
    const ofKind = rows.filter(({ kind }) => kind === one);
    const count = Math.min(ofKind.length, Math.max(MIN_ROWS_PER_KIND, Math.ceil(ofKind.length / SAMPLING_RATE)));
    const some = fc.shuffledSubarray(ofKind, { minLength: count, maxLength: count });
    return fc.sample(some, { seed, numRuns: 1 })[0] ?? [];
  });
  const sent = new Set(drawn);
  return rows.filter((row) => sent.has(row) || WORST.has(row.name));
}
