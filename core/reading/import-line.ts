import { z } from "zod";
import { formatIssueMessage } from "../shared/format-issue-message.ts";
import { RelatedQueryField } from "../shared/fields.ts";
import { MAX_KEYWORD_DATA } from "../analyses/keyword-data.ts";
import { SOURCES } from "../sources/sources.ts";
import { NestingTooDeep, parseJson } from "../shared/json.ts";

const Text = (longest: number): z.ZodString => z.string().max(longest);
const UrlSchema = Text(4_000).min(1);

const NumberSeriesSchema = z.array(z.number()).max(MAX_KEYWORD_DATA.trend);

const LinksSchema = z
  .array(z.strictObject({ url: UrlSchema, title: Text(2_000).optional(), position: z.int().min(1).optional() }))
  .max(1_000);

/**
 * One recorded answer or result page as a line of JSON. Needs a text or results. `run` numbers
 * repetitions of a prompt; `collect` groups lines into runs.
 */
export const ImportLine = z
  .strictObject({
    keyword: z.string().trim().min(1).max(2_000).describe("Prompt or search term that was sent."),
    source: z.enum(SOURCES),
    text: Text(1_000_000).default("").describe("Text of the answer; empty for a page of search results."),
    citations: LinksSchema.default([]).describe(
      "Pages that the answer links to. Without a position, their order counts.",
    ),
    results: z
      .array(
        z.strictObject({
          rank: z.int().min(1).max(1_000),
          title: Text(2_000).optional(),
          url: UrlSchema,
          snippet: Text(10_000).optional(),
        }),
      )
      .max(1_000)
      .default([])
      .describe("Rows of a search result page; rank 1 is the first."),
    retrieved: LinksSchema.optional().describe("Pages that the assistant read for the answer, cited or not cited."),
    queries: z.array(Text(2_000)).max(200).optional().describe("Searches that the assistant ran, in order."),
    run: z.int().min(1).max(1_000).default(1),
    collect: Text(200).min(1).optional(),
    thematic: Text(200).min(1).optional(),
    topic: Text(200).min(1).optional(),
    search_volume: z
      .int()
      .min(0)
      .optional()
      .describe("Monthly searches for the prompt (`keyword`); the last line with a value counts."),
    trends: NumberSeriesSchema.optional().describe("Searches per month, oldest first."),
    search_interest_trends: NumberSeriesSchema.optional().describe("Search interest over time, oldest first."),
    related_queries: z.array(RelatedQueryField).max(MAX_KEYWORD_DATA.related).optional(),
    collected_at: z.iso.datetime({ offset: true }).optional(),
    model: Text(200).min(1).optional(),
    provider: Text(200).min(1).optional(),
    locale: z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
      .optional(),
  })
  .refine(({ text, results }) => text.trim() !== "" || results.length > 0, {
    path: ["text"],
    message: "is empty, and the line has no results: give a text or results",
  })
  .transform(({ citations, retrieved, ...line }) => ({
    ...line,
    citations: citations.map(addPosition),
    ...(retrieved && { retrieved: retrieved.map(addPosition) }),
  }));
export type ImportLine = z.output<typeof ImportLine>;

function addPosition<Link extends { position?: number | undefined }>(link: Link, index: number) {
  return { ...link, position: link.position ?? index + 1 };
}

export interface RejectedLine {
  /** 1-based line number. */
  line: number;
  message: string;
}

export interface ParsedLines<T> {
  lines: { line: number; value: T }[];
  rejectedLines: RejectedLine[];
}

/** Blank lines are skipped, invalid lines reported by number; messages never quote a line. */
export function parseJsonLines<T>(text: string, schema: z.ZodType<T>): ParsedLines<T> {
  const parsed: ParsedLines<T> = { lines: [], rejectedLines: [] };
  for (const [i, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (raw.trim() === "") continue;
    const line = i + 1;
    const result = parseJsonLine(raw, schema);
    if ("value" in result) parsed.lines.push({ line, value: result.value });
    else parsed.rejectedLines.push({ line, message: result.message });
  }
  return parsed;
}

export type LineResult<T> = { value: T } | { message: string };

/** Max length of a rejection message, in code units. */
const MAX_MESSAGE_LENGTH = 500;

/** Parses one non-blank line of JSON Lines. */
export function parseJsonLine<T>(raw: string, schema: z.ZodType<T>): LineResult<T> {
  let json: unknown;
  try {
    json = parseJson(raw);
  } catch (error) {
    return { message: error instanceof NestingTooDeep ? "is nested too deeply" : "is not JSON" };
  }
  const result = schema.safeParse(json, { error: formatIssueMessage });
  if (!result.success) return { message: formatIssues(result.error.issues) };
  // Checked after the schema, which bounds the depth of the value.
  if (hasUnstorableText(result.data)) return { message: "holds a NUL character or half of a surrogate pair" };
  return { value: result.data };
}

function formatIssues(issues: readonly z.core.$ZodIssue[]): string {
  const message = issues.slice(0, 10).map(formatIssue).join("; ");
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;
}

function formatIssue(issue: z.core.$ZodIssue): string {
  const text = toSafeIssueMessage(issue);
  return issue.path.length === 0 ? text : `${issue.path.join(".")}: ${text}`;
}

/** Message of an issue without unknown field names, which are input. */
export function toSafeIssueMessage({ code, message }: z.core.$ZodIssue): string {
  return code === "unrecognized_keys" ? "has a field that is not part of the format" : message;
}

/** Some engines cannot store NUL, which ends a text, or half a surrogate pair. */
function hasUnstorableText(value: unknown): boolean {
  if (typeof value === "string") return /\0|\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, held]) => hasUnstorableText(key) || hasUnstorableText(held));
}
