import { z } from "zod";
import { MAX_COUNTED_ISSUES, MAX_ERROR_FIELDS } from "./request-bounds.ts";

/** The parsed value, or the first issues and how many there are: Infinity where not all were looked for. */
export type BoundedParse<Output> =
  | { success: true; data: Output }
  | { success: false; issues: z.core.$ZodIssue[]; count: number };

/**
 * Parses like `safeParse`, but input from outside can have 100,000 issues: once there are MAX_COUNTED_ISSUES, items of lists and records
 * are skipped, and only as many issues are put into words as an error lists.
 */
export function boundedParse<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  error?: z.core.$ZodErrorMap,
): BoundedParse<Output> {
  stopAtBudget(schema);
  const context: Counting = { ...(error && { error }), async: false, found: 0 };
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new Error("Schemas of requests are synchronous.");
  const { issues, value } = result;
  if (issues.length === 0) return { success: true, data: value as Output };
  const worded = issues
    .slice(0, MAX_ERROR_FIELDS)
    .map((issue) => z.core.util.finalizeIssue(issue, context, z.core.config()));
  return { success: false, issues: worded, count: issues.length < MAX_COUNTED_ISSUES ? issues.length : Infinity };
}

/** A parse by `boundedParse`; `found` counts issues of items. */
interface Counting extends z.core.ParseContextInternal {
  found?: number;
}

const STOPPING = new WeakSet<z.core.$ZodType>();

/** Makes items of all lists and records in a schema stop parsing where a context has counted enough issues. */
function stopAtBudget(schema: z.core.$ZodType): void {
  if (STOPPING.has(schema)) return;
  STOPPING.add(schema);
  const { def } = schema._zod;
  const item = def.type === "array" ? (def as z.core.$ZodArrayDef).element : undefined;
  const value = def.type === "record" ? (def as z.core.$ZodRecordDef).valueType : undefined;
  for (const one of schemasIn(def)) {
    stopAtBudget(one);
    if (one === item || one === value) countIssuesOf(one);
  }
}

const COUNTED = new WeakSet<z.core.$ZodType>();

function countIssuesOf(item: z.core.$ZodType): void {
  if (COUNTED.has(item)) return;
  COUNTED.add(item);
  const run = item._zod.run.bind(item._zod);
  item._zod.run = (payload, context: Counting) => {
    const { found: before } = context;
    if (before === undefined) return run(payload, context);
    if (before >= MAX_COUNTED_ISSUES) return payload;
    const result = run(payload, context);
    // Those of the items within it are among its own.
    if (!(result instanceof Promise)) context.found = before + result.issues.length;
    return result;
  };
}

/** The schemas of which a definition is made: properties, items, options, what is wrapped. */
function schemasIn(def: object): z.core.$ZodType[] {
  return Object.values(def)
    .flatMap((part: unknown) => (Array.isArray(part) ? (part as unknown[]) : [part]))
    .flatMap((part) => (isSchema(part) || typeof part !== "object" || part === null ? [part] : Object.values(part)))
    .filter(isSchema);
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return value instanceof z.core.$ZodType;
}
