import { z } from "zod";
import type { CapturedCitation, Span } from "../../../../core/reading/capture.ts";
import { ProviderError } from "../provider-error.ts";
import { toPage } from "./cited-pages.ts";

export interface TextPart {
  /** Includes the preceding empty line. */
  text: string;
  /** Offset of `said` in the whole text. */
  start: number;
  said: string;
  rawPart: Record<string, unknown>;
  isRefusal: boolean;
}

export interface SearchResult {
  id: string;
  url: string;
  title?: string;
}

const LinkSchema = z.looseObject({
  url: z.string(),
  title: z.string().nullish(),
  start_index: z.number().nullish(),
  end_index: z.number().nullish(),
});
const AnnotationsField = z.array(z.looseObject({ type: z.string(), url_citation: LinkSchema.nullish() })).nullish();

const PRINTED_LINK_PATTERN = /^[([].*[)\]]$/su;

type Cited = Omit<CapturedCitation, "position">;

/** From annotations, from marks that name search results, or from the list next to the output. */
export function mergeCitations(
  parts: readonly TextPart[],
  {
    results,
    listedPages,
    rawBody,
  }: {
    results: readonly SearchResult[];
    listedPages: readonly (string | { url: string; title?: string | null | undefined })[];
    rawBody: string;
  },
): CapturedCitation[] {
  const inText = parts.flatMap((part) => [
    ...listAnnotatedCitations(part, rawBody),
    ...listMarkedCitations(part, results, rawBody),
  ]);
  const cited =
    inText.length > 0 ? inText : listedPages.map((one) => toPage(typeof one === "string" ? { url: one } : one));
  return cited
    .toSorted((a, b) => (getStart(a) === getStart(b) ? 0 : getStart(a) - getStart(b)))
    .map((citation, index) => ({ ...citation, position: index + 1 }));
}

function getStart({ spans }: Cited): number {
  return spans?.[0]?.start ?? Infinity;
}

function listAnnotatedCitations({ rawPart, said, start }: TextPart, rawBody: string): Cited[] {
  const annotations = AnnotationsField.safeParse(rawPart["annotations"]);
  if (!annotations.success) throw new ProviderError("malformed", { rawBody, cause: annotations.error });
  return (annotations.data ?? [])
    .filter(({ type }) => type === "url_citation")
    .map((annotation) => {
      const link = LinkSchema.safeParse(annotation.url_citation ?? annotation);
      if (!link.success) throw new ProviderError("malformed", { rawBody, cause: link.error });
      const span = findSpan(said, link.data);
      return { ...toPage(link.data), ...(span && { spans: [{ start: start + span.start, end: start + span.end }] }) };
    });
}

function listMarkedCitations({ said, start }: TextPart, results: readonly SearchResult[], rawBody: string): Cited[] {
  return [...said.matchAll(/\[(\d{1,3})\](?!\()/gu)].flatMap(({ 0: mark, 1: id = "", index }) => {
    const [result, ...others] = results.filter((one) => one.id === id);
    if (others.some(({ url }) => url !== result?.url)) throw new ProviderError("malformed", { rawBody });
    return result ? [{ ...toPage(result), spans: [{ start: start + index, end: start + index + mark.length }] }] : [];
  });
}

/** Some APIs count UTF-16 code units, others characters; the span with the printed link counts. */
function findSpan(text: string, { start_index: from, end_index: to }: z.output<typeof LinkSchema>): Span | undefined {
  if (from == null || to == null || to <= from || to > text.length) return undefined;
  const before = Array.from(text).slice(0, to);
  const start = before.slice(0, from).join("").length;
  const end = before.join("").length;
  const isLink = (span: Span) => PRINTED_LINK_PATTERN.test(text.slice(span.start, span.end));
  const units = { start: from, end: to };
  return isLink({ start, end }) && !isLink(units) ? { start, end } : units;
}
