import { createFormIssue } from "./issues.ts";
import {
  MAX_USES,
  isItem,
  isReference,
  type StructuredData,
  type StructuredIssue,
  type StructuredItem,
  type StructuredValue,
} from "./structured-item.ts";

/** Per page; real pages have fewer than 100 items. */
const MAX_ITEMS = 5_000;
const MAX_VALUES = 50_000;
/** Per page; more are repetitions. */
export const MAX_ISSUES = 1_000;
/** Values per property that are compared to drop duplicates between parts of an item. */
const MAX_COMPARED_VALUES = 50;

/** Joins parts and references of items. */
export interface ItemCollector {
  report(issue: StructuredIssue): void;
  /** An existing item with the same id is returned; undefined above the limit. */
  beginItem(start: Pick<StructuredItem, "id" | "offset" | "format" | "isTopLevel">): StructuredItem | undefined;
  addValue(item: StructuredItem, property: string, value: StructuredValue): void;
  finish(): StructuredData;
}

export function createItemCollector(): ItemCollector {
  const items: StructuredItem[] = [];
  const byId = new Map<string, StructuredItem>();
  const issues: StructuredIssue[] = [];
  let values = 0;
  let isFull = false;
  const overflow = (offset: number): void => {
    if (!isFull) issues.push(createFormIssue("too_many_items", { offset }));
    isFull = true;
  };
  return {
    report(issue) {
      if (issues.length < MAX_ISSUES) issues.push(issue);
    },
    beginItem(start) {
      const known = start.id === null ? undefined : byId.get(start.id);
      if (known) {
        known.isTopLevel ||= start.isTopLevel;
        return known;
      }
      if (items.length >= MAX_ITEMS || isFull) {
        overflow(start.offset);
        return undefined;
      }
      const item = { ...start, types: [], properties: new Map(), isForeign: false, isMixed: false, uses: [] };
      items.push(item);
      if (item.id !== null) byId.set(item.id, item);
      return item;
    },
    addValue(item, property, value) {
      if (values >= MAX_VALUES) return overflow(item.offset);
      const present = item.properties.get(property);
      if (present && present.length < MAX_COMPARED_VALUES && present.includes(value)) return undefined;
      values++;
      if (present) present.push(value);
      else item.properties.set(property, [value]);
    },
    finish() {
      for (const item of items) {
        for (const [property, present] of item.properties) {
          const joined = present.map((value) => (isReference(value) ? (byId.get(value.reference) ?? value) : value));
          item.properties.set(property, joined);
          for (const value of joined) {
            if (isItem(value) && value.uses.length < MAX_USES) value.uses.push({ item, property });
          }
        }
      }
      return { items, issues };
    },
  };
}
