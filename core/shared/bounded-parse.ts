import { z } from "zod";
import { MAX_COUNTED_ISSUES, MAX_ERROR_FIELDS } from "./request-bounds.ts";

/** Parsed value, or the first issues and their number; Infinity if counting stopped. */
export type BoundedParse<Output> =
  | { success: true; data: Output }
  | { success: false; issues: z.core.$ZodIssue[]; count: number };

/**
 * Like `safeParse`, but bounded: input can have 100,000 issues. After MAX_COUNTED_ISSUES, items of
 * lists and records are skipped, and only the listed issues get messages.
 */
export function parseWithinBounds<Output>(
  schema: z.ZodType<Output>,
  input: unknown,
  error?: z.core.$ZodErrorMap,
): BoundedParse<Output> {
  limitIssues(schema);
  const context: CountingContext = { ...(error && { error }), async: false, itemIssueCount: 0 };
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new Error("Request schemas must be synchronous.");
  const { issues, value } = result;
  if (issues.length === 0) return { success: true, data: value as Output };
  const worded = issues
    .slice(0, MAX_ERROR_FIELDS)
    .map((issue) => z.core.util.finalizeIssue(issue, context, z.core.config()));
  return { success: false, issues: worded, count: issues.length < MAX_COUNTED_ISSUES ? issues.length : Infinity };
}

interface CountingContext extends z.core.ParseContextInternal {
  itemIssueCount?: number;
}

const BOUNDED_SCHEMAS = new WeakSet<z.core.$ZodType>();

/** Patches the items of all lists and records in a schema to stop after enough issues. */
function limitIssues(schema: z.core.$ZodType): void {
  if (BOUNDED_SCHEMAS.has(schema)) return;
  BOUNDED_SCHEMAS.add(schema);
  const { def } = schema._zod;
  const item = def.type === "array" ? (def as z.core.$ZodArrayDef).element : undefined;
  const value = def.type === "record" ? (def as z.core.$ZodRecordDef).valueType : undefined;
  for (const one of listChildSchemas(def)) {
    limitIssues(one);
    if (one === item || one === value) countIssues(one);
  }
}

const COUNTED_SCHEMAS = new WeakSet<z.core.$ZodType>();

function countIssues(item: z.core.$ZodType): void {
  if (COUNTED_SCHEMAS.has(item)) return;
  COUNTED_SCHEMAS.add(item);
  const run = item._zod.run.bind(item._zod);
  item._zod.run = (payload, context: CountingContext) => {
    const { itemIssueCount: before } = context;
    if (before === undefined) return run(payload, context);
    if (before >= MAX_COUNTED_ISSUES) return payload;
    const result = run(payload, context);
    // Counts issues of nested items too.
    if (!(result instanceof Promise)) context.itemIssueCount = before + result.issues.length;
    return result;
  };
}

/** Child schemas of a definition: properties, items, options, wrapped schemas. */
function listChildSchemas(def: object): z.core.$ZodType[] {
  return Object.values(def)
    .flatMap((part: unknown) => (Array.isArray(part) ? (part as unknown[]) : [part]))
    .flatMap((part) => (isSchema(part) || typeof part !== "object" || part === null ? [part] : Object.values(part)))
    .filter(isSchema);
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return value instanceof z.core.$ZodType;
}
