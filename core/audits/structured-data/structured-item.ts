/** A literal, an item, or the `@id` of an item that is not on the page. */
export type StructuredValue = string | number | boolean | StructuredItem | { reference: string };

/** An item of structured data in any format. Items can form cycles. */
export interface StructuredItem {
  id: string | null;
  /** schema.org type names as written; they may not exist. */
  types: string[];
  properties: Map<string, StructuredValue[]>;
  /** 0-based offset in the HTML. */
  offset: number;
  format: "json_ld" | "microdata";
  /** False for an item that only occurs within another. */
  isTopLevel: boolean;
  /** True for other vocabularies, which are not checked. */
  isForeign: boolean;
  /** True if types or terms of another vocabulary may explain unknown names. */
  isMixed: boolean;
  /** Items and properties that have it as value; max MAX_USES. */
  uses: { item: StructuredItem; property: string }[];
}
export const MAX_USES = 20;

/** Structured data of a page, and its issues. */
export interface StructuredData {
  /** Distinct items in order of their start. */
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

/** An issue. `type` and `property` are as written; `message` contains no text of the page. */
export interface StructuredIssue {
  severity: "error" | "warning";
  code: IssueCode;
  type: string | null;
  /** For a missing property, a path or alternatives: `offers.price|offers.lowPrice`. */
  property: string | null;
  message: string;
  /** 0-based offset in the HTML. */
  offset: number;
  /** Address of the documentation of the rule. */
  source: string;
}

export function isItem(value: StructuredValue): value is StructuredItem {
  return typeof value === "object" && "properties" in value;
}

export function isReference(value: StructuredValue): value is { reference: string } {
  return typeof value === "object" && "reference" in value;
}

/** Texts and numbers of a property as trimmed text. */
export function propertyTexts(item: StructuredItem, property: string): string[] {
  const values = item.properties.get(property) ?? [];
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value).trim()] : [],
  );
}
