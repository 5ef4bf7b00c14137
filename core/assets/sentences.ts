export interface Sentence {
  start: number;
  end: number;
  text: string;
  kind: "plain" | "heading" | "item";
  isQuestion: boolean;
  /** Folded words in order. */
  words: string[];
  stems: string[];
  /** True if it contains a figure, link or source. */
  hasEvidence: boolean;
  heading: Sentence | undefined;
}

const LINE_MARKER_PATTERN = /^(?:(#{1,6})\s+|(?:[-*•]|\d{1,3}[.)])\s+|>\s+)/;
const WORD_PATTERN = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
// A number with unit, percent sign or currency, or of at least two digits.
const EVIDENCE_PATTERN =
  /\d[.,]*\s?(?:%|€|\$|£|percent|years?|hours?|days?|months?|weeks?|kg|km|mm|cm|gb|mah|stars?)|[$€£]\s?\d|\d{2,}|https?:\/\/|\[[^[\]\n]+\]\([^()\s]+(?:\([^()\s]*)?\)/iu;

/** Words in NFKD without marks, in lower case. */
export function foldWords(text: string): string[] {
  return (text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().match(WORD_PATTERN) ?? []).map((word) =>
    word.replace(/['’]s?$/, ""),
  );
}

const WORD_ENDING_PATTERN =
  /(?:ations?|ingly|ments?|ness|ities|ity|ings?|edly|ies|ied|ers?|est|ely|ed|ly|es|en|s|e|y)$/;

/** Strips a common ending if at least four letters remain. */
export function stemWord(word: string): string {
  const stem = word.replace(WORD_ENDING_PATTERN, "");
  return stem.length >= 4 ? stem : word;
}

/** Splits each line into sentences at full stops, question marks and exclamation marks. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading: Sentence | undefined;
  for (const line of text.matchAll(/[^\n]+/g)) {
    const marker = LINE_MARKER_PATTERN.exec(line[0].trimStart());
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
        stems: words.map(stemWord),
        hasEvidence: EVIDENCE_PATTERN.test(trimmed),
        heading,
      };
      sentences.push(sentence);
      if (kind === "heading") heading = sentence;
    }
  }
  return sentences;
}
