/** In lower case, without the final full stop. */
const ABBREVIATIONS = new Set(
  "approx bzw ca cf co corp dr e.g etc evtl fig ggf i.e inc inkl jr ltd max min mr mrs ms nr no p.ex prof resp sr sra st u.a u.s usw vgl vs z.b z.t".split(
    " ",
  ),
);
const MAX_SENTENCES = 1000;

/** Line breaks end a sentence; points in numbers or after abbreviations do not. Linear. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  const end = (to: number) => {
    const sentence = text.slice(start, to).trim();
    if (sentence !== "") sentences.push(sentence);
    start = to;
  };
  for (const { index, 0: mark } of text.matchAll(/[.!?…。！？\n]/g)) {
    if (sentences.length >= MAX_SENTENCES) return sentences;
    const after = skipQuotes(text, index + 1);
    if (mark === "\n") end(index);
    else if ("。！？".includes(mark)) end(after);
    else if (after >= text.length || /\s/.test(text.charAt(after))) {
      if (mark !== "." || !isInsideSentence(text, index, after)) end(after);
    }
  }
  end(text.length);
  return sentences;
}

/** Marks after the full stop. */
const FOOTNOTE_MARK_PATTERN = /(?:\[[^[\]\s]{1,12}\]|[¹²³⁰⁴-⁹]){0,5}/y;

function skipQuotes(text: string, index: number): number {
  let after = index;
  while (after < text.length && after < index + 3 && "\"'”’»)」』".includes(text.charAt(after))) after += 1;
  FOOTNOTE_MARK_PATTERN.lastIndex = after;
  return after + (FOOTNOTE_MARK_PATTERN.exec(text)?.[0].length ?? 0);
}

/** The point of an abbreviation, an initial, or an ordinal such as "1. Januar". */
function isInsideSentence(text: string, point: number, after: number): boolean {
  const before = /[^\s("]{1,12}$/.exec(text.slice(Math.max(0, point - 12), point))?.[0] ?? "";
  if (ABBREVIATIONS.has(before.toLowerCase()) || /^\p{Lu}$/u.test(before)) return true;
  return /^\d{1,2}$/.test(before) && /^\s+\p{L}/u.test(text.slice(after, after + 4)) && after < text.length;
}
