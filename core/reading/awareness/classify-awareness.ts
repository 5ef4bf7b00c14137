import type { Awareness } from "../capture.ts";
import { buildAliasIndex } from "../aliases/alias-index.ts";
import {
  QUESTION_TO_USER_PATTERN,
  NAME_CONFUSED_PATTERN,
  NAME_DEFINED,
  PRONOUN_DEFINED,
  NAME_GUESSED_PATTERN,
  IGNORANCE_RULES,
  NAME_LITTLE_KNOWN_PATTERN,
  NAME_PLACEHOLDER,
  LEADING_NO_PATTERN,
  LEADING_YES_PATTERN,
  CONDITIONAL_CLAUSE,
  NAME_UNKNOWN_PATTERN,
} from "./awareness-words.ts";
import { findAliases } from "../aliases/find-aliases.ts";
import { isOtherCategory } from "./is-other-category.ts";
import { SENTENCE_END_PATTERN } from "../prompt-echoes.ts";
import { foldText, toOriginalOffset } from "../aliases/text-folding.ts";

/** Name in an aided prompt: a brand with its aliases, or an invented look-alike. */
export interface AidedName {
  name: string;
  aliases?: readonly string[] | undefined;
  /** Without a category, the kind of thing that a definition names is not checked. */
  category?: string | undefined;
}

/** Max text searched, in code units: answers state early whether they know a name. */
const MAX_READ_LENGTH = 4_000;
const MAX_SENTENCES = 40;

type SentenceKind =
  | "unknown"
  | "confused"
  | "guessed"
  | "defined"
  | "little"
  | "named"
  | "asked"
  | "asks_back"
  | "nothing";

interface Sentence {
  start: number;
  end: number;
  text: string;
  kind: SentenceKind;
}

/** Pure. A change of these rules needs a new READING_VERSION. */
export function classifyAwareness(text: string, name: AidedName): Awareness {
  const folded = foldText(text.slice(0, MAX_READ_LENGTH));
  const covered = maskNames(folded, name);
  const sentences = splitSentences(covered);
  const verdict = (sentence: Sentence | undefined, says: Awareness["verdict"]): Awareness => ({
    verdict: says,
    start: sentence ? toOriginalOffset(folded, sentence.start) : 0,
    end: sentence ? toOriginalOffset(folded, sentence.end) : 0,
  });
  const findFirst = (...kinds: SentenceKind[]) => sentences.find(({ kind }) => kinds.includes(kind));
  const unknown = findFirst("unknown");
  const first = findFirst("confused", "guessed", "defined");
  if (first?.kind === "defined") {
    const category = foldText(name.category ?? "").lower;
    const isOther = category !== "" && isOtherCategory(extractDefinition(first.text), covered, category);
    return verdict(first, isOther ? "confused" : "recognised");
  }
  if (unknown) return verdict(unknown, "not_recognised");
  if (first) return verdict(first, first.kind === "confused" ? "confused" : "not_recognised");
  const negative = findFirst("little", "asks_back");
  if (negative) return verdict(negative, "not_recognised");
  const named = findFirst("named");
  if (named) return verdict(named, "recognised");
  // Recognised if a bare phrase answers a question before it: "What is X? A maker of shoes."
  const question = findFirst("asked");
  const answer = question && sentences.find(({ start, kind }) => start > question.start && kind === "nothing");
  return verdict(answer, answer ? "recognised" : "not_recognised");
}

/** Folded text with placeholders for the name and the quotes and marks around it. */
function maskNames(folded: ReturnType<typeof foldText>, { name, aliases = [] }: AidedName): string {
  const index = buildAliasIndex([name, ...aliases].map((text) => ({ brand: 0, text, isCaseSensitive: false })));
  let covered = folded.lower;
  for (const { start, end } of findAliases(folded, index, { masks: [], accept: () => true })) {
    covered = covered.slice(0, start) + NAME_PLACEHOLDER.repeat(end - start) + covered.slice(end);
  }
  return covered.replaceAll(QUOTES_AROUND_NAME_PATTERN, (marks) => NAME_PLACEHOLDER.repeat(marks.length));
}

const QUOTES_AROUND_NAME_PATTERN = new RegExp(
  `(?<![\\p{L}])["'“”„*_\`「」『』«»]{1,4} ?(?=${NAME_PLACEHOLDER})|(?<=${NAME_PLACEHOLDER}) ?["“”*_\`「」『』«»]{1,4}`,
  "gu",
);

