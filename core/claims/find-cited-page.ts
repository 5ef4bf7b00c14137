import type { CapturedCitation } from "../reading/capture.ts";

interface TextSpan {
  start: number;
  end: number;
}

const LINK_PATTERN = /\]\((https?:\/\/[^\s()]{1,2000})/u;
const CITATION_NUMBER_PATTERN = /\[(\d{1,3})\]|【(\d{1,3})[†:】]/u;
const TRAILING_CITATIONS_PATTERN =
  /^[.!?]?[\s([]{0,3}(?:\[[^\]\n]{1,200}\]\([^\s)]{1,2000}\)|\[\d{1,3}\]|【[^】\n]{1,40}】)/u;

/** Page cited by link, source number or provider's spans; else by the rest of the line. */
export function findCitedPage(text: string, { start, end }: TextSpan, citations: readonly CapturedCitation[]) {
  const after = TRAILING_CITATIONS_PATTERN.exec(text.slice(end, end + 2_400))?.[0] ?? "";
  const own = findPageInText(text.slice(start, end) + after, citations) ?? findPageBySpan({ start, end }, citations);
  if (own !== null) return own;
  const stop = text.indexOf("\n", end);
  return findPageInText(text.slice(end, stop === -1 ? end + 2_000 : Math.min(stop, end + 2_000)), citations);
}

function findPageInText(text: string, citations: readonly CapturedCitation[]): string | null {
  const link = LINK_PATTERN.exec(text);
  if (link?.[1] !== undefined) return link[1];
  const number = CITATION_NUMBER_PATTERN.exec(text);
  const position = Number(number?.[1] ?? number?.[2]);
  return citations.find((citation) => citation.position === position)?.url ?? null;
}

function findPageBySpan({ start, end }: TextSpan, citations: readonly CapturedCitation[]): string | null {
  const given = citations.find(({ spans }) => spans?.some((span) => span.start < end && span.end > start));
  return given?.url ?? null;
}
