import type { CapturedCitation, Span } from "../../../../core/reading/capture.ts";
import { parseMarkdownLinks } from "./text-links.ts";

export interface CitedPage {
  url: string;
  title?: string | null | undefined;
  span?: Span | undefined;
}

export function toPage({ url, title }: Pick<CitedPage, "url" | "title">): { url: string; title?: string } {
  return { url, ...(title == null ? {} : { title }) };
}

/** Labels such as `[1]` are no titles. */
export function listLinkedPages(text: string): CitedPage[] {
  return parseMarkdownLinks(text).map(({ url, spans: [span] }) => ({ url, span }));
}

/** In text order; pages without a span come last, in input order. The first title counts. */
export function groupCitations(shown: readonly CitedPage[]): CapturedCitation[] {
  const pages = new Map<string, { url: string; title?: string; spans: Span[] }>();
  for (const { url, title, span } of shown) {
    const page = pages.get(url) ?? { url, spans: [] };
    if (title != null && title !== "") page.title ??= title;
    if (span) page.spans.push(span);
    pages.set(url, page);
  }
  return [...pages.values()]
    .map(({ spans, ...page }) => ({ ...page, spans: spans.toSorted((a, b) => a.start - b.start) }))
    .toSorted((a, b) => compareStarts(a.spans[0]?.start, b.spans[0]?.start))
    .map(({ spans, ...page }, index) => ({ ...page, position: index + 1, ...(spans.length > 0 && { spans }) }));
}

function compareStarts(a = Infinity, b = Infinity): number {
  return a === b ? 0 : a - b;
}
