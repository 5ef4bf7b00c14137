import { hash } from "node:crypto";
import { z } from "zod";
import { AppError } from "../../../../core/shared/errors.ts";
import { isTooHeavy, MAX_RESULT_TOKENS, estimateTokenCount } from "./shown-fields.ts";
import { parseJson } from "../../../../core/shared/json.ts";

/** Omitted rest: the path of a text or list, and the next character or element. */
const Rest = z.tuple([z.array(z.union([z.string(), z.int().min(0)])).min(1), z.int().min(0)]);
type Rest = z.output<typeof Rest>;
type Path = Rest[0];

export interface ObjectPart {
  value: Record<string, unknown>;
  rests: Rest[];
  continuation: { name: string; fromOffset: number; totalLength: number } | null;
}

// Tokens reserved for header, notes and cursor of a result.
export const RESULT_ENVELOPE_TOKENS = 500;

/**
 * Repeatedly halves the heaviest text or list, at any depth, until the object fits into a result.
 */
export function takeFirstPart(whole: Record<string, unknown>): ObjectPart {
  const { value, rests } = shortenToFit(whole);
  // Safe: only nested values are cut, never the object.
  return { value: value as Record<string, unknown>, rests, continuation: null };
}

/** The next part, at its original path. Throws VALIDATION_FAILED if the object changed. */
export function takeNextPart(result: Record<string, unknown>, cursor: string): ObjectPart {
  const { digest, rests } = readCursor(cursor);
  const [rest, ...others] = rests;
  if (!rest || digest !== hashParts(result, rests)) throw createCursorError();
  const [path, fromOffset] = rest;
  const remaining = getValueAt(result, path);
  if (typeof remaining !== "string" && !Array.isArray(remaining)) throw createCursorError();
  const { value, rests: inner } = shortenToFit(remaining.slice(fromOffset));
  const deeper = inner.map(([below, at]): Rest => translateRest(path, fromOffset, [below, at]));
  return {
    value: nestAt(path, value) as Record<string, unknown>,
    rests: [...deeper, ...others],
    continuation: { name: formatPath(path), fromOffset, totalLength: remaining.length },
  };
}

export function createCursor(whole: Record<string, unknown>, rests: readonly Rest[]): string {
  return PART_PREFIX + Buffer.from(JSON.stringify([hashParts(whole, rests), rests])).toString("base64url");
}

export function formatPath(path: Path): string {
  return path.join(".");
}

const PART_PREFIX = "+";
const CursorShape = z.tuple([z.string(), z.array(Rest).min(1)]);

function readCursor(given: string): { digest: string; rests: Rest[] } {
  try {
    if (!given.startsWith(PART_PREFIX)) throw createCursorError();
    const [digest, rests] = CursorShape.parse(parseJson(Buffer.from(given.slice(1), "base64url").toString("utf8")));
    return { digest, rests };
  } catch (error) {
    throw createCursorError(error);
  }
}

function createCursorError(cause?: unknown): AppError {
  return new AppError(
    "VALIDATION_FAILED",
    "The cursor does not belong to this object, or the object was changed since.",
    {
      fields: [{ path: "cursor", message: "leave it out to read the object from its beginning" }],
      cause,
    },
  );
}

function hashParts(whole: Record<string, unknown>, rests: readonly Rest[]): string {
  const digested = rests.map(([path]) => [path, whole[String(path[0])]]);
  return hash("sha256", JSON.stringify(digested), "base64url").slice(0, 12);
}

function translateRest(path: Path, from: number, [below, at]: [Path, number]): Rest {
  const [index, ...deeper] = below;
  if (index === undefined) return [path, from + at];
  return [[...path, typeof index === "number" ? from + index : index, ...deeper], at];
}

function nestAt(path: Path, value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);
}

function shortenToFit(result: unknown): { value: unknown; rests: [Path, number][] } {
  const cut = new Map<string, [Path, number]>();
  let value = result;
  while (!fitsResult(value)) {
    const path = findHeaviestPath(value);
    if (path === undefined) break;
    // Safe: the heaviest value is a text or a list.
    const shorter = takeFirstHalf(getValueAt(value, path) as string | unknown[]);
    value = replaceAt(value, path, shorter);
    cut.delete(formatPath(path));
    cut.set(formatPath(path), [path, shorter.length]);
  }
  return { value, rests: [...cut.values()].toReversed() };
}

function fitsResult(value: unknown): boolean {
  const text = JSON.stringify(value);
  return !(isTooHeavy(text.length) ?? estimateTokenCount(text) + RESULT_ENVELOPE_TOKENS > MAX_RESULT_TOKENS);
}

/** Path of the heaviest value that can be halved: a text, or a list of several elements. */
function findHeaviestPath(value: unknown): Path | undefined {
  if (typeof value === "string" || (Array.isArray(value) && value.length > 1)) return value.length > 1 ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const weighed = Object.entries(value).map(([key, inner]) => ({
    key,
    inner,
    size: JSON.stringify(inner ?? null).length,
  }));
  for (const { key, inner } of weighed.toSorted((a, b) => b.size - a.size)) {
    const below = findHeaviestPath(inner);
    if (below) return [Array.isArray(value) ? Number(key) : key, ...below];
  }
  return undefined;
}

function takeFirstHalf(value: string | unknown[]): string | unknown[] {
  const end = value.length >> 1;
  const within = typeof value === "string" && isHighSurrogate(value.charCodeAt(end - 1));
  return value.slice(0, within ? end - 1 : end);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function getValueAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  // Reads an own key, never one of a prototype.
  return getValueAt((value as Record<string | number, unknown>)[key], rest);
}

function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, at) => (at === key ? replaceAt(inner, rest, by) : inner));
  // Safe: paths only lead through lists and objects.
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: replaceAt(fields[key], rest, by) };
}
