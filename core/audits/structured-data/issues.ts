import type { FormCode, StructuredIssue } from "./structured-item.ts";

export const SCHEMA_ORG_MODEL = "https://schema.org/docs/datamodel.html";
export const GOOGLE_GUIDELINES =
  "https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data";
const JSON_LD = "https://www.w3.org/TR/json-ld11/";

const FORM_ISSUES: Readonly<Record<FormCode, Pick<StructuredIssue, "severity" | "message" | "source">>> = {
  not_json: { severity: "error", message: "The block is not JSON.", source: "https://www.rfc-editor.org/rfc/rfc8259" },
  nested_too_deep: {
    severity: "error",
    message: "The block is nested too deep to be read.",
    source: GOOGLE_GUIDELINES,
  },
  too_many_items: {
    severity: "warning",
    message: "The page has more structured data than is read; the rest was left out.",
    source: GOOGLE_GUIDELINES,
  },
  not_an_object: { severity: "error", message: "The block has no JSON object.", source: `${JSON_LD}#json-ld-grammar` },
  no_context: {
    severity: "error",
    message: "The block has no @context, so its names have no meaning.",
    source: `${JSON_LD}#the-context`,
  },
  foreign_context: {
    severity: "warning",
    message: "The item uses another vocabulary than schema.org, which search and answer engines do not read.",
    source: GOOGLE_GUIDELINES,
  },
  context_form: {
    severity: "warning",
    message: 'The @context should be written "https://schema.org".',
    source: "https://schema.org/docs/gs.html",
  },
  contradicting_context: {
    severity: "warning",
    message: "The @context of a nested object names another vocabulary than its parent object.",
    source: `${JSON_LD}#the-context`,
  },
  no_type: { severity: "warning", message: "The item has no type.", source: SCHEMA_ORG_MODEL },
  unknown_type: {
    severity: "error",
    message: "schema.org has no such type.",
    source: "https://schema.org/docs/full.html",
  },
  superseded_type: { severity: "warning", message: "schema.org has replaced the type.", source: SCHEMA_ORG_MODEL },
  unknown_property: {
    severity: "warning",
    message: "schema.org has no such property.",
    source: "https://schema.org/docs/full.html",
  },
  superseded_property: {
    severity: "warning",
    message: "schema.org has replaced the property.",
    source: SCHEMA_ORG_MODEL,
  },
  empty_value: { severity: "warning", message: "The property has an empty value.", source: GOOGLE_GUIDELINES },
};

/** `than` overrides the default text or severity. */
export function createFormIssue(
  code: FormCode,
  subject: Pick<StructuredIssue, "offset"> & { type?: string | null | undefined; property?: string },
  than: { message?: string; severity?: StructuredIssue["severity"] } = {},
): StructuredIssue {
  const { offset, type = null, property = null } = subject;
  return { ...FORM_ISSUES[code], ...than, code, type, property, offset };
}
