import { z } from "zod";
import { COMPETITOR_TYPES, FUNNEL_STAGES, KEYWORD_TYPES, SOURCES } from "../sources/sources.ts";

// Field schemas shared by endpoints. Schemas never coerce; REST converts query strings first.

// Control characters except tab and line feed, and characters that reorder text (Unicode TR 36).
const INVISIBLE_PATTERN =
  // oxlint-disable-next-line no-control-regex -- matching them is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
const ALL_INVISIBLE_PATTERN = new RegExp(INVISIBLE_PATTERN, "gu");

/** Removes control and bidirectional characters, for displaying untrusted text. */
export function removeInvisible(value: string): string {
  return INVISIBLE_PATTERN.test(value) ? value.replaceAll(ALL_INVISIBLE_PATTERN, "") : value;
}

/** Schema without optional, nullable and default. */
export function unwrapSchema(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? unwrapSchema(schema.unwrap()) : schema;
}

/** Untrusted text such as an answer, a page or a partner's message; models are warned about it. */
export const outsideTextSchema = () => z.string().meta({ "x-outside-text": true });

/** Text with line breaks, without control and bidirectional characters. */
export const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !INVISIBLE_PATTERN.test(value), "must not contain control or bidirectional characters");

/** True for text with only white space and zero-width characters (Unicode category Cf). */
export function isBlank(value: string): boolean {
  return !/[^\s\p{Cf}]/u.test(value);
}

/** Non-empty trimmed single-line text. */
export const nameSchema = (maxLength = 255) =>
  textSchema(maxLength)
    .trim()
    .min(1)
    .refine((value) => !value.includes("\n"), "must be one line");

/** UUID in either case (RFC 9562 section 4), normalised to lower case as stored. */
export const Id = z.uuid().toLowerCase().describe("Identifier (UUID).");
/** Also with the small letters of RFC 3339 section 5.6. */
export const InstantField = z
  .string()
  .toUpperCase()
  .check(z.iso.datetime({ offset: true }))
  .describe("Time in UTC, ISO 8601.");

export const organizationPath = {
  organization_id: Id.describe("Organization id, from list_organizations."),
};
export const workspacePath = {
  ...organizationPath,
  workspace_id: Id.describe("Workspace id, from list_workspaces."),
};
export const analysisPath = {
  ...workspacePath,
  analysis_id: Id.describe("Analysis id, from list_analyses."),
};

export const SourceField = z.enum(SOURCES).describe("Assistant or search engine (source).");
export const CompetitorTypeField = z.enum(COMPETITOR_TYPES);
export const KeywordTypeField = z.enum(KEYWORD_TYPES);
export const FunnelStageField = z.enum(FUNNEL_STAGES);

/** Country code, ISO 3166-1 alpha-2. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be a two-letter country code such as US")
  .describe("Country code (ISO 3166-1 alpha-2).");
/** Language tag, BCP 47: language with optional region. */
export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "must be a language tag such as en or pt-BR")
  .describe("Language tag (BCP 47).");

/** A bare host name in lower case. */
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "must be a domain such as example.com",
  );

/** A query related to a keyword (interface.md 2.5). */
export const RelatedQueryField = z.strictObject({
  query: textSchema(500).optional(),
  relevance: z.number().optional(),
  search_volume: z.number().optional(),
  trends: z.array(z.number()).max(60).optional(),
  intents: z.array(nameSchema(50)).max(10).optional(),
});
export type RelatedQuery = z.output<typeof RelatedQueryField>;

/** Marks a parameter that tools accept but do not list, because questions rarely need it. */
export const unlisted = <T extends z.ZodType>(field: T): T => field.meta({ ...field.meta(), [UNLISTED]: true });
export const UNLISTED = "x-unlisted";

export const SortDirectionField = z.enum(["asc", "desc"]).describe("Sort order.");

export const listQuery = {
  limit: z.int().min(1).max(100).default(25).describe("Rows per page, 1 to 100."),
  cursor: z.string().max(2000).optional().describe("next_cursor of the previous page; keep the same filters."),
};

export const listSchema = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    next_cursor: z.string().nullable().describe("Value of cursor for the next page; null on the last page."),
  });
