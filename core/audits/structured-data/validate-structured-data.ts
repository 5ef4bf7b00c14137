import { createFormIssue } from "./issues.ts";
import { MAX_ISSUES } from "./item-collector.ts";
import { findRangeFaults } from "./find-range-faults.ts";
import { findRichResultFaults } from "./find-rich-result-faults.ts";
import { isAddress, isDate, isDuration, isTime, parseNumber } from "./parse-values.ts";
import {
  type StructuredData,
  type StructuredIssue,
  type StructuredItem,
  type StructuredValue,
  isItem,
  isReference,
} from "./structured-item.ts";
import {
  findProperty,
  findType,
  hasMembers,
  hasProperty,
  isSubtypeOf,
  isDataType,
  findSpelling,
} from "./vocabulary.ts";

type ValueFault = Pick<StructuredIssue, "severity" | "code" | "message">;

const MEMBER_ADDRESS_PATTERN = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i;

const VALUE_PARSERS: Readonly<Record<string, { reads(text: string): boolean; asks: string }>> = {
  Boolean: { reads: (text) => /^(?:https?:\/\/schema\.org\/)?(?:true|false)$/i.test(text), asks: "true or false" },
  Date: { reads: isDate, asks: "a date of ISO 8601, such as 2026-03-31" },
  DateTime: { reads: isDate, asks: "a date with a time of ISO 8601, such as 2026-03-31T09:00:00Z" },
  Time: { reads: isTime, asks: "a time of ISO 8601, such as 09:00" },
  Duration: { reads: isDuration, asks: "a duration of ISO 8601, such as PT30M" },
  Number: { reads: (text) => parseNumber(text) !== null, asks: "a number without units, with a point for decimals" },
  Float: { reads: (text) => parseNumber(text) !== null, asks: "a number without units, with a point for decimals" },
  Integer: { reads: (text) => Number.isInteger(parseNumber(text)), asks: "a whole number" },
  URL: { reads: isAddress, asks: "an address, such as https://www.example.com/page" },
};

/** Null if the value fits. */
function validateValue(kinds: readonly string[], value: StructuredValue): ValueFault | null {
  if (isItem(value)) return validateItemValue(kinds, value);
  if (isReference(value)) return kinds.every(hasMembers) ? validateMember(kinds, value.reference) : null;
  if (typeof value === "boolean" && !kinds.includes("Boolean")) {
    return { severity: "warning", code: "wrong_kind", message: "The property does not accept true or false." };
  }
  return validateText(kinds, String(value).trim());
}

function validateText(kinds: readonly string[], text: string): ValueFault | null {
  if (text === "") return null;
  if (kinds.every(hasMembers)) return validateMember(kinds, text);
  const dataTypes = kinds.filter(isDataType);
  // schema.org accepts text for any thing: "some data is better than none".
  if (dataTypes.length === 0) return null;
  const readers = dataTypes.map((kind) => VALUE_PARSERS[kind]);
  if (readers.some((reader) => reader === undefined || reader.reads(text))) return null;
  // A text can be the name of an expected object, so it is only a warning.
  const severity = dataTypes.length < kinds.length ? "warning" : "error";
  const asks = [...new Set(readers.flatMap((reader) => reader?.asks ?? []))].join(", or ");
  return { severity, code: "wrong_kind", message: `The property expects ${asks}.` };
}

/** Members of other vocabularies such as GoodRelations are not checked. */
function validateMember(kinds: readonly string[], text: string): ValueFault | null {
  if (/^[a-z]+:/i.test(text) && !MEMBER_ADDRESS_PATTERN.test(text)) return null;
  const name = text.replace(MEMBER_ADDRESS_PATTERN, "");
  const members = kinds.flatMap((kind) => [...(findType(kind)?.members ?? [])]);
  if (members.includes(name)) return null;
  const some = members.slice(0, 3).join(", ");
  return {
    severity: "error",
    code: "not_a_member",
    message: `The property expects a value of a list: ${some} and so on.`,
  };
}

