/** A sentence, heading or list item of a text, with where it stands. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
  kind: "plain" | "heading" | "item";
  isQuestion: boolean;
  /** Folded words, in their order. */
  words: string[];
  /** Its words without common endings. */
  stems: string[];
  /** True if it carries a figure, a link or a source. */
  hasEvidence: boolean;
  heading: Sentence | undefined;
}

const MARKER = /^(?:(#{1,6})\s+|(?:[-*•]|\d{1,3}[.)])\s+|>\s+)/;
const WORDS = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
// A number that measures: with a unit, a percent sign, a currency, or of two digits and more.
const EVIDENCE =
  /\d[.,]*\s?(?:%|€|\$|£|percent|years?|hours?|days?|months?|weeks?|kg|km|mm|cm|gb|mah|stars?)|[$€£]\s?\d|\d{2,}|https?:\/\/|\[[^[\]\n]+\]\([^()\s]+(?:\([^()\s]*)?\)/iu;

/** Words under NFKD, without marks, in lower case: the same word in any spelling of its letters. */
export function foldWords(text: string): string[] {
  return (text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(WORDS) ?? []).map((word) =>
    word.replace(/['’]s?$/, ""),
  );
}

const ENDING = /(?:ations?|ingly|ments?|ness|ities|ity|ings?|edly|ies|ied|ers?|est|ely|ed|ly|es|en|s|e|y)$/;

/** A word without a common ending, if at least four letters are left of it. */
export function stemOf(word: string): string {
  const stem = word.replace(ENDING, "");
  return stem.length >= 4 ? stem : word;
}

/** Sentences of a text: of each line, what ends with a full stop, a question mark or an exclamation mark. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading: Sentence | undefined;
  for (const line of text.matchAll(/[^\n]+/g)) {
    const marker = MARKER.exec(line[0].trimStart());
    const kind = marker ? (marker[1] === undefined ? "item" : "heading") : "plain";
    const lead = line[0].length - line[0].trimStart().length + (marker?.[0].length ?? 0);
    for (const part of line[0]
      .slice(lead)
      .matchAll(/[^.!?。！？]+(?:[.!?。！？]+(?!\s|$)[^.!?。！？]+)*[.!?。！？]*/gu)) {
      const trimmed = part[0].trim();
      const words = foldWords(trimmed);
      if (words.length === 0) continue;
      const start = line.index + lead + part.index + (part[0].length - part[0].trimStart().length);
      const sentence: Sentence = {
        start,
        end: start + trimmed.length,
        text: trimmed,
        kind,
        isQuestion: /[?？]$/.test(trimmed),
        words,
        stems: words.map(stemOf),
        hasEvidence: EVIDENCE.test(trimmed),
        heading,
      };
      sentences.push(sentence);
      if (kind === "heading") heading = sentence;
    }
  }
  return sentences;
}
