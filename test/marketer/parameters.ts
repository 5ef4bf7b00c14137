import { kindOf, listItems, type Fields, type MentionedName, type Utterance, type ListedItem } from "./names.ts";
import { stemsOf } from "./words.ts";

// How the player fills a tool's parameters: from the question, by the names in it, and from earlier
// results.

/** A parameter as declared in `tools/list`. */
export interface Parameter {
  key: string;
  isRequired: boolean;
  isList: boolean;
  values: string[];
  description: string;
}

/** A tool as in `tools/list`. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  annotations?: { readOnlyHint?: boolean };
  inputSchema: { properties?: Record<string, Schema>; required?: string[] };
  _meta?: Record<string, unknown>;
}

interface Schema {
  type?: string;
  description?: string;
  enum?: string[];
  items?: Schema;
}

/** Parameters for the extent of a list, not its selection. */
const PAGING = new Set(["limit", "cursor", "fields", "include"]);

/** Parameters of a tool without paging. */
export function listParameters({ inputSchema: { properties = {}, required = [] } }: ListedTool): Parameter[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (PAGING.has(key)) return [];
    const values = schema.enum ?? schema.items?.enum ?? [];
    const { type, description = "" } = schema;
    return [{ key, isRequired: required.includes(key), isList: type === "array", values, description }];
  });
}

/** Tool named in a parameter's description. */
export const valueToolOf = ({ description }: Parameter): string | undefined =>
  /\b(?:list|get)_[a-z_]+/.exec(description)?.[0];

/** True for a parameter that accepts names. */
export const takesNames = ({ description }: Parameter): boolean =>
  /\b(?:names?|text),? or (?:the )?ids?\b/i.test(description);

/** True for a parameter about absence: "answers in which this brand does not appear". */
const isNegative = ({ key, description }: Parameter): boolean =>
  /absent|\bnot\b|\bwithout\b/.test(`${key} ${description}`);

/** True where a parameter takes things of a kind. */
export function takes(parameter: Parameter, kind: string): boolean {
  const giver = valueToolOf(parameter);
  return kindOf(parameter.key) === kind || (giver !== undefined && kindOf(giver) === kind);
}

export interface Result {
  tool: string;
  structured: unknown;
}

/** Arguments of a tool, and required parameters without value. */
export interface Filled {
  given: Fields;
  missing: Parameter[];
}

/** The arguments for a tool, as far as the question and the earlier results have them. */
export function fillArguments(
  tool: ListedTool,
  saying: Utterance,
  { results, isCommon, kinds }: PlayerKnowledge,
): Filled {
  const things = results.flatMap(({ tool: giver, structured }) => listItems(giver, structured));
  const parameters = listParameters(tool);
  const named = findNamedItems(things, saying, isCommon);
  const closed = parameters.flatMap((parameter) => closedValues(parameter, saying, isCommon));
  const unknown = saying
    .unknownNames(things, kinds)
    .filter(({ text }) => !closed.some((value) => hasWord(text, value)));
  const given: Fields = {};
  for (const parameter of parameters) {
    const values = [
      ...closedValues(parameter, saying, isCommon),
      ...named.filter((thing) => isMeant(parameter, thing, parameters)).map(({ thing }) => valueOf(parameter, thing)),
      ...unknown.filter((said) => isMeantBy(parameter, said, parameters)).map(({ text }) => text),
      ...findOwnItem(parameter, things, saying),
    ];
    const known =
      values.length > 0 || !parameter.isRequired || parameter.isList ? values : inContext(parameter, things, named);
    if (known.length > 0) given[parameter.key] = parameter.isList ? [...new Set(known)] : known[0];
    else if (parameter.isRequired && /\bempty\b/i.test(parameter.description)) given[parameter.key] = [];
  }
  return { given, missing: parameters.filter(({ key, isRequired }) => isRequired && !(key in given)) };
}

/** The player's knowledge of tools and results. */
export interface PlayerKnowledge {
  results: readonly Result[];
  /** True for a word used by too many tools to identify one. */
  isCommon: (stem: string) => boolean;
  /** Kinds of things that some parameter accepts. */
  kinds: ReadonlySet<string>;
}

interface Named {
  thing: ListedItem;
  isNegated: boolean;
  /** Other kinds that have a thing of this name. */
  kinds: string[];
}

