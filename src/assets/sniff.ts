import { fileTypeFromBuffer } from "file-type";
import { looksLikeMarkdown, type AssetType } from "../../core/assets/assets.ts";
import { decodeText, isBinaryByte, detectUtf16 } from "../outside/text-encoding.ts";

export interface SniffedType {
  type: AssetType;
  mediaType: string;
}

export const ACCEPTED =
  "plain text, Markdown, HTML, PDF, DOCX, images (PNG, JPEG, GIF, WebP, AVIF) and videos (MP4, QuickTime, WebM)";

const MEDIA: Readonly<Record<string, AssetType>> = {
  "image/png": "image",
  "image/apng": "image",
  "image/jpeg": "image",
  "image/gif": "image",
  "image/webp": "image",
  "image/avif": "image",
  "video/mp4": "video",
  "video/quicktime": "video",
  "video/webm": "video",
};
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
/** The package file-type needs as many bytes. */
const HEAD_BYTES = 4100;
/** A ZIP has its directory at the end. */
const TAIL_BYTES = 64 * 1024;

/** Uses the file's bytes, never its name. */
export class Sniffer {
  private head: Buffer = Buffer.alloc(0);
  private tail: Buffer = Buffer.alloc(0);
  private isBinary = false;

  add(chunk: Uint8Array): void {
    if (!this.isHeadComplete) this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES)]);
    this.tail = Buffer.concat([this.tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    this.isBinary ||= chunk.some(isBinaryByte);
  }

  get isHeadComplete(): boolean {
    return this.head.length >= HEAD_BYTES;
  }

  /** `text/plain` for any text; undefined if not accepted. */
  async guess(): Promise<string | undefined> {
    const { head } = this;
    if (head.subarray(0, 5).toString("latin1") === "%PDF-") return "application/pdf";
    if (detectUtf16(head) !== undefined || !head.some(isBinaryByte))
      return isOtherFormat(head) ? undefined : "text/plain";
    const found = await fileTypeFromBuffer(head);
    if (found?.mime === "application/zip" || found?.mime === DOCX) return DOCX;
    return found && found.mime in MEDIA ? found.mime : undefined;
  }

  async conclude(): Promise<SniffedType | undefined> {
    const mediaType = await this.guess();
    if (mediaType === undefined) return undefined;
    if (mediaType === "text/plain") return this.textType();
    if (mediaType === DOCX) {
      const isDocument = this.tail.includes("word/document.xml") && this.tail.includes("[Content_Types].xml");
      return isDocument ? { type: "docx", mediaType } : undefined;
    }
    return { type: mediaType === "application/pdf" ? "pdf" : (MEDIA[mediaType] ?? "image"), mediaType };
  }

  private textType(): SniffedType | undefined {
    if (this.isBinary && detectUtf16(this.head) === undefined) return undefined;
    const text = decodeText(this.head).trimStart();
    if (HTML_START_PATTERN.test(text) || (text.startsWith("<?xml") && /<html[\s>]/i.test(text))) {
      return { type: "html", mediaType: "text/html" };
    }
    if (looksLikeMarkdown(text)) return { type: "markdown", mediaType: "text/markdown" };
    return { type: "text", mediaType: "text/plain" };
  }
}

/** WHATWG MIME Sniffing section 7.1. */
const HTML_START_PATTERN =
  /^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|main|article|section|meta|link)[\s>]/i;

/** Text formats without prose, such as PostScript. */
function isOtherFormat(head: Buffer): boolean {
  const text = decodeText(head).trimStart();
  if (/^(?:%!PS|\{\\rtf)/.test(text)) return true;
  return /^<(?:\?xml|svg)[\s>]/i.test(text) && !/<html[\s>]/i.test(text);
}

const EXTENSION_FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/\.(?:txt|md|markdown|html?|xhtml)$/i, "text"],
  [/\.pdf$/i, "pdf"],
  [/\.docx$/i, "docx"],
  [/\.(?:png|apng|jpe?g|gif|webp|avif)$/i, "image"],
  [/\.(?:mp4|m4v|mov|webm)$/i, "video"],
];

/** The file name's extension contradicts the detected type. */
export function isDisguised(fileName: string, { type }: SniffedType): boolean {
  const promised = EXTENSION_FAMILIES.find(([ending]) => ending.test(fileName))?.[1];
  const actual = type === "markdown" || type === "html" ? "text" : type;
  return promised !== undefined && promised !== actual;
}
