import type { Span } from "../reading/capture.ts";

/** Where a sentence ends inside a line: behind its mark, not behind "e.g.", and in Japanese without a space. */
const GAP =
  /(?<=(?<!\b(?:e\.g|i\.e|vs|approx|ca|bzw|z\.\s?B|etc|Dr|Mr|St))[.!?]["”’»)*\]]?)\s+(?=["“„«¿¡(*\p{Lu}])|(?<=[。！？])/gu;

/** The sentences of a stretch of one line, without the space between them. */
export function sentencesIn(text: string, { start, end }: Span): Span[] {
  const sentences: Span[] = [];
  let from = start;
  for (const gap of text.slice(start, end).matchAll(GAP)) {
    sentences.push({ start: from, end: start + gap.index });
    from = start + gap.index + gap[0].length;
  }
  sentences.push({ start: from, end });
  return sentences.filter((sentence) => text.slice(sentence.start, sentence.end).trim() !== "");
}
