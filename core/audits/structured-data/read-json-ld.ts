import { NestingTooDeep, parseJson } from "../../shared/json.ts";
import { createFormIssue } from "./issues.ts";
import type { ItemCollector } from "./item-collector.ts";
import { type Context, SCHEMA_ORG_CONTEXT, allowsSchemaOrg, parseContext, toSchemaName } from "./json-ld-context.ts";
import type { StructuredValue } from "./structured-item.ts";

const BLANKS_PATTERN = /[ \t\n\r]*/y;
const ESCAPE_PATTERN = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR_PATTERN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** JSON strings must escape lower code units. */
const FIRST_PRINTABLE = 0x20;

type ExpectedToken = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

/** 0-based offset (RFC 8259); the text's length if it ends too early or is valid. */
export function findJsonFault(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: ExpectedToken = "value";
  let at = 0;
  const isIn = (): ExpectedToken => (open.length === 0 ? "nothing" : "comma or end");
  for (;;) {
    at = skipPattern(BLANKS_PATTERN, text, at);
    const character = text[at];
    if (character === undefined) return at;
    if (expected === "nothing") return at;
    if (expected === "colon") {
      if (character !== ":") return at;
      expected = "value";
      at++;
    } else if (character === "}" || character === "]") {
      const isEnd = expected === "comma or end" || expected === (character === "}" ? "key or end" : "value or end");
      if (!isEnd || open.pop() !== (character === "}" ? "{" : "[")) return at;
      expected = isIn();
      at++;
    } else if (expected === "comma or end") {
      if (character !== ",") return at;
      expected = open.at(-1) === "{" ? "key" : "value";
      at++;
    } else if (expected === "key" || expected === "key or end") {
      const end = character === '"' ? endOfString(text, at) : at;
      if (text[end] !== '"' || end === at) return end;
      expected = "colon";
      at = end + 1;
    } else if (character === "{" || character === "[") {
      open.push(character);
      expected = character === "{" ? "key or end" : "value or end";
      at++;
    } else {
      const end = character === '"' ? endOfString(text, at) : skipPattern(SCALAR_PATTERN, text, at);
      if (character === '"' ? text[end] !== '"' : end === at) return end;
      expected = isIn();
      at = character === '"' ? end + 1 : end;
    }
  }
}

/** Offset of the closing quote, or of the first invalid character. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    while (text.charCodeAt(at) >= FIRST_PRINTABLE && text[at] !== '"' && text[at] !== "\\") at++;
    if (text[at] !== "\\") return at;
    const end = skipPattern(ESCAPE_PATTERN, text, at);
    if (end === at) return at;
    at = end;
  }
}

function skipPattern(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Empty if order is lost: JavaScript puts numeric keys first and keeps the last of duplicates. */
function locateObjects(text: string, parsed: unknown): ReadonlyMap<object, number> {
  const offsets = findBraceOffsets(text);
  const located = new Map<object, number>();
  return assignOffsets(parsed, offsets, located) && located.size === offsets.length ? located : new Map();
}

function assignOffsets(value: unknown, offsets: readonly number[], located: Map<object, number>): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => assignOffsets(one, offsets, located));
  const offset = offsets[located.size];
  if (offset === undefined) return false;
  located.set(value, offset);
  return Object.entries(value).every(([key, one]) => !/^\d+$/.test(key) && assignOffsets(one, offsets, located));
}

function findBraceOffsets(text: string): number[] {
  const offsets: number[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (character === "\\" && isInString) at++;
    else if (character === "{" && !isInString) offsets.push(at);
  }
  return offsets;
}

type JsonObject = Readonly<Record<string, unknown>>;

interface BlockReader {
  collector: ItemCollector;
  at(object: object): number;
}

/** parseJson bounds the nesting. */
export function readJsonLd(block: { text: string; offset: number }, collector: ItemCollector): void {
  let parsed: unknown;
  try {
    parsed = parseJson(block.text);
  } catch (error) {
    collector.report(
      error instanceof NestingTooDeep ? createFormIssue("nested_too_deep", block) : createNotJsonIssue(block),
    );
    return;
  }
  const offsets = locateObjects(block.text, parsed);
  const reader = { collector, at: (object: object) => block.offset + (offsets.get(object) ?? 0) };
  const objects = toArray(parsed).filter(isObject);
  if (objects.length === 0) collector.report(createFormIssue("not_an_object", block));
  for (const object of objects) readTopLevel(object, reader, undefined);
}

