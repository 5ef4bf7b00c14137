import { SOURCE_NAMES } from "../sources/sources.ts";
import type { Evidence, OpinionEvidence } from "../actions/action.ts";
import { formatLink, escapeText, quoteText, formatTable } from "./markdown.ts";
import { formatPercent } from "../actions/phrases/numerals.ts";

// Sections of a brief about opinions. Words of answers are escaped on one line, sentences are
// quoted.

export function listOpinionPages(
  evidence: readonly Evidence[],
  filter: { isOwnPage: boolean; brand: string },
): string[] {
  return evidence.flatMap(({ url, brand, opinion }) => {
    const isOwn = brand === filter.brand;
    return url === null || !opinion || isOwn !== filter.isOwnPage ? [] : [formatLink(url)];
  });
}

export function formatOpinionTable(evidence: readonly Evidence[]): string {
  const rows = evidence.flatMap((row) => {
    const { opinion, url } = row;
    if (!opinion) return [];
    const counted = `${row.occurrences} of ${row.answers}`;
    const lost =
      row.brand_occurrences === null ? "" : `, ${row.brand_occurrences} for ${escapeText(row.brand ?? "", 100)}`;
    const topic = row.keyword === null ? describeSubject(opinion) : escapeText(row.keyword, 200);
    return [
      [
        url === null ? topic : formatLink(url),
        row.source === null ? "all sources" : SOURCE_NAMES[row.source],
        `${counted}${opinion.kind === "comparison" ? lost : ""}`,
        url === null ? formatOpinionValue(opinion) : "",
      ],
    ];
  });
  return formatTable(["what, question or page", "source", "answers", "figure, with its 95 % interval"], rows);
}

export const COUNT_DESCRIPTIONS: Readonly<Record<OpinionEvidence["kind"], string>> = {
  con: "hold the con",
  fact: "contradict",
  comparison: "prefer you",
  score: "speak well of it",
};

function describeSubject({ kind, about, said }: OpinionEvidence): string {
  const name = kind === "con" ? (said ?? about) : about;
  return `${name === null ? "everything" : escapeText(name, 200)} (${COUNT_DESCRIPTIONS[kind]})`;
}

/** Value with interval, `75 % (60 to 88)`; for scores also the competitor's. */
export function formatOpinionValue({ kind, value, ci_low: low, ci_high: high, ...opinion }: OpinionEvidence): string {
  const shown = kind === "score" ? (one: number) => one.toFixed(1) : (one: number) => formatPercent(one);
  const figure = (one: number | null, ...ends: (number | null)[]) => {
    const [from = null, to = null] = ends;
    const interval = from === null || to === null ? "" : ` (${shown(from)} to ${shown(to)})`;
    return one === null ? "" : `${shown(one)}${interval}`;
  };
  const own = figure(value, low, high);
  const { brand_value: other, brand_ci_low: otherLow, brand_ci_high: otherHigh } = opinion;
  return other === null ? own : `${own}, beside ${figure(other, otherLow, otherHigh)}`;
}

export function formatOpinionQuotes(evidence: readonly Evidence[]): string[] {
  const sentences = new Set<string>();
  const blocks = evidence.flatMap(({ opinion, url }) => {
    if (!opinion?.said || opinion.kind === "score" || sentences.has(opinion.said)) return [];
    sentences.add(opinion.said);
    return [`${quoteText(opinion.said, 300)}${url === null ? "" : `\n\nfrom ${formatLink(url)}`}`];
  });
  return blocks.length === 0 ? [] : ["## What is said", blocks.join("\n\n")];
}

export function formatDeclaredFact(evidence: readonly Evidence[]): string[] {
  const { about, declared } = evidence[0]?.opinion ?? {};
  if (declared == null) return [];
  return [`State it as declared: ${escapeText(about ?? "", 200)}, ${escapeText(declared, 500)}.`];
}
