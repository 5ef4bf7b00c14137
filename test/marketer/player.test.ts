import { expect, test } from "vitest";
import type { Fields } from "./names.ts";
import type { ListedTool } from "./parameters.ts";
import { MAX_CALLS, play, type Played } from "./player.ts";
import { findInventedMetrics, hasAllFacts } from "./question.ts";

// The player on invented tools; it only knows their listing.

const READS = { readOnlyHint: true };
const SHELVES: ListedTool = {
  name: "list_shelves",
  description: "Find shelves.",
  annotations: READS,
  inputSchema: {},
};
const BOOKS: ListedTool = {
  name: "list_books",
  description: "Count the books on a shelf, by author.",
  annotations: READS,
  inputSchema: {
    properties: {
      shelf: { type: "string", description: "From list_shelves." },
      author: { type: "string", description: "Name or id." },
    },
    required: ["shelf"],
  },
};
const BURN: ListedTool = {
  name: "burn_books",
  description: "Burn the books of a shelf.",
  annotations: { readOnlyHint: false },
  inputSchema: {},
};

const ROWS = [
  { id: "s1", name: "Gardening" },
  { id: "s2", name: "Cooking" },
];
const AUTHORS = ["Ottolenghi", "Roden"];

/**
 * A library whose results are rows of shelves; unknown authors are rejected with the known ones.
 */
async function library(tool: string, given: Fields): Promise<Omit<Played, "tool" | "given">> {
  const structured = { data: tool === "list_shelves" ? ROWS : [{ shelf: given["shelf"], books: 3 }] };
  const { author } = given;
  const isError = author !== undefined && !AUTHORS.some((one) => one === author);
  const refusal = { code: "VALIDATION_FAILED", fields: [{ path: "author", allowed: AUTHORS }] };
  return { text: JSON.stringify(isError ? refusal : structured), isError, structured };
}

async function calls(question: string, tools: readonly ListedTool[], call = library, isAnswered = () => false) {
  const played = await play(question, "", { tools, call, isAnswered });
  return played.map(({ tool, given }) => [tool, given]);
}

test("a required value comes from the tool named in its parameter, by a name in the question, with or without typos", async () => {
  const made = await calls("How many books are on the shelf about coking?", [BURN, SHELVES, BOOKS]);
  expect(made).toEqual([
    ["list_shelves", {}],
    ["list_books", { shelf: "s2" }],
  ]);
});

test("retries a rejected name only with the nearest allowed spelling", async () => {
  const near = await calls('Which books has the author "Ottolengi"?', [SHELVES, BOOKS]);
  expect(near.slice(1)).toEqual([
    ["list_books", { shelf: "s1", author: "Ottolengi" }],
    ["list_books", { shelf: "s1", author: "Ottolenghi" }],
  ]);
  const far = await calls('Which books has the author "Tolstoy"?', [SHELVES, BOOKS]);
  expect(far.slice(1)).toEqual([["list_books", { shelf: "s1", author: "Tolstoy" }]]);
});

test("a word common to all tools groups the rows of a list if the question asks per that word", async () => {
  const rows = { type: "array", items: { enum: ["author", "shelf"] } };
  const counts = { ...BOOKS, inputSchema: { properties: { group_by: rows } } };
  expect(await calls("Which shelf has the most books?", [counts, SHELVES])).toContainEqual([
    "list_books",
    { group_by: ["shelf"] },
  ]);
  expect(await calls("How many books are on a shelf?", [counts, SHELVES])).toContainEqual(["list_books", {}]);
});

test("never calls a tool that changes something", async () => {
  expect(await calls("Burn the books of a shelf.", [BURN])).toEqual([]);
});

test("repeats no call, stops after five, and stops once results contain the answer", async () => {
  const other = (at: number) => ({ ...SHELVES, name: `list_rooms_${"abcdefgh"[at]}`, description: "Find rooms." });
  const rooms = Array.from({ length: 8 }, (_, at) => other(at));
  const deep = {
    ...BOOKS,
    inputSchema: {
      properties: Object.fromEntries(rooms.map(({ name }, at) => [`x${at}`, { description: `From ${name}.` }])),
      required: rooms.map((_, at) => `x${at}`),
    },
  };
  const made = await calls("How many books?", [deep, ...rooms], async () => ({
    text: "",
    isError: false,
    structured: {},
  }));
  expect(new Set(made.map(([tool]) => tool)).size).toBe(MAX_CALLS);
  expect(made.length).toBe(MAX_CALLS);
  expect(await calls("How many books are there?", [SHELVES, BOOKS], library, () => true)).toEqual([
    ["list_shelves", {}],
  ]);
});

test("a fact matches a row with all its values, and detects a value next to an unknown name", () => {
  // Fault: a table with an unknown brand and a zero passed as an answer.
  const structured = {
    data: [
      { brand: "A", n: 1, cost: { spent: 7 } },
      { brand: "B", n: 2 },
    ],
  };
  const played = [{ tool: "list_x", given: {}, text: "", isError: false, structured }];
  expect(
    hasAllFacts(played, [
      ["A", 1, 7],
      ["B", 2],
    ]),
  ).toBe(true);
  expect(hasAllFacts(played, [["A", 2]])).toBe(false);
  expect(hasAllFacts(played, [])).toBe(false);
  const asked = { question: "", because: /./, without: "B" };
  expect(findInventedMetrics(played, asked)).toEqual([{ brand: "B", n: 2 }]);
  expect(findInventedMetrics(played, { ...asked, without: "C" })).toEqual([]);
  const measured = [{ ...played[0], structured: { data: [], basis: {} } } as Played];
  expect(findInventedMetrics(measured, asked)).toEqual([{ data: [], basis: {} }]);
});
