import { html, type Html } from "../../http/pages/html.ts";

/** A part of a text that is marked: where it is (UTF-16 code units, end exclusive), how, and what it is for who hears it. */
export interface Mark {
  start: number;
  end: number;
  kind: "own" | "rival" | "pro" | "con" | "cited";
  label: string;
}

/** As long as what is said of a mark can be. */
const LABEL = 80;

/** A text with its marks. They may overlap: each stretch of the text has all that cover it; where one begins it is told. */
export function markedText(text: string, marks: readonly Mark[]): Html {
  const within = marks.filter(({ start, end }) => start >= 0 && end <= text.length && start < end);
  const ends = new Set([0, text.length, ...within.flatMap(({ start, end }) => [start, end])]);
  const bounds = [...ends].toSorted((a, b) => a - b);
  return html`${bounds.slice(1).map((to, at) => stretch(text, { from: bounds[at] ?? 0, to }, within))}`;
}

function stretch(text: string, { from, to }: { from: number; to: number }, marks: readonly Mark[]): Html {
  const covering = marks.filter(({ start, end }) => start <= from && end >= to);
  const words = text.slice(from, to);
  if (covering.length === 0) return html`${words}`;
  const kinds = [...new Set(covering.map(({ kind }) => `mark-${kind}`))].join(" ");
  const beginning = covering.filter(({ start }) => start === from).map(({ label }) => label.slice(0, LABEL));
  const told = beginning.length > 0 && html`<span class="unseen">[${beginning.join("; ")}]</span>`;
  return html`<mark class="${kinds}">${told}${words}</mark>`;
}
