import type { Span } from "../capture.ts";
import { findSourcesAndCode } from "./text-sources.ts";

/** Spans of addresses, sources, code and prompt echoes in a folded text, ascending and disjoint. */
export function findMasks(cased: string, lower: string, promptLower: string): Span[] {
  const targets = findLinkTargets(cased);
  const addresses = [...targets, ...findBareAddresses(cased), ...findMailAddresses(cased), ...findRepositories(cased)];
  return mergeSpans([
    ...addresses,
    ...findSourcesAndCode(cased, lower, targets),
    ...findPromptEchoes(lower, promptLower),
  ]);
}

/** Link targets and bare addresses in the text, as written. */
export function findAddresses(text: string): string[] {
  return mergeSpans([...findLinkTargets(text), ...findBareAddresses(text)]).map(({ start, end }) =>
    text
      .slice(start, end)
      .replace(/^[(<\s]+/, "")
      .replace(/[)>\s][^]*$/, ""),
  );
}

/** Max length searched for the end of an address, in code units; bounds the time per text. */
const MAX_ADDRESS_LENGTH = 8_000;

/** Link targets of Markdown, with their parentheses. Labels are not masked. */
export function findLinkTargets(text: string): Span[] {
  const masks: Span[] = [];
  for (let at = text.indexOf("]("); at !== -1;) {
    const end = findClosingParenthesis(text, at + 1);
    if (end !== undefined) masks.push({ start: at + 1, end: end + 1 });
    at = text.indexOf("](", end ?? Math.min(at + MAX_ADDRESS_LENGTH, text.length));
  }
  return masks;
}

function findClosingParenthesis(text: string, opening: number): number | undefined {
  const limit = Math.min(text.length, opening + MAX_ADDRESS_LENGTH);
  let depth = 0;
  for (let i = opening; i < limit && text[i] !== "\n"; i += 1) {
    if (text[i] === "(") depth += 1;
    if (text[i] === ")") depth -= 1;
    if (depth === 0) return i;
  }
  return undefined;
}

function findBareAddresses(text: string): Span[] {
  const masks: Span[] = [];
  for (const marker of ["://", "www."]) {
    for (let at = text.indexOf(marker); at !== -1;) {
      let start = at;
      if (marker === "://") while (start > 0 && /[a-z]/i.test(text.charAt(start - 1)) && at - start < 8) start -= 1;
      const end = findAddressEnd(text, at);
      masks.push({ start, end });
      at = text.indexOf(marker, Math.max(end, at + marker.length));
    }
  }
  return masks;
}

