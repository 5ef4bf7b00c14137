import { z } from "zod";
import { MAX_ERROR_FIELDS } from "./request-bounds.ts";

/** The parsed value, or the first issues and how many there are. */
export type BoundedParse<Output> =
  | { success: true; data: Output }
  | { success: false; issues: z.core.$ZodIssue[]; count: number };

/**
 * Parses like `safeParse`, but puts only as many issues into words as an error lists: input from outside can have 100,000. With
 * `abortEarly`, lists and objects stop at their first invalid child.
 */
export function boundedParse<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  options: { error?: z.core.$ZodErrorMap; abortEarly?: boolean } = {},
): BoundedParse<Output> {
  const context = { ...options, async: false };
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new Error("Schemas of requests are synchronous.");
  const { issues, value } = result;
  if (issues.length === 0) return { success: true, data: value as Output };
  const worded = issues
    .slice(0, MAX_ERROR_FIELDS)
    .map((issue) => z.core.util.finalizeIssue(issue, context, z.core.config()));
  return { success: false, issues: worded, count: issues.length };
}