/** Listed things named in the question. A common word must be written as a name. */
export function findNamedItems(
  things: readonly ListedItem[],
  saying: Utterance,
  isCommon: PlayerKnowledge["isCommon"],
): Named[] {
  const found = things.flatMap((thing) => {
    const at = saying.find(thing.label);
    const word = saying.words[at];
    const isPlain = stemsOf(thing.label).every((one) => isCommon(one));
    const isWritten = word?.isName === true || !(isPlain || word?.isBefore);
    return word !== undefined && isWritten ? [{ thing, isNegated: word.isNegated, at }] : [];
  });
  const longest = found.filter(({ thing, at }) => {
    const places = saying.placesOf(thing.label);
    return !found.some((other) => {
      const wider = other.at <= at ? saying.placesOf(other.thing.label) : [];
      return wider.length > places.length && places.every((place) => wider.includes(place));
    });
  });
  return longest.map(({ thing, isNegated }) => ({
    thing,
    isNegated,
    kinds: longest.filter((other) => other.thing.label === thing.label).map((other) => other.thing.kind),
  }));
}

/**
 * Values of a closed list in the question, such as "assistant a" for ASSISTANT_A. Common words can
 * select rows.
 */
function closedValues(
  { values, isList }: Parameter,
  saying: Utterance,
  isCommon: PlayerKnowledge["isCommon"],
): string[] {
  return values.filter((value) => {
    const words = value.replaceAll("_", " ");
    const isPlain = stemsOf(words).length === 1 && stemsOf(words).every(isCommon);
    return isPlain ? isList && saying.asksBy(words) : saying.find(words) !== -1;
  });
}

/** A name fills the first parameter for its kind; negated names fill a parameter about absence. */
function isMeant(parameter: Parameter, { thing, isNegated, kinds }: Named, parameters: readonly Parameter[]): boolean {
  if (parameters.find((one) => isNegative(one) === isNegated && takes(one, thing.kind)) !== parameter) return false;
  return kinds.every((kind) => {
    const rival = parameters.findIndex((one) => takes(one, kind));
    return rival === -1 || rival >= parameters.indexOf(parameter);
  });
}

/**
 * An unlisted name fills the parameter that the question or a description indicates, else the first
 * for names.
 */
function isMeantBy(
  parameter: Parameter,
  { text, kind, isNegated, isBefore }: MentionedName,
  parameters: readonly Parameter[],
): boolean {
  const open = parameters.filter((one) => one.values.length === 0 && isNegative(one) === isNegated);
  const said = parameters.find((one) => (kind === undefined ? hasWord(one.description, text) : takes(one, kind)));
  if (isBefore) return said === parameter && takesNames(parameter);
  return (said ?? open.find((one) => takesNames(one) && !one.isRequired)) === parameter;
}

const hasWord = (text: string, word: string) => ` ${text.replaceAll(/[^\p{L}\p{N}_]+/gu, " ")} `.includes(` ${word} `);

/** The asking person's brand if the question says "not us" or "ours". */
function findOwnItem(parameter: Parameter, things: readonly ListedItem[], saying: Utterance): string[] {
  if (!asksForOwnBrand(parameter, saying)) return [];
  const own = things.find(({ kind, row }) => takes(parameter, kind) && isOwn(row));
  return own ? [valueOf(parameter, own)] : [];
}

/** True if a parameter accepts the person's brand and the question mentions it. */
export function asksForOwnBrand(parameter: Parameter, { words }: Utterance): boolean {
  return words.some(({ text, isNegated }) =>
    isNegative(parameter) ? isNegated && /^(?:us|we|our)$/i.test(text) : /^ours$/i.test(text),
  );
}

const isOwn = (row: Fields) =>
  Object.entries(row).some(([key, value]) => value === "mine" || (/_my_/.test(key) && value === true));

/**
 * Value of a required parameter without a name: a column of a named row, or the first of its kind.
 */
function inContext(parameter: Parameter, things: readonly ListedItem[], named: readonly Named[]): string[] {
  const all = things.filter(({ kind }) => takes(parameter, kind));
  // A description can restrict the kind, such as "a brand_analysis".
  const isMeantHere = ({ row }: ListedItem) =>
    Object.values(row).some(
      (value) => typeof value === "string" && isLabel(value) && hasWord(parameter.description, value),
    );
  const ofKind = all.find(isMeantHere) ?? all[0];
  const rows = [...named.map(({ thing }) => thing.row), ...things.map(({ row }) => row)];
  const column = rows
    .map((row) => row[parameter.key] ?? row[`${parameter.key}_id`])
    .find((value) => typeof value === "string");
  if (typeof column === "string") return [column];
  return ofKind ? [valueOf(parameter, ofKind)] : [];
}

/** A value of a closed list, such as brand_analysis. */
const isLabel = (value: string) => /^[a-z]+(?:_[a-z]+)+$/.test(value);

function valueOf(parameter: Parameter, { label, row }: ListedItem): string {
  const { id } = row;
  return takesNames(parameter) || typeof id !== "string" ? label : id;
}