function validateItemValue(kinds: readonly string[], item: StructuredItem): ValueFault | null {
  const types = item.types.filter((type) => findType(type));
  if (item.isForeign || item.isMixed || types.length === 0) return null;
  if (types.some((type) => isSubtypeOf(type, "Role") || kinds.some((kind) => isSubtypeOf(type, kind)))) return null;
  const things = kinds.filter((kind) => !isDataType(kind));
  const asks = things.length > 0 ? `an object of type ${things.join(" or ")}` : "a text, no object";
  return { severity: "warning", code: "wrong_kind", message: `The property expects ${asks}.` };
}

/** Issues of form, then by item: unknown names, invalid values, rich results; max MAX_ISSUES. */
export function validateStructuredData({ items, issues }: StructuredData): StructuredIssue[] {
  const found = issues.slice(0, MAX_ISSUES);
  for (const item of items) {
    if (found.length >= MAX_ISSUES) break;
    if (!item.isForeign) found.push(...validateItem(item));
  }
  return found.slice(0, MAX_ISSUES);
}

function validateItem(item: StructuredItem): StructuredIssue[] {
  const [type] = item.types;
  const subject = { offset: item.offset, type };
  if (type === undefined) {
    const message = "The item has no type, so its kind is unknown.";
    return [createFormIssue("no_type", subject, item.isTopLevel ? { message, severity: "error" } : { message })];
  }
  const more = [...findRangeFaults(item), ...findRichResultFaults(item)];
  return [
    ...item.types.flatMap((name) => validateType(name, item)),
    ...validateProperties(item),
    ...more.map((fault) => ({ ...fault, type, offset: item.offset })),
  ];
}

function validateType(type: string, { offset }: StructuredItem): StructuredIssue[] {
  const known = findType(type);
  const subject = { offset, type };
  if (!known)
    return [
      createFormIssue("unknown_type", subject, { message: `schema.org has no such type.${suggestSpelling(type)}` }),
    ];
  if (known.supersededBy === null) return [];
  return [
    createFormIssue("superseded_type", subject, {
      message: `schema.org has replaced the type by ${known.supersededBy}.`,
    }),
  ];
}

function validateProperties(item: StructuredItem): StructuredIssue[] {
  const types = item.types.filter((type) => findType(type));
  const [type = null] = item.types;
  if (types.length === 0) return [];
  return [...item.properties].flatMap(([property, values]): StructuredIssue[] => {
    const subject = { offset: item.offset, type, property };
    const known = findProperty(property);
    if (!known || !isPropertyOfTypes(types, property)) {
      if (item.isMixed || types.length < item.types.length || isActionConstraint(property)) return [];
      const message = known
        ? "schema.org has the property for other types, not for this one."
        : `schema.org has no such property.${suggestSpelling(property)}`;
      return [createFormIssue("unknown_property", subject, { message })];
    }
    const issues: StructuredIssue[] = [];
    if (known.supersededBy !== null) {
      issues.push(
        createFormIssue("superseded_property", subject, {
          message: `schema.org has replaced the property by ${known.supersededBy}.`,
        }),
      );
    }
    if (values.some((value) => typeof value === "string" && value.trim() === ""))
      issues.push(createFormIssue("empty_value", subject));
    // Values with the same fault are reported once.
    const faults = new Map(
      values.map((value) => validateValue(known.kinds, value)).map((fault) => [fault?.message, fault]),
    );
    const source = `https://schema.org/${property}`;
    for (const fault of faults.values())
      if (fault) issues.push({ ...fault, type, property, offset: item.offset, source });
    return issues;
  });
}

/** A Role also has the property it is a value of. */
function isPropertyOfTypes(types: readonly string[], property: string): boolean {
  return types.some((type) => hasProperty(type, property) || isSubtypeOf(type, "Role"));
}

/** For actions, such as `query-input`. */
const isActionConstraint = (property: string): boolean => /-(?:input|output)$/.test(property);

function suggestSpelling(name: string): string {
  const right = findSpelling(name);
  return right === undefined ? "" : ` It has ${right}: capitals matter.`;
}
