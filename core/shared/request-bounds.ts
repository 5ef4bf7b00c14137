// Request limits of REST, tools, SCIM and forms (docs/limits.md), checked before schemas.

/** Max pairs of a form or query string; the longest page sends a few hundred. */
export const MAX_FORM_PAIRS = 2000;

/** An analysis of 5,000 keywords has about 50,000 values; no object has 100 names. */
export const JSON_BODY_BOUNDS = { maxNames: 1000, maxValues: 100_000 };

export const MAX_UNKNOWN_ARGUMENTS = 64;

/** Max messages of a JSON-RPC batch; each response may list all tools. */
export const MAX_BATCH_MESSAGES = 16;
/** Max characters of a JSON-RPC method, id, and parameter name or uri: errors repeat them. */
export const MAX_PROTOCOL_NAME_CHARACTERS = 1000;
/** Max values of a tool server request outside tool arguments; the SDK checks each. */
export const MAX_PROTOCOL_VALUES = 1000;

/**
 * SCIM maxima: values of one attribute in a PATCH, comparisons in all its filters, and comparisons
 * of one filter with stored values.
 */
export const MAX_ATTRIBUTE_VALUES = 100;
export const MAX_PATCH_TERMS = 2000;
export const MAX_COMPARISONS = 200_000;

export const MAX_ERROR_FIELDS = 20;
/** Max issues counted per request; checking stops there. */
export const MAX_COUNTED_ISSUES = 1000;
export const MAX_SUGGESTED_FIELDS = 5;
/** JSON bytes per field and of all fields: escaped in a tool result, an error stays below 16 KB. */
export const MAX_ERROR_FIELD_BYTES = 3000;
export const MAX_ERROR_FIELDS_BYTES = 10_000;
/** Max parts of a field path in an error; no input nests deeper. */
export const MAX_PATH_PARTS = 8;
