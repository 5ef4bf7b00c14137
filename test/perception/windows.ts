import type { Mention } from "../../core/reading/capture.ts";

/** A stretch of a text, in UTF-16 code units, end exclusive. */
export interface Stretch {
  start: number;
  end: number;
}

/** Longer lines are tables whose cells and rows the capture ran together. */
const LONGEST_PLAIN_LINE = 700;
const SENTENCE_END = /(?<=[.!?][”"’)]?)\s+(?=[\p{Lu}“"(*])|\n+/gu;

/**
 * The span shown to an annotator for a mention: product card, table row, list item or paragraph.
 * It only bounds what is marked; no reading uses it.
 */
export function windowOf(text: string, mention: Stretch, mentions: readonly Mention[]): Stretch {
  const line = lineAt(text, mention.start);
  if (text.slice(line.start, line.end).includes("+ weitere")) return cardOf(text, mention, line);
  if (line.end - line.start > LONGEST_PLAIN_LINE) return rowOf(text, mention, line, mentions);
  return itemOf(text, line);
}

/** True if an offset is in a strip of product cards (name, price and shop run together). */
export function isCard(text: string, start: number): boolean {
  const line = lineAt(text, start);
  return text.slice(line.start, line.end).includes("+ weitere");
}

function lineAt(text: string, offset: number): Stretch {
  const end = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: end === -1 ? text.length : end };
}

function cardOf(text: string, mention: Stretch, line: Stretch): Stretch {
  const seam = text.lastIndexOf("+ weitere", mention.start);
  const start = Math.max(line.start, seam === -1 ? 0 : seam + "+ weitere".length);
  const next = text.indexOf("+ weitere", mention.start);
  return { start, end: next === -1 || next > line.end ? line.end : next };
}

/**
 * From the name that a row begins with, glued to the cell before it, to the next such name of
 * another row.
 */
function rowOf(text: string, mention: Stretch, line: Stretch, mentions: readonly Mention[]): Stretch {
  const seams = mentions
    .map(({ start }) => start)
    .filter((start) => start >= line.start && start < line.end && /[^\s(/“"'’‑-]$/.test(text.slice(line.start, start)));
  const start = seams.findLast((seam) => seam <= mention.start) ?? line.start;
  const end = seams.find((seam) => seam > mention.start) ?? line.end;
  return { start, end };
}

/** The line, and for a short line also the following lines up to the next empty one. */
function itemOf(text: string, line: Stretch): Stretch {
  const before = text.lastIndexOf("\n\n", line.start - 1);
  const blockStart = before === -1 ? 0 : before + 2;
  const after = text.indexOf("\n\n", line.start);
  const blockEnd = after === -1 ? text.length : after;
  const head = lineAt(text, blockStart);
  const titled = head.end - head.start <= 60 && !/[.:!?]$/.test(text.slice(head.start, head.end).trim());
  const wanted = titled && blockEnd - blockStart <= 1_500 ? { start: blockStart, end: blockEnd } : line;
  return wanted.end > wanted.start ? wanted : line;
}

export function sentencesOf(text: string, { start, end }: Stretch): Stretch[] {
  const sentences: Stretch[] = [];
  let from = start;
  for (const gap of text.slice(start, end).matchAll(SENTENCE_END)) {
    sentences.push({ start: from, end: start + gap.index });
    from = start + gap.index + gap[0].length;
  }
  if (from < end) sentences.push({ start: from, end });
  return sentences;
}
