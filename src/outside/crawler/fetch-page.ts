import {
  type FetchOptions,
  type ResponseInfo,
  type FileOutcome,
  type PageOutcome,
  type TextOutcome,
  toSkippedFetch,
} from "../../../core/audits/crawler.ts";
import type { FetchedPage } from "../../../core/audits/fetched-page.ts";
import { parseWithinTime } from "../../../core/shared/run-within-time.ts";
import { decodePage } from "./decode-page.ts";
import { type FetchDeps, followRedirects } from "./follow-redirects.ts";
import { type Body, readBody, unzipFile } from "./read-body.ts";

const OPENING_TAG_PATTERN = /^<(?:!doctype html|html|head|body|title|script|meta)\b/i;

/** WHATWG MIME Sniffing section 7.1. Linear in the text's length. */
function isLikelyHtml(text: string): boolean {
  let rest = text.trimStart();
  for (let end = endOfProlog(rest); end > 0; end = endOfProlog(rest)) rest = rest.slice(end).trimStart();
  return OPENING_TAG_PATTERN.test(rest);
}

function endOfProlog(text: string): number {
  const isComment = text.startsWith("<!--");
  if (!isComment && !/^<\?xml/i.test(text)) return 0;
  const close = isComment ? "-->" : ">";
  const end = text.indexOf(close, "<!--".length);
  return end === -1 ? 0 : end + close.length;
}

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);

export function fetchPage(url: string, options: FetchOptions, deps: FetchDeps): Promise<PageOutcome> {
  const accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1";
  return followRedirects(
    url,
    { ...options, accept },
    deps,
    async (incoming, { retryAfterMs, ...fetched }): Promise<PageOutcome> => {
      const empty: FetchedPage = { ...fetched, bytes: 0, html: "", encoding: "utf-8", isTruncated: false };
      if (fetched.status < 200 || fetched.status > 299) return { kind: "page", page: empty, retryAfterMs };
      const { contentType } = fetched.headers;
      const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
      if (type !== "" && !HTML_TYPES.has(type)) return { ...toSkippedFetch("not_html"), answer: empty };

      const body = await readBody(incoming, incoming.headers["content-encoding"], deps.limits.limitBytes);
      const { bytes, isTruncated } = body;
      const read = readHtml(body, contentType);
      if (read === "too_slow" || read === "not_html") return { ...toSkippedFetch(read), answer: empty };
      return { kind: "page", page: { ...fetched, bytes: bytes.length, ...read, isTruncated }, retryAfterMs };
    },
  );
}

/** Sniffs the first tag only without Content-Type. */
export function readHtml(
  body: Body,
  contentType: string | null,
): { html: string; encoding: string } | "not_html" | "too_slow" {
  const isSniffed = (contentType ?? "").split(";")[0]?.trim() === "" && body.bytes.length > 0;
  const read = () => {
    const { text: html, encoding } = decodePage(body, contentType);
    return isSniffed && !isLikelyHtml(html) ? "not_html" : { html, encoding };
  };
  return parseWithinTime(body.bytes.length, read, "too_slow");
}

/** Decompresses gzip files. */
export function fetchFile(url: string, options: FetchOptions, deps: FetchDeps): Promise<FileOutcome> {
  return followRedirects(
    url,
    { ...options, accept: "*/*" },
    deps,
    async (incoming, fetched: ResponseInfo): Promise<FileOutcome> => {
      if (fetched.status < 200 || fetched.status > 299)
        return { kind: "file", ...fetched, bytes: Buffer.alloc(0), isTruncated: false };
      const { limitBytes } = deps.limits;
      const packed = await readBody(incoming, incoming.headers["content-encoding"], limitBytes);
      return { kind: "file", ...fetched, ...(await unzipFile(packed, limitBytes)) };
    },
  );
}

export async function fetchText(url: string, options: FetchOptions, deps: FetchDeps): Promise<TextOutcome> {
  const answer = await fetchFile(url, options, deps);
  if (answer.kind !== "file") return answer;
  const { bytes: body, isTruncated, ...fetched } = answer;
  const decode = () => decodePage({ bytes: Buffer.from(body), isTruncated }, fetched.headers.contentType).text;
  const text = parseWithinTime(body.length, decode, null);
  if (text === null) return toSkippedFetch("too_slow");
  return { ...fetched, kind: "text", text, bytes: body.length, isTruncated };
}
