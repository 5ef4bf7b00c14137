// Limits of what one request can say, the same for REST, tools, SCIM and forms (docs/limits.md). They are checked before schemas.

/** Name-value pairs of a form or a query string. The longest page sends a few hundred. */
export const MAX_FORM_PAIRS = 2000;

/** Of a JSON body. An analysis of 5,000 keywords has about 50,000 values; no object of ours has 100 names. */
export const JSON_BODY_BOUNDS = { names: 1000, values: 100_000 };

export const MAX_UNKNOWN_ARGUMENTS = 64;

/** Messages of a JSON-RPC batch: each can answer with the list of tools. */
export const MAX_BATCH_MESSAGES = 16;
/** Max characters of a JSON-RPC method or id, and of the name or uri in its parameters: errors repeat them. */
export const MAX_PROTOCOL_NAME_CHARACTERS = 1000;
/** Values of a request to the tool server besides the arguments of tools. The SDK checks each of them. */
export const MAX_PROTOCOL_VALUES = 1000;

/** Of SCIM: values of one attribute in a PATCH, comparisons of all its filters, and comparisons of one filter with stored values. */
export const MAX_ATTRIBUTE_VALUES = 100;
export const MAX_PATCH_TERMS = 2000;
export const MAX_COMPARISONS = 200_000;

/** Fields that an error lists. */
export const MAX_ERROR_FIELDS = 20;
/** Issues of one request that are counted; the rest is not checked. */
export const MAX_COUNTED_ISSUES = 1000;
/** Fields for which the nearest names are looked up. */
export const MAX_SUGGESTED_FIELDS = 5;
/** JSON of one field with its allowed values, and of all fields. With its quotes escaped in a tool's result, an error stays under 16 KB. */
export const MAX_ERROR_FIELD_BYTES = 3000;
export const MAX_ERROR_FIELDS_BYTES = 10_000;
/** Parts of a field's path that an error names: no input of ours is nested deeper. */
export const MAX_PATH_PARTS = 8;
