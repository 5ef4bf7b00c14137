import type { Awareness } from "../capture.ts";
import { buildAliasIndex } from "../aliases/alias-index.ts";
import {
  ASKS_BACK,
  CONFUSED,
  DEFINED,
  DEFINED_SO,
  GUESS,
  IGNORANCES,
  LITTLE_KNOWN,
  NAME,
  SAYS_NO,
  SAYS_YES,
  SUPPOSES,
  UNKNOWN,
} from "./awareness-words.ts";
import { findAliases } from "../aliases/find-aliases.ts";
import { isOfAnotherKind } from "./kinds-of-things.ts";
import { SENTENCE_END } from "../prompt-echoes.ts";
import { foldText, originalOffset } from "../aliases/text-folding.ts";

/** Name in an aided prompt: a brand with its aliases, or an invented look-alike. */
export interface AskedName {
  name: string;
  aliases?: readonly string[] | undefined;
  /** Category of the analysis; without it, the kind of thing is not checked. */
  category?: string | undefined;
}

/** Max text searched, in code units: answers state early whether they know a name. */
const LONGEST_READ = 4_000;
const MOST_SENTENCES = 40;

type Says = "unknown" | "confused" | "guessed" | "defined" | "little" | "named" | "asked" | "asks_back" | "nothing";

interface Sentence {
  start: number;
  end: number;
  text: string;
  says: Says;
}

/**
 * Classifies the answer to an aided prompt. Pure. A change of these rules needs a new
 * READING_VERSION.
 */
export function readAwareness(text: string, asked: AskedName): Awareness {
  const folded = foldText(text.slice(0, LONGEST_READ));
  const covered = coverNames(folded, asked);
  const sentences = sentencesOf(covered);
  const verdict = (sentence: Sentence | undefined, says: Awareness["verdict"]): Awareness => ({
    verdict: says,
    start: sentence ? originalOffset(folded, sentence.start) : 0,
    end: sentence ? originalOffset(folded, sentence.end) : 0,
  });
  const firstOf = (...kinds: Says[]) => sentences.find(({ says }) => kinds.includes(says));
  const unknown = firstOf("unknown");
  const first = firstOf("confused", "guessed", "defined");
  if (first?.says === "defined") {
    const category = foldText(asked.category ?? "").lower;
    const isOther = category !== "" && isOfAnotherKind(definitionIn(first.text), covered, category);
    return verdict(first, isOther ? "confused" : "recognised");
  }
  if (unknown) return verdict(unknown, "not_recognised");
  if (first) return verdict(first, first.says === "confused" ? "confused" : "not_recognised");
  const negative = firstOf("little", "asks_back");
  if (negative) return verdict(negative, "not_recognised");
  const named = firstOf("named");
  if (named) return verdict(named, "recognised");
  // "What is X? A maker of shoes."
  const question = firstOf("asked");
  const answer = question && sentences.find(({ start, says }) => start > question.start && says === "nothing");
  return verdict(answer, answer ? "recognised" : "not_recognised");
}

/** Folded text with placeholders for the name and the quotes and marks around it. */
function coverNames(folded: ReturnType<typeof foldText>, { name, aliases = [] }: AskedName): string {
  const index = buildAliasIndex([name, ...aliases].map((text) => ({ brand: 0, text, caseSensitive: false })));
  let covered = folded.lower;
  for (const { start, end } of findAliases(folded, index, { masks: [], accept: () => true })) {
    covered = covered.slice(0, start) + NAME.repeat(end - start) + covered.slice(end);
  }
  return covered.replaceAll(QUOTED, (marks) => NAME.repeat(marks.length));
}

const QUOTED = new RegExp(
  `(?<![\\p{L}])["'“”„*_\`「」『』«»]{1,4} ?(?=${NAME})|(?<=${NAME}) ?["“”*_\`「」『』«»]{1,4}`,
  "gu",
);

