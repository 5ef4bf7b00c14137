import { isAddress, isDate, isDuration, isTime, readNumber } from "./read-values.ts";
import { isItem, isReference } from "./structured-item.ts";
import type { StructuredIssue, StructuredItem, StructuredValue } from "./structured-item.ts";
import { findType, hasMembers, isA, isDataType } from "./vocabulary.ts";

/** What is wrong with a value. */
type Fault = Pick<StructuredIssue, "severity" | "code" | "message">;

const MEMBER_ADDRESS = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i;

/** How a text is read as each data type that not every text is, and what to ask for instead. */
const READERS: Readonly<Record<string, { reads(text: string): boolean; asks: string }>> = {
  Boolean: { reads: (text) => /^(?:https?:\/\/schema\.org\/)?(?:true|false)$/i.test(text), asks: "true or false" },
  Date: { reads: isDate, asks: "a date of ISO 8601, such as 2026-03-31" },
  DateTime: { reads: isDate, asks: "a date with a time of ISO 8601, such as 2026-03-31T09:00:00Z" },
  Time: { reads: isTime, asks: "a time of ISO 8601, such as 09:00" },
  Duration: { reads: isDuration, asks: "a duration of ISO 8601, such as PT30M" },
  Number: { reads: (text) => readNumber(text) !== null, asks: "a number without units, with a point for decimals" },
  Float: { reads: (text) => readNumber(text) !== null, asks: "a number without units, with a point for decimals" },
  Integer: { reads: (text) => Number.isInteger(readNumber(text)), asks: "a whole number" },
  URL: { reads: isAddress, asks: "an address, such as https://www.example.com/page" },
};

/** What is wrong with a value of a property that expects these types of schema.org; null for nothing. */
export function judgeValue(kinds: readonly string[], value: StructuredValue): Fault | null {
  if (isItem(value)) return judgeItem(kinds, value);
  if (isReference(value)) return kinds.every(hasMembers) ? judgeMember(kinds, value.reference) : null;
  if (typeof value === "boolean" && !kinds.includes("Boolean")) {
    return { severity: "warning", code: "wrong_kind", message: "The property expects no true or false." };
  }
  return judgeText(kinds, String(value).trim());
}

function judgeText(kinds: readonly string[], text: string): Fault | null {
  if (text === "") return null;
  if (kinds.every(hasMembers)) return judgeMember(kinds, text);
  const dataTypes = kinds.filter(isDataType);
  // schema.org takes a text for any thing: "some data is better than none".
  if (dataTypes.length === 0) return null;
  const readers = dataTypes.map((kind) => READERS[kind]);
  if (readers.some((reader) => reader === undefined || reader.reads(text))) return null;
  // As an object may stand here, the text may be its name.
  const severity = dataTypes.length < kinds.length ? "warning" : "error";
  const asks = [...new Set(readers.flatMap((reader) => reader?.asks ?? []))].join(", or ");
  return { severity, code: "wrong_kind", message: `The property expects ${asks}.` };
}

/** Members of other vocabularies, such as those of GoodRelations, are not judged. */
function judgeMember(kinds: readonly string[], text: string): Fault | null {
  if (/^[a-z]+:/i.test(text) && !MEMBER_ADDRESS.test(text)) return null;
  const name = text.replace(MEMBER_ADDRESS, "");
  const members = kinds.flatMap((kind) => [...(findType(kind)?.members ?? [])]);
  if (members.includes(name)) return null;
  const some = members.slice(0, 3).join(", ");
  return {
    severity: "error",
    code: "not_a_member",
    message: `The property expects a value of a list: ${some} and so on.`,
  };
}

function judgeItem(kinds: readonly string[], item: StructuredItem): Fault | null {
  const types = item.types.filter((type) => findType(type));
  if (item.isForeign || item.isMixed || types.length === 0) return null;
  if (types.some((type) => isA(type, "Role") || kinds.some((kind) => isA(type, kind)))) return null;
  const things = kinds.filter((kind) => !isDataType(kind));
  const asks = things.length > 0 ? `an object of type ${things.join(" or ")}` : "a text, no object";
  return { severity: "warning", code: "wrong_kind", message: `The property expects ${asks}.` };
}
