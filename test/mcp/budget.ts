import { ESSENTIALS } from "../../src/http/mcp/tools/essentials.ts";
import type { Tool } from "@modelcontextprotocol/server";

/** Tokens that a tool costs a model: its listing, and its heaviest result. */
export interface Weight {
  name: string;
  listing: number;
  /** Null for a tool that was not called, because it changes something. */
  result: number | null;
}

/** Part of a listing that models see: clients read hints and security schemes themselves. */
export function readListing(listed: Tool): string {
  const { _meta: _hints, securitySchemes: _schemes, ...read } = listed as Tool & { securitySchemes?: unknown };
  return JSON.stringify(read);
}

export const RESULT_BUDGET = 8000;
export const LISTING_BUDGET = 700;
/** Average tokens of a listing, so that 78 tools fit the budget. */
export const AVERAGE_LISTING = 282;
export const LIST_BUDGET = 22_000;
export const ESSENTIALS_BUDGET = 6500;

/** Output of `npm run proof -- budget`; a separate test checks the listings. */
export function budgetText(weights: readonly Weight[]): string {
  const rows = weights.map(({ name, listing, result }) => `${name.padEnd(36)}${figure(listing)}${figure(result)}`);
  const sum = weights.reduce((total, { listing }) => total + listing, 0);
  const essentials = weights.filter(({ name }) => ESSENTIALS.includes(name));
  const first = essentials.reduce((total, { listing }) => total + listing, 0);
  const heaviest = Math.max(...weights.map(({ listing }) => listing));
  const worst = Math.max(...weights.map(({ result }) => result ?? 0));
  return [
    `${"tokens of".padEnd(36)}${"listing".padStart(9)}${"result".padStart(9)}`,
    ...rows,
    `all ${weights.length} listings ${sum} of ${LIST_BUDGET}; on average ${Math.round(sum / weights.length)} of ${AVERAGE_LISTING}; the heaviest ${heaviest} of ${LISTING_BUDGET}`,
    `the ${essentials.length} essential ones ${first} of ${ESSENTIALS_BUDGET}`,
    `the worst result ${worst} of ${RESULT_BUDGET}`,
  ].join("\n");
}

function figure(tokens: number | null): string {
  return (tokens === null ? "–" : String(tokens)).padStart(9);
}
