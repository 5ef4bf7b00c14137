import type { z } from "zod";
import { parseJson } from "../../../../core/shared/json.ts";
import { ProviderError } from "../provider-error.ts";

/** Throws ProviderError (`malformed`) with the raw body. */
export function readBody<Shape extends z.ZodType>(rawBody: string, shape: Shape): z.output<Shape> {
  try {
    return shape.parse(parseJson(rawBody));
  } catch (cause) {
    throw new ProviderError("malformed", { rawBody, cause });
  }
}