const ADDRESS_END_PATTERN = /[()\s<>"'`|\]}\u3002\uFF0C]/g;

/** End of an address: a space, quote, bracket or bar, or an unmatched closing parenthesis. */
function findAddressEnd(text: string, from: number): number {
  let open = 0;
  ADDRESS_END_PATTERN.lastIndex = from;
  for (let mark = ADDRESS_END_PATTERN.exec(text); mark !== null; mark = ADDRESS_END_PATTERN.exec(text)) {
    if (mark[0] === "(") open += 1;
    else if (mark[0] !== ")" || (open -= 1) < 0) return mark.index;
  }
  return text.length;
}

/** Mail addresses and handles ("@name"). */
function findMailAddresses(text: string): Span[] {
  const masks: Span[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at;
    let end = at + 1;
    while (start > 0 && /[\w.+-]/.test(text.charAt(start - 1))) start -= 1;
    while (end < text.length && /[\w.-]/.test(text.charAt(end))) end += 1;
    const isMail = start < at && text.slice(at + 1, end).includes(".");
    const isHandle = start === at && end > at + 1;
    if (isMail || isHandle) masks.push({ start, end });
  }
  return masks;
}

/** Repository handles ("acme/acme-tools"), searched around each slash because slashes are rare. */
function findRepositories(text: string): Span[] {
  const masks: Span[] = [];
  for (let slash = text.indexOf("/"); slash !== -1; slash = text.indexOf("/", slash + 1)) {
    const [owner = ""] =
      REPOSITORY_OWNER_PATTERN.exec(text.slice(Math.max(0, slash - MAX_OWNER_LENGTH - 1), slash)) ?? [];
    REPOSITORY_NAME_PATTERN.lastIndex = slash;
    const [name = ""] = owner === "" ? [] : (REPOSITORY_NAME_PATTERN.exec(text) ?? []);
    if (name !== "") masks.push({ start: slash - owner.length, end: slash + name.length });
  }
  return masks;
}

const MAX_OWNER_LENGTH = 39;
const REPOSITORY_OWNER_PATTERN = /(?<![\w./:@-])[a-z][a-z\d_.-]{0,38}$/;
const REPOSITORY_NAME_PATTERN = /\/(?=[a-z\d_.-]*[-_])[a-z\d_.-]{2,100}(?![\w/-])/y;

/** Six words or more match anywhere, fewer only as the whole first line: they may be a name. */
function findPromptEchoes(lower: string, promptLower: string): Span[] {
  const prompt = promptLower.trim().replace(/(?<![\s?!.])[\s?!.]+$/, "");
  if (prompt === "") return [];
  const masks: Span[] = [];
  if (prompt.split(/\s+/).length >= 6) {
    for (let at = lower.indexOf(prompt); at !== -1; at = lower.indexOf(prompt, at + prompt.length)) {
      masks.push({ start: at, end: at + prompt.length });
    }
    return masks;
  }
  const start = lower.search(/\S/);
  const lineEnd = lower.indexOf("\n", start);
  if (start === -1 || lineEnd === -1) return masks;
  if (lineEnd - start > prompt.length + 20) return masks;
  const line = lower.slice(start, lineEnd).replace(/^[#>*"“„\s]+|(?<![*"”?!.\s])[*"”?!.\s]+$/g, "");
  return line === prompt ? [{ start, end: lineEnd }] : masks;
}

/** Sorts spans and merges those that touch or overlap. */
export function mergeSpans(masks: Span[]): Span[] {
  const result: Span[] = [];
  for (const mask of masks.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && mask.start <= last.end) last.end = Math.max(last.end, mask.end);
    else result.push({ ...mask });
  }
  return result;
}

/** True if a span overlaps one of the masks, which are ascending and disjoint. */
export function overlapsMask(masks: Span[], start: number, end: number): boolean {
  let low = 0;
  let high = masks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masks[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return (masks[low]?.start ?? Infinity) < end;
}

const DOMAIN_NAME_PATTERN =
  /^(?:[A-Za-z0-9-]+\.)+(?:com|net|org|io|co|ai|app|dev|shop|store|tech|info|biz|tv|me|eu|us|uk|de|fr|es|it|nl|be|ch|at|ca|au|jp|cn|kr|in|br|mx|pl|se|no|dk|fi|pt)$/;

/** Max length of a domain name; a label has at most 63 characters (RFC 1035 section 2.3.4). */
const MAX_DOMAIN_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

function isLabelUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 45;
}

function isSiteUnit(unit: number): boolean {
  return isLabelUnit(unit) || unit === 46 || unit === 95;
}

/** True for a span inside a bare domain name such as "shop.example.com". */
export function isInsideDomain(cased: string, start: number, end: number): boolean {
  // Requires a dot after the name, since a name at the end of a domain is not masked.
  let to = end;
  while (to - end < MAX_LABEL_LENGTH && isLabelUnit(cased.charCodeAt(to))) to += 1;
  if (cased.charAt(to) !== ".") return false;
  let from = start;
  while (start - from < MAX_DOMAIN_LENGTH && isSiteUnit(cased.charCodeAt(from - 1))) from -= 1;
  while (to - end < MAX_DOMAIN_LENGTH && isSiteUnit(cased.charCodeAt(to))) to += 1;
  const token = cased.slice(from, to).replace(/^[.-]+|(?<![.-])[.-]+$/g, "");
  return token.includes(".") && DOMAIN_NAME_PATTERN.test(token);
}