function sentencesOf(covered: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of covered.matchAll(/[^\n]+/g)) {
    let from = 0;
    const ends = [...line[0].matchAll(SENTENCE_END)].map(({ index, 0: mark }) => index + mark.length);
    for (const to of [...ends, line[0].length]) {
      const raw = line[0].slice(from, to);
      const text = raw.replace(/^[\s"'“„«*_#>•-]+/, "").trimEnd();
      const start = line.index + from + raw.length - raw.replace(/^[\s"'“„«*_#>•-]+/, "").length;
      from = to;
      if (!/[\p{L}\p{N}\uE000]/u.test(text)) continue;
      const says = saidIn(text, sentences);
      sentences.push({ start, end: start + text.length, text, says });
      // Later sentences cannot change the verdict.
      const isDecided =
        says === "defined" && sentences.every((one) => one.says !== "confused" && one.says !== "guessed");
      if (isDecided || sentences.length === MOST_SENTENCES) return sentences;
    }
  }
  return sentences;
}

function saidIn(text: string, before: readonly Sentence[]): Says {
  const isFirst = before.length === 0;
  const isAbout = text.includes(NAME) || isEstablished(before);
  const unknown = UNKNOWN.exec(text);
  if (unknown) return definesBeside(text, unknown) ? "defined" : "unknown";
  if (isFirst && SAYS_NO.test(text)) return "unknown";
  if (CONFUSED.test(text)) return "confused";
  if (LITTLE_KNOWN.test(text)) return "little";
  if (GUESS.test(text)) return "guessed";
  if (ASKS_BACK.test(text)) return "asks_back";
  if (/[?？]$|(?:です|ます|でしょう)か。?$/.test(text)) return text.includes(NAME) ? "asked" : "nothing";
  const defined = isAbout ? DEFINED.exec(text) : null;
  if (defined && !SUPPOSES.test(text.slice(0, defined.index))) return "defined";
  if (isEstablished(before) && DEFINED_SO.test(text)) return "defined";
  if (isFirst && SAYS_YES.test(text)) return "named";
  if (isIgnorant(text)) return "unknown";
  return text.includes(NAME) ? "named" : "nothing";
}

function isIgnorant(text: string): boolean {
  if (!text.includes(NAME)) return false;
  return IGNORANCES.some((by) => by.denies.test(text) && by.speaks.test(text) && !by.isOfAnother.test(text));
}

/**
 * True if "it" can only be the name: the sentence before is about it and does not deny knowledge.
 */
function isEstablished(before: readonly Sentence[]): boolean {
  const last = before.at(-1)?.says;
  return last === "named" || last === "little" || last === "defined";
}

/**
 * True for a definition next to a denial: "X is a maker of shoes, but I have no information about
 * it".
 */
function definesBeside(text: string, unknown: RegExpExecArray): boolean {
  const head = text.slice(0, unknown.index);
  const defined = DEFINED.exec(head);
  if (
    defined &&
    /[,;—–]|\b(?:but|though|although|aber|mais|pero)\b/.test(head.slice(defined.index + defined[0].length))
  ) {
    return true;
  }
  const [, rest = ""] =
    /^[^,;–—]*(?:[,;–—]|\bbut\b)\s*(.*)$/su.exec(text.slice(unknown.index + unknown[0].length - 1)) ?? [];
  return (
    !GUESS.test(rest) &&
    !CONFUSED.test(rest) &&
    !SUPPOSES.test(`${rest} `) &&
    (DEFINED_SO.test(rest) || definesName(rest))
  );
}

function definesName(text: string): boolean {
  const defined = DEFINED.exec(text);
  return defined !== null && text.includes(NAME) && !SUPPOSES.test(text.slice(0, defined.index));
}

/** Text after "X is a"; in Japanese, with its final verb, the whole definition. */
function definitionIn(text: string): string {
  const defined = DEFINED.exec(text) ?? DEFINED_SO.exec(text);
  if (!defined) return text;
  return /[\p{Script=Hiragana}]/u.test(text)
    ? text.slice(defined.index)
    : text.slice(defined.index + defined[0].length);
}
