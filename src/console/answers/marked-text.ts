import { html, type Html } from "../../http/pages/html.ts";

/** Range in UTF-16 code units, end exclusive. The label is for screen readers. */
export interface TextMark {
  start: number;
  end: number;
  kind: "own" | "rival" | "pro" | "con" | "cited";
  label: string;
}

const MAX_LABEL_LENGTH = 80;

/** Segments have the styles of all their marks; each mark is announced where it starts. */
export function renderMarkedText(text: string, marks: readonly TextMark[]): Html {
  const within = marks.filter(({ start, end }) => start >= 0 && end <= text.length && start < end);
  const ends = new Set([0, text.length, ...within.flatMap(({ start, end }) => [start, end])]);
  const bounds = [...ends].toSorted((a, b) => a - b);
  return html`${bounds.slice(1).map((to, at) => renderSegment(text, { from: bounds[at] ?? 0, to }, within))}`;
}

function renderSegment(text: string, { from, to }: { from: number; to: number }, marks: readonly TextMark[]): Html {
  const covering = marks.filter(({ start, end }) => start <= from && end >= to);
  const words = text.slice(from, to);
  if (covering.length === 0) return html`${words}`;
  const kinds = [...new Set(covering.map(({ kind }) => `mark-${kind}`))].join(" ");
  const beginning = covering.filter(({ start }) => start === from).map(({ label }) => label.slice(0, MAX_LABEL_LENGTH));
  const spokenLabels = beginning.length > 0 && html`<span class="unseen">[${beginning.join("; ")}]</span>`;
  return html`<mark class="${kinds}">${spokenLabels}${words}</mark>`;
}
