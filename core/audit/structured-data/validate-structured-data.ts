import { formIssue } from "./issues.ts";
import { MOST_ISSUES } from "./item-collector.ts";
import { judgeRanges } from "./judge-ranges.ts";
import { judgeRichResults } from "./judge-rich-results.ts";
import { judgeValue } from "./judge-values.ts";
import type { StructuredData, StructuredIssue, StructuredItem } from "./structured-item.ts";
import { findProperty, findType, hasProperty, isA, respell } from "./vocabulary.ts";

/**
 * What is wrong with the structured data of a page: its form, names that schema.org does not have, values that cannot be read or
 * cannot be, and what Google asks for rich results. In the order of the items, those of form first. At most MOST_ISSUES.
 */
export function validateStructuredData({ items, issues }: StructuredData): StructuredIssue[] {
  const found = issues.slice(0, MOST_ISSUES);
  for (const item of items) {
    if (found.length >= MOST_ISSUES) break;
    if (!item.isForeign) found.push(...judge(item));
  }
  return found.slice(0, MOST_ISSUES);
}

function judge(item: StructuredItem): StructuredIssue[] {
  const [type] = item.types;
  const subject = { at: item.at, type };
  if (type === undefined) {
    const message = "It has no type, so that what it is stays open.";
    return [formIssue("no_type", subject, item.isTopLevel ? { message, severity: "error" } : { message })];
  }
  const more = [...judgeRanges(item), ...judgeRichResults(item)];
  return [
    ...item.types.flatMap((name) => judgeType(name, item)),
    ...judgeProperties(item),
    ...more.map((fault) => ({ ...fault, type, at: item.at })),
  ];
}

function judgeType(type: string, { at }: StructuredItem): StructuredIssue[] {
  const known = findType(type);
  const subject = { at, type };
  if (!known)
    return [formIssue("unknown_type", subject, { message: `schema.org has no such type.${suggestion(type)}` })];
  if (known.supersededBy === null) return [];
  return [formIssue("superseded_type", subject, { message: `schema.org has replaced it by ${known.supersededBy}.` })];
}

function judgeProperties(item: StructuredItem): StructuredIssue[] {
  const types = item.types.filter((type) => findType(type));
  const [type = null] = item.types;
  if (types.length === 0) return [];
  return [...item.properties].flatMap(([property, values]): StructuredIssue[] => {
    const subject = { at: item.at, type, property };
    const known = findProperty(property);
    if (!known || !isOf(types, property)) {
      if (item.isMixed || types.length < item.types.length || isConstraint(property)) return [];
      const message = known
        ? "schema.org has the property for other types, not for this one."
        : `schema.org has no such property.${suggestion(property)}`;
      return [formIssue("unknown_property", subject, { message })];
    }
    const issues: StructuredIssue[] = [];
    if (known.supersededBy !== null) {
      issues.push(
        formIssue("superseded_property", subject, { message: `schema.org has replaced it by ${known.supersededBy}.` }),
      );
    }
    if (values.some((value) => typeof value === "string" && value.trim() === ""))
      issues.push(formIssue("empty_value", subject));
    // Of many values that are wrong in the same way the first one says it.
    const faults = new Map(
      values.map((value) => judgeValue(known.kinds, value)).map((fault) => [fault?.message, fault]),
    );
    const source = `https://schema.org/${property}`;
    for (const fault of faults.values()) if (fault) issues.push({ ...fault, type, property, at: item.at, source });
    return issues;
  });
}

/** A role has the property that it is a value of, besides its own. */
function isOf(types: readonly string[], property: string): boolean {
  return types.some((type) => hasProperty(type, property) || isA(type, "Role"));
}

/** What an action asks of a property: `query-input`. */
const isConstraint = (property: string): boolean => /-(?:input|output)$/.test(property);

function suggestion(name: string): string {
  const right = respell(name);
  return right === undefined ? "" : ` It has ${right}: capitals matter.`;
}