function createNotJsonIssue(block: { text: string; offset: number }): ReturnType<typeof createFormIssue> {
  const offset = findJsonFault(block.text);
  const before = block.text.slice(0, offset).split("\n");
  const where = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return createFormIssue(
    "not_json",
    { offset: block.offset + offset },
    {
      message:
        offset === block.text.length
          ? `The block ends at ${where}, before its JSON is complete.`
          : `The block has a JSON syntax error at ${where}.`,
    },
  );
}

function readTopLevel(object: JsonObject, block: BlockReader, outer: Context | undefined): void {
  const context = resolveContext(object, block, outer);
  const graph = object["@graph"];
  const names = Object.keys(object).filter((key) => key !== "@context" && key !== "@graph" && key !== "@id");
  if (graph === undefined || names.length > 0) readItem(object, block, context, true);
  for (const one of toArray(graph).filter(isObject)) readTopLevel(one, block, context);
}

/** A missing context counts as schema.org, with an issue. */
function resolveContext(object: JsonObject, block: BlockReader, outer: Context | undefined): Context {
  const context = parseContext(object["@context"], outer);
  const subject = { offset: block.at(object), type: listTexts(object["@type"])[0] };
  const { collector } = block;
  if (context.isNonstandard && context !== outer) collector.report(createFormIssue("context_form", subject));
  if (allowsSchemaOrg(context) || context === outer) return context;
  if (object["@context"] === undefined) {
    collector.report(createFormIssue("no_context", subject));
    return SCHEMA_ORG_CONTEXT;
  }
  collector.report(
    createFormIssue(outer && allowsSchemaOrg(outer) ? "contradicting_context" : "foreign_context", subject),
  );
  return context;
}

function readItem(object: JsonObject, block: BlockReader, context: Context, isTopLevel: boolean) {
  const { collector } = block;
  const id = listTexts(object["@id"] ?? (context.isSchemaOrg ? object["id"] : undefined))[0] ?? null;
  const item = collector.beginItem({ id, offset: block.at(object), format: "json_ld", isTopLevel });
  if (!item) return undefined;
  item.isMixed ||= context.isMixed;
  item.isForeign ||= !allowsSchemaOrg(context);
  for (const [key, value] of Object.entries(object)) {
    if (key === "@type" || (key === "type" && context.isSchemaOrg)) {
      const names = listTexts(value).map((name) => toSchemaName(name, context));
      const known = names.filter((name) => name !== null);
      item.types.push(...known.filter((name) => !item.types.includes(name)).slice(0, 20 - item.types.length));
      item.isMixed ||= known.length < names.length;
      if (known.length === 0 && names.length > 0) item.isForeign = true;
    } else if (!key.startsWith("@") && !(context.isSchemaOrg && key === "id")) {
      const property = toSchemaName(key, context);
      if (property === null) continue;
      for (const one of readValues(value, block, context)) collector.addValue(item, property, one);
    }
  }
  return item;
}

function readValues(value: unknown, block: BlockReader, context: Context): StructuredValue[] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [value];
  if (Array.isArray(value)) return value.flatMap((one) => readValues(one, block, context));
  if (!isObject(value)) return [];
  if ("@value" in value) return readValues(value["@value"], block, context);
  if ("@list" in value) return readValues(value["@list"], block, context);
  if ("@set" in value) return readValues(value["@set"], block, context);
  const inner = "@context" in value ? resolveContext(value, block, context) : context;
  const keys = Object.keys(value).filter((key) => key !== "@context");
  const id = value["@id"] ?? (inner.isSchemaOrg ? value["id"] : undefined);
  if (keys.length === 1 && typeof id === "string") return [{ reference: id }];
  const item = readItem(value, block, inner, false);
  return item === undefined ? [] : [item];
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const listTexts = (value: unknown): string[] => toArray(value).filter((one) => typeof one === "string");

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
