import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import type { Selection } from "../../../reads/read-messages.ts";
import type { Fields } from "../mcp-context.ts";
import { isNeededField, isOwnIdNeeded, type TakenIds } from "./needed-ids.ts";

/** An endpoint, and the ids that any tool takes. */
interface Shown {
  endpoint: AnyEndpoint;
  takenIds: TakenIds;
}

/** Ids given by the call, and those that any tool takes. */
interface KnownIds {
  given: ReadonlySet<string>;
  taken: TakenIds;
}

export function chooseDefaultColumns({ endpoint, takenIds }: Shown, columns: readonly string[]): readonly string[] {
  const unneeded = new Set([
    ...(isOwnIdNeeded(endpoint, takenIds) ? [] : ["id"]),
    // Rows that are never updated, such as movements, keep the time of their creation.
    ...(columns.includes("updated_at") ? ["created_at", "updated_at"] : []),
  ]);
  const isWorth = isWorthShowing(columns, listKnownIds({ endpoint, takenIds }));
  return (endpoint.toolColumns ?? columns).filter((column) => isWorth(column) && !unneeded.has(column));
}

/**
 * Removes uninformative columns at each depth: always null, ids that no next call needs, text
 * offsets.
 */
export function compactRows(shown: Shown, rows: readonly Fields[]): Fields[] {
  return lean(rows, listKnownIds(shown));
}

export function shortenExcerpts({ toolExcerpts = {} }: AnyEndpoint, row: Fields): Fields {
  const cut = Object.entries(toolExcerpts).map(([column, most]) => [column, shorten(row[column], most)]);
  return { ...row, ...Object.fromEntries(cut.filter(([, text]) => text !== undefined)) };
}

function shorten(text: unknown, maxLength: number): unknown {
  if (typeof text !== "string" || text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/**
 * Removes uninformative fields, ids given by the call, and unrequested optional fields;
 * chosen fields stay.
 */
export function compactObject(
  shown: Shown,
  whole: Fields,
  { columns, includedFields }: Pick<Selection, "columns" | "includedFields">,
): Fields {
  const ids = listKnownIds(shown);
  const { onDemandFields = [], toolColumns = Object.keys(whole) } = shown.endpoint;
  const isWorth = isWorthShowing(Object.keys(whole), ids);
  const isChosen = (key: string) => includedFields.includes(key) || columns?.includes(key) === true;
  const isLeftOut = (key: string) => !isWorth(key) || onDemandFields.includes(key) || !toolColumns.includes(key);
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key]) => isChosen(key) || (columns === null && !isLeftOut(key)))
      .map(([key, value]) => [key, isChosen(key) ? value : compactParts(value, ids)]),
  );
}

/** Replaces ids by names within an object, since tools accept both. */
function compactParts(value: unknown, ids: KnownIds): unknown {
  if (!isRows(value)) return compactValue(value, ids);
  const hasNames = value.every((row) => typeof row["name"] === "string");
  return lean(hasNames ? value.map(removeId) : value, ids);
}

function removeId(row: Fields): Fields {
  return Object.fromEntries(Object.entries(row).filter(([key]) => key !== "id"));
}

function listKnownIds({ endpoint: { path }, takenIds }: Shown): KnownIds {
  return { given: new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "")), taken: takenIds };
}

const TEXT_OFFSETS: ReadonlySet<string> = new Set(["end", "start"]);

function isWorthShowing(columns: readonly string[], { given, taken }: KnownIds): (column: string) => boolean {
  return (column) => !given.has(column) && !TEXT_OFFSETS.has(column) && isNeededField(column, columns, taken);
}

function lean(rows: readonly Fields[], ids: KnownIds): Fields[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const informative = columns
    .filter(isWorthShowing(columns, ids))
    .filter((column) => rows.some((row) => row[column] !== null && row[column] !== undefined));
  const values = new Map(
    informative.map((column) => [
      column,
      compactColumn(
        rows.map((row) => row[column]),
        ids,
      ),
    ]),
  );
  return rows.map((row, at) =>
    Object.fromEntries(
      informative.filter((column) => column in row).map((column) => [column, values.get(column)?.[at]]),
    ),
  );
}

function compactColumn(values: readonly unknown[], ids: KnownIds): unknown[] {
  const objects = values.filter(isFields);
  if (objects.length === 0) return values.map((value) => compactValue(value, ids));
  const leaned = lean(objects, ids).values();
  return values.map((value) => (isFields(value) ? leaned.next().value : value));
}

function compactValue(value: unknown, ids: KnownIds): unknown {
  if (isRows(value)) return lean(value, ids);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, compactValue(inner, ids)]));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}

/**
 * Max estimated tokens of a result; keeps the real number below 8,000 if the estimate is 10 % too
 * low.
 */
export const MAX_RESULT_TOKENS = 7200;

/** Pieces of the tokenizer o200k: words with the sign before, three digits, marks, spaces. */
const TOKEN_PIECE_PATTERN =
  /(?<=\p{L})(?<glued>\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+)|(?<before>[^\r\n\p{L}\p{N}])?(?<word>\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+)|\p{N}{1,3}| ?(?<marks>[^\s\p{L}\p{N}]+)[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

/**
 * Estimates the tokens of a text, within 10 % for typical results, by the average cost of each kind
 * and length of piece.
 */
export function estimateTokenCount(text: string): number {
  let tokens = 0;
  for (const { 0: piece, groups = {} } of text.matchAll(TOKEN_PIECE_PATTERN)) tokens += estimateTokens(piece, groups);
  return Math.ceil(tokens);
}

function estimateTokens(piece: string, { glued, before, word, marks }: Record<string, string | undefined>): number {
  // Counts letters inside a code, which are no word.
  if (glued !== undefined) return 1 + (glued.length - 1) / 3;
  if (word !== undefined) return estimateWordTokens(word, before === " ");
  if (marks === undefined) return Math.ceil(piece.length / 8);
  if (!ASCII_PATTERN.test(marks)) return marks.length;
  return marks.length <= 3 ? 1 : marks.length / 2.5;
}

/** Max letters of a word in the tokenizer's vocabulary. */
const MAX_WORD_LENGTH = 20;
const ASCII_PATTERN = /^[\0-\x7f]+$/;
const CAPITALS_PATTERN = /^[A-Z]+$/;
const ENGLISH_WORD_PATTERN = /^[A-Za-z]+$/;
const LATIN_WORD_PATTERN = /^[A-Za-z\u00c0-\u024f]+$/;
const OTHER_ALPHABET_PATTERN = /^[\u0370-\u06ff]+$/;

function estimateWordTokens(word: string, isSpaced: boolean): number {
  const { length } = word;
  if (length > MAX_WORD_LENGTH) return length / 4;
  if (CAPITALS_PATTERN.test(word)) return 1 + Math.max(0, length - 2) / 4;
  if (ENGLISH_WORD_PATTERN.test(word))
    return isSpaced ? 1 + Math.max(0, length - 7) / 10 : 1.05 + Math.max(0, length - 5) / 8;
  if (LATIN_WORD_PATTERN.test(word)) return 1 + Math.max(0, length - 4) / 6;
  if (OTHER_ALPHABET_PATTERN.test(word)) return 1 + (length - 1) / 3;
  return length * 0.75;
}

export function isTooHeavy(length: number): boolean | undefined {
  if (length <= MAX_RESULT_TOKENS / 1.5) return false;
  return length > MAX_RESULT_TOKENS * 10 ? true : undefined;
}
