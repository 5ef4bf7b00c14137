import type { CapturedCitation, Span } from "../../../../core/reading/capture.ts";
import { findLinkTargets } from "../../../../core/reading/aliases/text-masks.ts";

/** Bounds the backwards search for a label, so that parsing stays linear. */
const MAX_LABEL_LENGTH = 500;

type MarkdownLink = Omit<CapturedCitation, "position"> & { spans: [Span] };

/** The label is the title, the whole link the span. Ignores images. */
export function parseMarkdownLinks(text: string): MarkdownLink[] {
  return findLinkTargets(text).flatMap(({ start, end }) => {
    const [url = ""] = text
      .slice(start + 1, end - 1)
      .trim()
      .split(/\s/u);
    const opening = findOpeningBracket(text, start - 1);
    if (!/^https?:/iu.test(url) || !URL.canParse(url) || opening === undefined) return [];
    if (text[opening - 1] === "!") return [];
    const title = text.slice(opening + 1, start - 1).trim();
    return [{ url, ...(title === "" ? {} : { title }), spans: [{ start: opening, end }] }];
  });
}

function findOpeningBracket(text: string, closing: number): number | undefined {
  const limit = Math.max(0, closing - MAX_LABEL_LENGTH);
  let depth = 0;
  for (let at = closing; at >= limit && text[at] !== "\n"; at -= 1) {
    if (text[at] === "]") depth += 1;
    if (text[at] === "[") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
