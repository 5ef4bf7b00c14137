/** `reference` is the `@id` of an item that is not on the page. */
export type StructuredValue = string | number | boolean | StructuredItem | { reference: string };

/** Items can form cycles. */
export interface StructuredItem {
  id: string | null;
  /** schema.org names as written; they may not exist. */
  types: string[];
  properties: Map<string, StructuredValue[]>;
  /** 0-based in the HTML. */
  offset: number;
  format: "json_ld" | "microdata";
  /** False for an item that only occurs within another. */
  isTopLevel: boolean;
  /** Other vocabularies are not checked. */
  isForeign: boolean;
  /** Types or terms of another vocabulary may explain unknown names. */
  isMixed: boolean;
  /** Items that have it as value; max MAX_USES. */
  uses: { item: StructuredItem; property: string }[];
}
export const MAX_USES = 20;

export interface StructuredData {
  /** Distinct, in order of their start. */
  items: readonly StructuredItem[];
  issues: readonly StructuredIssue[];
}

export type FormCode =
  | "not_json"
  | "nested_too_deep"
  | "too_many_items"
  | "not_an_object"
  | "no_context"
  | "foreign_context"
  | "context_form"
  | "contradicting_context"
  | "no_type"
  | "unknown_type"
  | "superseded_type"
  | "unknown_property"
  | "superseded_property"
  | "empty_value";

export type IssueCode =
  | FormCode
  | "wrong_kind"
  | "not_a_member"
  | "not_a_currency"
  | "out_of_range"
  | "contradiction"
  | "missing_required"
  | "missing_recommended";

/** `type` and `property` are as written; `message` contains no text of the page. */
export interface StructuredIssue {
  severity: "error" | "warning";
  code: IssueCode;
  type: string | null;
  /** For a missing property, a path or alternatives: `offers.price|offers.lowPrice`. */
  property: string | null;
  message: string;
  /** 0-based in the HTML. */
  offset: number;
  /** Documentation of the rule. */
  source: string;
}

export function isItem(value: StructuredValue): value is StructuredItem {
  return typeof value === "object" && "properties" in value;
}

export function isReference(value: StructuredValue): value is { reference: string } {
  return typeof value === "object" && "reference" in value;
}

/** Trims texts and numbers; other values are left out. */
export function propertyTexts(item: StructuredItem, property: string): string[] {
  const values = item.properties.get(property) ?? [];
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value).trim()] : [],
  );
}
