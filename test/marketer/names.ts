import { distance } from "fastest-levenshtein";
import { stem, stemsOf } from "./words.ts";

// Names known to the player: those in results, and those in the question.

export type Fields = Record<string, unknown>;

/** A listed thing: its kind (stems of "recommended action") and name. */
export interface ListedItem {
  kind: string;
  label: string;
  row: Fields;
}

/** A kind as it is compared: `list_brands`, `brands` and `brand_ids` are all "brand". */
export function kindOf(name: string): string {
  return stemsOf(name.replace(/^(?:list|get)_/, "").replace(/_(?:ids?|names)$/, "")).join(" ");
}

/** Everything with a name that a tool's result lists. */
export function listItems(tool: string, result: unknown): ListedItem[] {
  if (!isFields(result)) return [];
  return Object.entries(result).flatMap(([key, value]) =>
    isFields(value) ? listItems(key, value) : rowsOf(value, kindOf(key === "data" ? tool : key)),
  );
}

function rowsOf(value: unknown, kind: string): ListedItem[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isFields).flatMap((row) => {
    const label = Object.entries(row).find(([key]) => /^(?:name|text|title)$|_(?:name|text|label)$/.test(key))?.[1];
    const number = typeof row["number"] === "number" ? String(row["number"]) : undefined;
    const called = typeof label === "string" ? label : (number ?? "");
    return [{ kind, label: called, row }, ...rowsOf(row["children"], kind)];
  });
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A word, and whether it is written as a name: capitalised inside a sentence, or quoted. */
interface Word {
  text: string;
  stem: string;
  isName: boolean;
  isNegated: boolean;
  isBefore: boolean;
}

/** A name in the question with its stated kind: "the topic Gardens". */
export interface MentionedName {
  text: string;
  kind: string | undefined;
  isNegated: boolean;
  isBefore: boolean;
}

const NEGATIONS = /^(?:not|without|never|no|nor|but|except)$/i;
const GROUPING_WORDS = /^(?:all|by|each|every|per|which)$/i;
/** Max words between a negation and its target. */
const MAX_NEGATION_DISTANCE = 2;

const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
const PARTS = new RegExp(`"([^"]+)"|${WORD.source}|[.?!:]`, "gu");

function wordsOf(text: string, isBefore: boolean): Word[] {
  const parts = [...text.matchAll(PARTS)].flatMap(([part, quoted]) =>
    (quoted?.match(WORD) ?? [part]).map((word) => ({ word, isQuoted: quoted !== undefined })),
  );
  return parts.flatMap(({ word, isQuoted }, at) => {
    if (/^[.?!:]$/.test(word)) return [];
    const begins = at === 0 || /^[.?!:]$/.test(parts[at - 1]?.word ?? "");
    const isNegated = parts.slice(Math.max(0, at - MAX_NEGATION_DISTANCE), at).some((one) => NEGATIONS.test(one.word));
    const isName = isQuoted || (!begins && /^\p{Lu}/u.test(word) && word !== "I");
    return [{ text: word, stem: stem(word.toLowerCase()), isName, isNegated, isBefore }];
  });
}

/** The conversation, word by word. */
export class Utterance {
  readonly words: Word[];

  /** `before` is the text before the question. */
  constructor(before: string, question: string) {
    this.words = [...wordsOf(before, true), ...wordsOf(question, false)];
  }

  /** Index of a name, ignoring case and a typo or two; -1 if absent. */
  find(label: string): number {
    const name = (label.match(WORD) ?? []).map((word) => word.toLowerCase());
    if (name.length === 0) return -1;
    return this.words.findIndex((_word, from) =>
      name.every((part, at) => isMisspelt(this.words[from + at]?.text, part)),
    );
  }

  /**
   * True where the question asks for something by this word: "which source", "each source", "all
   * collects".
   */
  asksBy(word: string): boolean {
    return this.words.some((one, at) => GROUPING_WORDS.test(this.words[at - 1]?.text ?? "") && one.stem === stem(word));
  }

  /** The question without names and their kinds. */
  subject(kinds: ReadonlySet<string>): string {
    const isKind = (at: number) => kinds.has(this.words[at]?.stem ?? "");
    const isNamed = (at: number) => this.words[at]?.isName ?? false;
    const rest = this.words.filter(
      (word, at) => !word.isBefore && !word.isName && !(isKind(at) && (isNamed(at - 1) || isNamed(at + 1))),
    );
    return rest.map(({ text }) => text).join(" ");
  }

  /** Names in the question that match no known thing; `kinds` recognises their kinds. */
  unknownNames(things: readonly ListedItem[], kinds: ReadonlySet<string>): MentionedName[] {
    const known = new Set(things.flatMap(({ label }) => this.placesOf(label)));
    const kindAt = (at: number) => {
      const word = this.words[at];
      return word && !word.isName && kinds.has(word.stem) ? word.stem : undefined;
    };
    const isOpen = (at: number) => {
      const word = this.words[at];
      if (word === undefined || known.has(at)) return false;
      return word.isName || (/^\d+$/.test(word.text) && kindAt(at - 1) !== undefined);
    };
    return this.words.flatMap((word, at): MentionedName[] => {
      if (!isOpen(at) || isOpen(at - 1)) return [];
      let end = at + 1;
      while (isOpen(end)) end += 1;
      const text = this.words.slice(at, end).map((one) => one.text);
      return [{ ...word, text: text.join(" "), kind: kindAt(at - 1) ?? kindAt(end) }];
    });
  }

  /** Indexes of a name's words; empty if absent. */
  placesOf(label: string): number[] {
    const from = this.find(label);
    const length = (label.match(WORD) ?? []).length;
    return from === -1 ? [] : Array.from({ length }, (_, at) => from + at);
  }
}

/** Max typos in a word. */
const maxWrongLetters = (length: number) => (length >= 8 ? 2 : length >= 5 ? 1 : 0);

function isMisspelt(said: string | undefined, name: string): boolean {
  if (said === undefined) return false;
  const word = said.toLowerCase();
  if (word === name || stem(word) === stem(name)) return true;
  return word[0] === name[0] && distance(word, name) <= maxWrongLetters(Math.min(word.length, name.length));
}
