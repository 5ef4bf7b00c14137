/** A value of a property: as it was written, an item, or the name (`@id`) of an item that the page does not have. */
export type StructuredValue = string | number | boolean | StructuredItem | { reference: string };

/** A thing that the structured data of a page describes, whatever its format. Items can refer to each other in circles. */
export interface StructuredItem {
  id: string | null;
  /** Names of schema.org without its address, as the page has them: they need not exist. */
  types: string[];
  properties: Map<string, StructuredValue[]>;
  /** 0-based offset in the HTML. */
  at: number;
  format: "json_ld" | "microdata";
  /** False for what stands within another item alone. */
  isTopLevel: boolean;
  /** It is described in another vocabulary, and not judged. */
  isForeign: boolean;
  /** It has types or terms of another vocabulary besides, from which unknown names may be. */
  isMixed: boolean;
  /** Which properties of which items it is a value of: the first MOST_USES. */
  uses: { item: StructuredItem; property: string }[];
}
export const MOST_USES = 20;

/** What the structured data of a page says, and what is wrong with how it is written. */
export interface StructuredData {
  /** Every item once, in the order in which they begin. */
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

/** A finding. `type` and `property` are as the page has them; `message` has no text of the page. */
export interface StructuredIssue {
  severity: "error" | "warning";
  code: IssueCode;
  type: string | null;
  /** For what is missing, a path or several of which one is enough: `offers.price|offers.lowPrice`. */
  property: string | null;
  message: string;
  /** 0-based offset in the HTML. */
  at: number;
  /** The address of the documentation that the rule is from. */
  source: string;
}

export function isItem(value: StructuredValue): value is StructuredItem {
  return typeof value === "object" && "properties" in value;
}

export function isReference(value: StructuredValue): value is { reference: string } {
  return typeof value === "object" && "reference" in value;
}

/** Texts and numbers of a property, as texts without blanks around. */
export function textsOf(item: StructuredItem, property: string): string[] {
  const values = item.properties.get(property) ?? [];
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value).trim()] : [],
  );
}