function splitSentences(covered: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of covered.matchAll(/[^\n]+/g)) {
    let from = 0;
    const ends = [...line[0].matchAll(SENTENCE_END_PATTERN)].map(({ index, 0: mark }) => index + mark.length);
    for (const to of [...ends, line[0].length]) {
      const raw = line[0].slice(from, to);
      const text = raw.replace(/^[\s"'“„«*_#>•-]+/, "").trimEnd();
      const start = line.index + from + raw.length - raw.replace(/^[\s"'“„«*_#>•-]+/, "").length;
      from = to;
      if (!/[\p{L}\p{N}\uE000]/u.test(text)) continue;
      const kind = classifySentence(text, sentences);
      sentences.push({ start, end: start + text.length, text, kind });
      // Stops at a verdict that later sentences cannot change.
      const isDecided =
        kind === "defined" && sentences.every((one) => one.kind !== "confused" && one.kind !== "guessed");
      if (isDecided || sentences.length === MAX_SENTENCES) return sentences;
    }
  }
  return sentences;
}

function classifySentence(text: string, before: readonly Sentence[]): SentenceKind {
  const isFirst = before.length === 0;
  const isAbout = text.includes(NAME_PLACEHOLDER) || isNameEstablished(before);
  const unknown = NAME_UNKNOWN_PATTERN.exec(text);
  if (unknown) return hasDefinitionBesideDenial(text, unknown) ? "defined" : "unknown";
  if (isFirst && LEADING_NO_PATTERN.test(text)) return "unknown";
  if (NAME_CONFUSED_PATTERN.test(text)) return "confused";
  if (NAME_LITTLE_KNOWN_PATTERN.test(text)) return "little";
  if (NAME_GUESSED_PATTERN.test(text)) return "guessed";
  if (QUESTION_TO_USER_PATTERN.test(text)) return "asks_back";
  if (/[?？]$|(?:です|ます|でしょう)か。?$/.test(text)) return text.includes(NAME_PLACEHOLDER) ? "asked" : "nothing";
  const defined = isAbout ? NAME_DEFINED.exec(text) : null;
  if (defined && !CONDITIONAL_CLAUSE.test(text.slice(0, defined.index))) return "defined";
  if (isNameEstablished(before) && PRONOUN_DEFINED.test(text)) return "defined";
  if (isFirst && LEADING_YES_PATTERN.test(text)) return "named";
  if (isIgnorant(text)) return "unknown";
  return text.includes(NAME_PLACEHOLDER) ? "named" : "nothing";
}

function isIgnorant(text: string): boolean {
  if (!text.includes(NAME_PLACEHOLDER)) return false;
  return IGNORANCE_RULES.some((by) => by.denies.test(text) && by.speaks.test(text) && !by.isOfAnother.test(text));
}

/** "it" can only be the name: the sentence before is about the name and does not deny knowledge. */
function isNameEstablished(before: readonly Sentence[]): boolean {
  const last = before.at(-1)?.kind;
  return last === "named" || last === "little" || last === "defined";
}

/** A definition next to a denial: "X is a maker of shoes, but I have no information about it". */
function hasDefinitionBesideDenial(text: string, unknown: RegExpExecArray): boolean {
  const head = text.slice(0, unknown.index);
  const defined = NAME_DEFINED.exec(head);
  if (
    defined &&
    /[,;—–]|\b(?:but|though|although|aber|mais|pero)\b/.test(head.slice(defined.index + defined[0].length))
  ) {
    return true;
  }
  const [, rest = ""] =
    /^[^,;–—]*(?:[,;–—]|\bbut\b)\s*(.*)$/su.exec(text.slice(unknown.index + unknown[0].length - 1)) ?? [];
  return (
    !NAME_GUESSED_PATTERN.test(rest) &&
    !NAME_CONFUSED_PATTERN.test(rest) &&
    !CONDITIONAL_CLAUSE.test(`${rest} `) &&
    (PRONOUN_DEFINED.test(rest) || hasNameDefinition(rest))
  );
}

function hasNameDefinition(text: string): boolean {
  const defined = NAME_DEFINED.exec(text);
  return defined !== null && text.includes(NAME_PLACEHOLDER) && !CONDITIONAL_CLAUSE.test(text.slice(0, defined.index));
}

/** Text after "X is a"; in Japanese, with its final verb, the whole definition. */
function extractDefinition(text: string): string {
  const defined = NAME_DEFINED.exec(text) ?? PRONOUN_DEFINED.exec(text);
  if (!defined) return text;
  return /[\p{Script=Hiragana}]/u.test(text)
    ? text.slice(defined.index)
    : text.slice(defined.index + defined[0].length);
}
