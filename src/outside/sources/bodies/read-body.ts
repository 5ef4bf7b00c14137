import type { z } from "zod";
import { parseJson } from "../../../../core/shared/json.ts";
import { ProviderError } from "../provider-error.ts";

/** What a body says in this shape; everything else of it is in the raw body alone. Throws ProviderError (`malformed`) with the body. */
export function readBody<Shape extends z.ZodType>(rawBody: string, shape: Shape): z.output<Shape> {
  try {
    return shape.parse(parseJson(rawBody));
  } catch (cause) {
    throw new ProviderError("malformed", { rawBody, cause });
  }
}
