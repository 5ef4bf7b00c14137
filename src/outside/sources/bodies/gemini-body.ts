import { z } from "zod";
import type { CapturedCitation, Span } from "../../../../core/reading/capture.ts";
import { ProviderError, type FailureKind } from "../provider-error.ts";
import { readBody } from "./read-body.ts";
import type { TokenUsage } from "../token-prices.ts";

const IndexField = z.int().min(0).nullish();
const TextSegment = z.looseObject({
  startIndex: IndexField,
  endIndex: IndexField,
  partIndex: IndexField,
  text: z.string().nullish(),
});
type TextSegment = z.output<typeof TextSegment>;

const Grounding = z.looseObject({
  webSearchQueries: z.array(z.string()).nullish(),
  groundingChunks: z
    .array(z.looseObject({ web: z.looseObject({ uri: z.string(), title: z.string().nullish() }).nullish() }))
    .nullish(),
  groundingSupports: z
    .array(z.looseObject({ segment: TextSegment.nullish(), groundingChunkIndices: z.array(z.int().min(0)).nullish() }))
    .nullish(),
});
type Grounding = z.output<typeof Grounding>;

const CandidateSchema = z.looseObject({
  content: z
    .looseObject({
      parts: z.array(z.looseObject({ text: z.string().nullish(), thought: z.boolean().nullish() })).nullish(),
    })
    .nullish(),
  finishReason: z.string().nullish(),
  finishMessage: z.string().nullish(),
  groundingMetadata: Grounding.nullish(),
});

const GeminiBody = z.object({
  candidates: z.array(CandidateSchema).nullish(),
  promptFeedback: z
    .looseObject({ blockReason: z.string().nullish(), blockReasonMessage: z.string().nullish() })
    .nullish(),
  modelVersion: z.string().nullish(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: z.number().nullish(),
      toolUsePromptTokenCount: z.number().nullish(),
      candidatesTokenCount: z.number().nullish(),
      thoughtsTokenCount: z.number().nullish(),
    })
    .nullish(),
});

/** Google blocks the answer because of prompt or output. */
const BLOCKED_REASONS = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);
const FAILURES_BY_FINISH_REASON: Readonly<Record<string, FailureKind>> = {
  MAX_TOKENS: "cut_off",
  LANGUAGE: "unsupported",
};

/** The URL is a redirect of Google's. */
export interface GroundingPage {
  uri: string;
  title: string | undefined;
}

export interface GeminiAnswer {
  text: string;
  isRefusal: boolean;
  pages: (GroundingPage | null)[];
  supports: { page: number; span: Span | undefined }[];
  queries: string[];
  model: string | null;
  usage: TokenUsage | undefined;
  failure: FailureKind | undefined;
}

export function readGemini(rawBody: string): GeminiAnswer {
  const { candidates, promptFeedback, modelVersion, usageMetadata } = readBody(rawBody, GeminiBody);
  const [candidate] = candidates ?? [];
  const end = candidate?.finishReason ?? promptFeedback?.blockReason;
  const parts = listTextParts(candidate);
  const text = parts.map((part) => part.text).join("");
  const grounding = candidate?.groundingMetadata ?? {};
  const pages = (grounding.groundingChunks ?? []).map(
    ({ web }) => web && { uri: web.uri, title: web.title ?? undefined },
  );
  const supports = findSupports(grounding, parts, text);
  if (supports.some(({ page }) => page >= pages.length)) throw new ProviderError("malformed", { rawBody });
  const isRefusal = end != null && (candidate ? BLOCKED_REASONS.has(end) : true);
  const reason =
    candidate?.finishMessage ?? promptFeedback?.blockReasonMessage ?? `Google blocked the answer (${end}).`;
  const queries = [...new Set(grounding.webSearchQueries)].filter((query) => query !== "");
  const usage = usageMetadata ?? undefined;
  const toolTokens = usage?.toolUsePromptTokenCount ?? 0;
  return {
    text: isRefusal && text === "" ? reason : text,
    isRefusal,
    pages: pages.map((page) => page ?? null),
    supports,
    queries,
    model: modelVersion ?? null,
    usage: usage && {
      input: (usage.promptTokenCount ?? 0) + toolTokens,
      output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      // The API may omit the searches that it made.
      searches: Math.max(queries.length, toolTokens > 0 ? 1 : 0),
    },
    failure: isRefusal || end === "STOP" ? undefined : (FAILURES_BY_FINISH_REASON[end ?? ""] ?? "malformed"),
  };
}

interface TextPart {
  start: number;
  text: string;
}

function listTextParts(candidate: z.output<typeof CandidateSchema> | undefined): TextPart[] {
  let start = 0;
  return (candidate?.content?.parts ?? []).map(({ text, thought }) => {
    const part = { start, text: thought ? "" : (text ?? "") };
    start += part.text.length;
    return part;
  });
}

function findSupports({ groundingSupports }: Grounding, parts: readonly TextPart[], text: string) {
  const supports = (groundingSupports ?? []).flatMap(({ segment, groundingChunkIndices }) => {
    const span = segment ? findSpan(segment, parts, text) : undefined;
    return (groundingChunkIndices ?? []).map((page) => ({ page, span }));
  });
  return supports.toSorted((a, b) => getStart(a.span) - getStart(b.span));
}

function getStart(span: Span | undefined): number {
  return span?.start ?? Number.MAX_SAFE_INTEGER;
}

/** Offsets are UTF-8 bytes within a part. Misplaced offsets are corrected by the quoted words. */
function findSpan(segment: TextSegment, parts: readonly TextPart[], text: string): Span | undefined {
  for (const part of [parts[segment.partIndex ?? 0], { start: 0, text }]) {
    const span = part && toCharacterSpan(part, segment);
    if (span && (segment.text == null || text.slice(span.start, span.end) === segment.text)) return span;
  }
  const at = segment.text ? text.indexOf(segment.text) : -1;
  return at === -1 ? undefined : { start: at, end: at + (segment.text ?? "").length };
}

function toCharacterSpan(part: TextPart, { startIndex, endIndex }: TextSegment): Span | undefined {
  const bytes = Buffer.from(part.text);
  const from = startIndex ?? 0;
  if (endIndex == null || endIndex <= from || endIndex > bytes.length) return undefined;
  const units = (end: number) => part.start + bytes.toString("utf8", 0, end).length;
  return { start: units(from), end: units(endIndex) };
}

export function resolveCitations({ pages, supports }: GeminiAnswer, addressOf: (page: GroundingPage) => string) {
  const read = pages.map((page): Omit<CapturedCitation, "position"> | null => {
    if (!page) return null;
    // Takes the host as title of a web page, since the reported title is its host name.
    const url = addressOf(page);
    return page.title === undefined || isHostName(page.title) ? { url } : { url, title: page.title };
  });
  const cited = supports.flatMap(({ page, span }) => {
    const found = read[page];
    return found ? [{ ...found, ...(span ? { spans: [span] } : {}) }] : [];
  });
  return { citations: addPositions(cited), retrieved: addPositions(read.filter((page) => page !== null)) };
}

function addPositions(pages: readonly Omit<CapturedCitation, "position">[]): CapturedCitation[] {
  return pages.map((page, index) => ({ ...page, position: index + 1 }));
}

export function isHostName(title: string): boolean {
  return /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/i.test(title);
}
