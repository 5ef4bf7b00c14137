import type { z } from "zod";
import { ProviderError } from "../provider-error.ts";

export type ReplyElement = Record<string, unknown>;

/** Throws ProviderError (`malformed`) with the raw body. */
export function readPart<Shape extends z.ZodType>(part: unknown, shape: Shape, rawBody: string): z.output<Shape> {
  const read = shape.safeParse(part);
  if (read.success) return read.data;
  throw new ProviderError("malformed", { rawBody, cause: read.error });
}

export function listElements(part: unknown): ReplyElement[] {
  if (Array.isArray(part)) return part.flatMap(listElements);
  if (typeof part !== "object" || part === null) return [];
  const own = "type" in part && typeof part.type === "string" ? [part as ReplyElement] : [];
  return [...own, ...Object.values(part).flatMap(listElements)];
}
