import { z } from "zod";
import { COMPETITOR_TYPES, FUNNEL_STAGES, KEYWORD_TYPES, SOURCES } from "../sources/sources.ts";

// Field schemas that several endpoints share. Schemas never coerce: REST converts query strings to the types of the schema.

// Control characters other than tab and line feed, and the characters that reorder text on a screen (Unicode TR 36).
// oxlint-disable-next-line no-control-regex -- matching them is the purpose
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE, "gu");

/** The text without control and bidirectional characters, for showing what others wrote. */
export function withoutInvisible(value: string): string {
  return INVISIBLE.test(value) ? value.replaceAll(EVERY_INVISIBLE, "") : value;
}

/** Text that came from outside: an answer, a page, a partner's message. A model is told not to trust it. */
export const outsideText = () => z.string().meta({ "x-outside-text": true });

/** Text of one or more lines that people write: no control or bidirectional characters. */
export const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !INVISIBLE.test(value), "must not contain control or bidirectional characters");

/** True for text in which there is nothing to see: white space and characters without a width (Unicode, category Cf). */
export function isBlank(value: string): boolean {
  return !/[^\s\p{Cf}]/u.test(value);
}

/** A one-line name: trimmed, not empty. */
export const name = (maxLength = 255) =>
  text(maxLength)
    .trim()
    .min(1)
    .refine((value) => !value.includes("\n"), "must be one line");

/** Read in either case (RFC 9562 section 4) and kept in lower case, as every stored one is. */
export const Id = z.uuid().toLowerCase().describe("Identifier (UUID).");
export const InstantField = z.iso.datetime({ offset: true }).describe("Instant in UTC, ISO 8601.");

export const organizationPath = {
  organization_id: Id.describe("Organization; list_organizations gives it."),
};
export const workspacePath = {
  ...organizationPath,
  workspace_id: Id.describe("Workspace; list_workspaces gives it."),
};
export const analysisPath = {
  ...workspacePath,
  analysis_id: Id.describe("Analysis; list_analyses gives it."),
};

export const SourceField = z.enum(SOURCES).describe("Source channel.");
export const CompetitorTypeField = z.enum(COMPETITOR_TYPES);
export const KeywordTypeField = z.enum(KEYWORD_TYPES);
export const FunnelStageField = z.enum(FUNNEL_STAGES);

/** ISO 3166-1 alpha-2. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, "must be a two-letter country code such as US")
  .describe("Country, ISO 3166-1 alpha-2.");
/** BCP 47, language with an optional region. */
export const Language = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, "must be a language tag such as en or pt-BR")
  .describe("Language, BCP 47.");

/** A bare host name, lower case: what brands own. */
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "must be a domain such as example.com",
  );

/** What else people ask around a keyword (interface.md 2.5). */
export const RelatedQueryField = z.strictObject({
  query: text(500).optional(),
  relevance: z.number().optional(),
  search_volume: z.number().optional(),
  trends: z.array(z.number()).max(60).optional(),
  intents: z.array(name(50)).max(10).optional(),
});
export type RelatedQuery = z.output<typeof RelatedQueryField>;

/** Query parameters of every list. */
export const listQuery = {
  limit: z.int().min(1).max(100).default(25).describe("Rows per page, 1 to 100."),
  cursor: z.string().max(2000).optional().describe("next_cursor of the page before, with the same filters."),
};

/** `{ data, next_cursor }`: what every list answers. */
export const listOf = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    next_cursor: z.string().nullable().describe("Give it as cursor for the next page; null on the last one."),
  });
